/** Names prices by their paths in the configuration. */

import { FEE_NAMES } from '#catalogue/fee-names.ts';
import { isPriceKey } from '#catalogue/usage-buckets.ts';
import { defineTexts, hasText, useTexts } from '#i18n/texts.ts';
import { conditionsOf } from './price-edit.ts';
import { pricesTexts } from './prices-texts.ts';

const fees = defineTexts('admin-price-fees', { en: FEE_NAMES.en, zh: FEE_NAMES.zh });

/** Returns a function that names the price at a path, with the conditions of its row. */
export function useItemName(): (path: readonly string[], price: unknown) => string {
  const t = useTexts(pricesTexts);
  const tFee = useTexts(fees);
  return (path, price) => {
    const [section = '', name = '', key] = path;
    const last = path.at(-1) ?? '';
    const own = isPriceKey(last) ? t(last) : last;
    if (section === 'rows') {
      return t('condition', { when: conditionsOf(price, name), name: own });
    }
    if (section === 'fees') {
      const fee = `fee_${name}`;
      return hasText(fees, fee) ? tFee(fee) : name;
    }
    return section === 'models' && key !== undefined ? `${name} · ${own}` : own;
  };
}
