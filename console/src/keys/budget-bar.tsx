/**
 * Shows the spend of a key or a member and its limit, as amounts and a bar. The tooltip shows when
 * the limit resets.
 */
import { Box, Progress, Stack, Text, Tooltip } from '@mantine/core';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { type Budget, type Budgeted, NEARLY_USED, tightestBudget } from './budget.ts';
import { keyTexts } from './key-texts.ts';

/** Limits are in USD, even when the CNY wallet pays. */
const CURRENCY = 'USD';

const colorOf = (part: number): string => {
  if (part >= 1) return 'red';
  return part >= NEARLY_USED ? 'yellow' : 'brand';
};

/**
 * The minimum width of the bar, at which its text fits on one line. On a phone there is no minimum,
 * because the name of the key or member needs the space.
 */
const MIN_WIDTH = { base: 0, xs: 200 } as const;

type SpendProps = {
  readonly of: Budgeted & { readonly spend: { readonly month: { readonly spent: string } } };
};

/**
 * Shows the spend and the limit with the highest used fraction; without limits, the spend of this
 * month.
 */
export function Spend({ of }: SpendProps) {
  const t = useTexts(keyTexts);
  const budget = tightestBudget(of);
  if (budget !== null) {
    return (
      <Box miw={MIN_WIDTH}>
        <BudgetBar budget={budget} />
      </Box>
    );
  }
  return (
    <Text size="sm" miw={MIN_WIDTH}>
      <Money amount={of.spend.month.spent} currency={CURRENCY} />{' '}
      <Text span inherit c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {t('month')}
      </Text>
    </Text>
  );
}

type BudgetProps = { readonly budget: Budget };

export function BudgetBar({ budget }: BudgetProps) {
  const t = useTexts(keyTexts);
  return (
    <Stack gap={4} maw={280}>
      <Text size="sm">
        <span style={{ whiteSpace: 'nowrap' }}>
          <Money amount={budget.spent} currency={CURRENCY} /> <Cap budget={budget} />
        </span>{' '}
        <Text span inherit c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {t(budget.window)}
        </Text>
      </Text>
      <BudgetProgress budget={budget} />
    </Stack>
  );
}

/** Shows the limit after the spend, such as `of $5.00`. */
export function Cap({ budget: { cap } }: BudgetProps) {
  const t = useTexts(keyTexts);
  return (
    <Text span size="sm">
      <Text span inherit c="dimmed">
        {t('ofCap')}
      </Text>{' '}
      <Money amount={cap} currency={CURRENCY} />
    </Text>
  );
}

export function BudgetProgress({ budget: { window, resetsAt, part } }: BudgetProps) {
  const t = useTexts(keyTexts);
  const { percent, ago, time } = useFormats();
  const resets =
    resetsAt === null ? t('noReset') : t('resets', { ago: ago(resetsAt), time: time(resetsAt) });
  return (
    <Tooltip label={resets}>
      <Progress.Root size="sm" tabIndex={0}>
        <Progress.Section
          // The library's `aria-valuetext` is this value, so it is rounded as `percent` rounds.
          value={Math.round(part * 1000) / 10}
          color={colorOf(part)}
          aria-label={`${t('budget', { percent: percent(part), window: t(window) })}. ${resets}`}
        />
      </Progress.Root>
    </Tooltip>
  );
}
