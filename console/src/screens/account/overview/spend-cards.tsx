/**
 * The spend of the last day, week and month compared with the period before, and the failure rate.
 */
import { Card, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UsageRow } from '#api/usage.ts';
import { daysUntil } from '#charts/stack.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import type { Overview } from '#screens/account/account-queries.ts';
import { usageByDayQuery } from '#screens/account/usage-queries.ts';
import { overviewTexts } from './overview-texts.ts';
import { changeOf } from './trend.ts';

/** The number of days to load: one month, and the month before for comparison. */
const DAYS = 60;
const SPANS = [
  { name: 'today', field: 'today', days: 1 },
  { name: 'week', field: 'last_7_days', days: 7 },
  { name: 'month', field: 'last_30_days', days: 30 },
] as const;
type Span = (typeof SPANS)[number];

export function SpendCards({ overview }: { readonly overview: Overview }) {
  const days = daysUntil(Date.now(), DAYS);
  const { data: rows } = useQuery(usageByDayQuery(days));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      {SPANS.map((span) => (
        <SpendCard key={span.name} span={span} overview={overview} rows={rows} days={days} />
      ))}
      <ErrorRateCard overview={overview} />
    </SimpleGrid>
  );
}

type SpendCardProps = {
  readonly span: Span;
  readonly overview: Overview;
  /** The daily usage; undefined while loading. */
  readonly rows: readonly UsageRow[] | undefined;
  readonly days: readonly string[];
};

function SpendCard({ span, overview, rows, days }: SpendCardProps) {
  const t = useTexts(overviewTexts);
  // The amounts have the same order as the wallets, which the page shows above.
  const spent = overview.wallets.flatMap(({ currency }) => {
    const spend = overview.spend.find((each) => each.currency === currency);
    return spend === undefined ? [] : [{ currency, amount: spend[span.field] }];
  });
  const shown = spent.length === 0 ? [{ currency: 'USD', amount: '0' }] : spent;
  return (
    <Card>
      <Stack gap={6}>
        <Text size="sm" c="dimmed" title={t('utc')}>
          {t(span.name)}
        </Text>
        {shown.map(({ currency, amount }) => (
          <div key={currency}>
            <Money amount={amount} currency={currency} fz="xl" fw={600} lh={1.3} />
            {rows === undefined ? (
              <Skeleton height={19} />
            ) : (
              <Change
                days={span.days}
                change={changeOf(
                  rows.filter((row) => row.currency === currency),
                  days,
                  span.days,
                )}
              />
            )}
          </div>
        ))}
      </Stack>
    </Card>
  );
}

type ChangeProps = { readonly change: number | null; readonly days: number };

function Change({ change, days }: ChangeProps) {
  const t = useTexts(overviewTexts);
  const { percent } = useFormats();
  const signed = change === null ? '' : `${change > 0 ? '+' : ''}${percent(change)}`;
  const text = (): string => {
    if (change === null) return t('noChange');
    return days === 1
      ? t('changeDay', { change: signed })
      : t('change', { change: signed, count: days });
  };
  return (
    <Text size="xs" c="dimmed">
      {text()}
    </Text>
  );
}

/** The failure rate from which failures are highlighted. */
const MANY = 0.05;

function ErrorRateCard({ overview }: { readonly overview: Overview }) {
  const t = useTexts(overviewTexts);
  const { percent, count } = useFormats();
  const { requests_last_7_days: total, failed_last_7_days: failed } = overview;
  const rate = total === 0 ? null : failed / total;
  return (
    <Card>
      <Stack gap={6}>
        <Text size="sm" c="dimmed">
          {t('errorRate')}
        </Text>
        <div>
          <Text
            fz="xl"
            fw={600}
            lh={1.3}
            {...(rate !== null && rate >= MANY
              ? { c: 'var(--mantine-color-red-light-color)' }
              : {})}
          >
            {rate === null ? '–' : percent(rate)}
          </Text>
          <Text size="xs" c="dimmed">
            {total === 0
              ? t('noRequests')
              : t('ofRequests', { count: total, total: count(total), failed: count(failed) })}
          </Text>
        </div>
      </Stack>
    </Card>
  );
}
