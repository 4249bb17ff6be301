/** The spend of a key: against its most used limit, or for this month if the key has no limit. */
import { Text } from '@mantine/core';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { tightestBudget } from './budget.ts';
import { BudgetBar } from './budget-bar.tsx';
import type { ApiKey } from './key-form.ts';
import { keyTexts } from './key-texts.ts';

/** The least width at which a bar shows a difference. */
const MIN_BAR_PX = 150;

export function KeySpend({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  const budget = tightestBudget(apiKey);
  if (budget !== null) {
    return (
      <div style={{ minWidth: MIN_BAR_PX, whiteSpace: 'nowrap' }}>
        <BudgetBar budget={budget} />
      </div>
    );
  }
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      <Money amount={apiKey.spend.month.spent} currency="USD" />{' '}
      <Text span inherit c="dimmed">
        {t('month')}
      </Text>
    </Text>
  );
}
