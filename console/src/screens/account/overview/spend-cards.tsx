/**
 * The spend of the last day, week and month compared with the period before, and the failure rate.
 */
import { Card, SimpleGrid, Stack, Text } from '@mantine/core';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import type { Overview } from '#screens/account/account-queries.ts';
import { overviewTexts } from './overview-texts.ts';
import { changeOf } from './trend.ts';

const SPANS = [
  { name: 'today', field: 'today', before: 'yesterday', days: 1 },
  { name: 'week', field: 'last_7_days', before: 'previous_7_days', days: 7 },
  { name: 'month', field: 'last_30_days', before: 'previous_30_days', days: 30 },
] as const;
type Span = (typeof SPANS)[number];

export function SpendCards({ overview }: { readonly overview: Overview }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      {SPANS.map((span) => (
        <SpendCard key={span.name} span={span} overview={overview} />
      ))}
      <ErrorRateCard overview={overview} />
    </SimpleGrid>
  );
}

type SpendCardProps = { readonly span: Span; readonly overview: Overview };

function SpendCard({ span, overview }: SpendCardProps) {
  const t = useTexts(overviewTexts);
  // The amounts have the same order as the wallets, which the page shows above.
  const spent = overview.wallets.flatMap(({ currency }) => {
    const spend = overview.spend.find((each) => each.currency === currency);
    return spend === undefined
      ? []
      : [{ currency, amount: spend[span.field], before: spend[span.before] }];
  });
  const shown = spent.length === 0 ? [{ currency: 'USD', amount: '0', before: '0' }] : spent;
  return (
    <Card>
      <Stack gap={6}>
        <Text size="sm" c="dimmed" title={t('utc')}>
          {t(span.name)}
        </Text>
        {shown.map(({ currency, amount, before }) => (
          <div key={currency}>
            <Money amount={amount} currency={currency} fz="xl" fw={600} lh={1.3} />
            <Change days={span.days} change={changeOf(amount, before)} />
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
