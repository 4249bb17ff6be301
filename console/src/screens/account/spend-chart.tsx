/** A chart of the daily spend by model, of the account or of one key. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { daysUntil, stackOf } from '#charts/stack.ts';
import { StackedBars } from '#charts/stacked-bars.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { LOCALES } from '#i18n/languages.ts';
import { useLanguage, useTexts } from '#i18n/texts.ts';
import { formatExact, formatShort, parseAmount, roughly, withCurrency } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { spendTexts } from './spend-texts.ts';
import { usageByModelQuery } from './usage-queries.ts';

const CHART_DAYS = 30;
/** The maximum number of models in the chart. With more, colors are hard to tell apart. */
const MAX_MODELS = 6;
/**
 * The currency of the chart. Charges in other currencies count with their value in USD at the time
 * of the charge.
 */
const CURRENCY = 'USD';

export type SpendChartProps = {
  readonly title: string;
  /** The key whose spend is shown; left out for all keys. */
  readonly keyId?: string;
  readonly aside?: ReactNode;
};

export function SpendChart({ title, keyId, aside }: SpendChartProps) {
  const t = useTexts(spendTexts);
  const [language] = useLanguage();
  const days = daysUntil(Date.now(), CHART_DAYS);
  const { data: usage, error, refetch } = useQuery(usageByModelQuery(days, keyId));
  if (error !== null && usage === undefined) {
    return <ApiProblem error={error} onRetry={() => void refetch()} />;
  }
  const pieces = usage?.map((row) => ({
    period: row.day ?? '',
    group: row.model ?? '',
    amount: parseAmount(row.cost_usd),
  }));
  // The labels show UTC days, whatever the local date is.
  const dayFormat = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone: 'UTC' });
    return (day: string): string => format.format(new Date(day));
  };
  return (
    <StackedBars
      title={title}
      stack={pieces === undefined ? undefined : stackOf(pieces, days, MAX_MODELS)}
      periodName={t('day')}
      shortPeriod={dayFormat({ month: 'numeric', day: 'numeric' })}
      longPeriod={dayFormat({ dateStyle: 'medium' })}
      height={(amount) => roughly(formatExact(amount))}
      axis={(height) => withCurrency(shortHeight(height), CURRENCY)}
      format={(amount) => <Money amount={formatExact(amount)} currency={CURRENCY} />}
      aside={aside}
      empty={
        <Text c="dimmed" py="xl" ta="center">
          {t('none', { count: CHART_DAYS })}
        </Text>
      }
    />
  );
}

/**
 * Formats an axis value, which is not an exact amount, with as many digits as the smallest step
 * needs.
 */
const shortHeight = (height: number): string =>
  height >= MIN_HEIGHT_IN_CENTS || height === 0
    ? height.toFixed(2)
    : formatShort(parseAmount(Math.max(0, height).toFixed(9)));
const MIN_HEIGHT_IN_CENTS = 0.01;
