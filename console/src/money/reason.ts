/** Translates the reasons that the gateway writes into the ledger. People write the others. */
import { defineTexts, type Translate, useTexts } from '#i18n/texts.ts';

export const reasonTexts = defineTexts('reason', {
  en: {
    start: 'First start',
    code: 'Redeem code of batch {{id}}',
    payment: 'Card payment {{id}}',
    bonus: 'Bonus on card payment {{id}}',
    refund: 'Refund of card payment {{id}}',
    dispute: 'Dispute of card payment {{id}}',
  },
  zh: {
    start: '首次启动',
    code: '批次 {{id}} 的兑换码',
    payment: '银行卡付款 {{id}}',
    bonus: '银行卡付款 {{id}} 的赠送金额',
    refund: '银行卡付款 {{id}} 的退款',
    dispute: '银行卡付款 {{id}} 的拒付',
  },
});

const WRITTEN = [
  ['start', /^(first start)$/],
  ['code', /^redeem code of (\S+)$/],
  ['payment', /^card payment of (\S+)$/],
  ['bonus', /^bonus on card payment of (\S+)$/],
  ['refund', /^refund of card payment (\S+)$/],
  ['dispute', /^dispute of card payment (\S+)$/],
] as const;

/** Returns a reason in the language of the page. */
export function reasonIn(t: Translate<(typeof WRITTEN)[number][0]>, reason: string): string {
  for (const [key, pattern] of WRITTEN) {
    const id = pattern.exec(reason)?.[1];
    if (id !== undefined) return t(key, { id });
  }
  return reason;
}

export function useReason(): (reason: string) => string {
  const t = useTexts(reasonTexts);
  return (reason) => reasonIn(t, reason);
}
