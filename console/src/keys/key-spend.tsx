/** The spend of a key: against its most used limit, or for this month if the key has no limit. */
import { Box, Text } from '@mantine/core';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { tightestBudget } from './budget.ts';
import { BudgetBar } from './budget-bar.tsx';
import type { ApiKey } from './key-form.ts';
import { keyTexts } from './key-texts.ts';

/** The least width: the text is one line, except on a phone, where the name needs the room. */
const MIN_WIDTH = { base: 0, xs: 200 } as const;

export function KeySpend({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  const budget = tightestBudget(apiKey);
  if (budget !== null) {
    return (
      <Box miw={MIN_WIDTH}>
        <BudgetBar budget={budget} />
      </Box>
    );
  }
  return (
    <Text size="sm" miw={MIN_WIDTH}>
      <Money amount={apiKey.spend.month.spent} currency="USD" />{' '}
      <Text span inherit c="dimmed">
        {t('month')}
      </Text>
    </Text>
  );
}
