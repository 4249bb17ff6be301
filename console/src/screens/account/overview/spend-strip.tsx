/**
 * The spend of the last day, week and month compared with the period before, and the failure rate.
 */
import { Card, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UsageRow } from '#api/usage.ts';
import { Sparkline } from '#charts/sparkline.tsx';
import { daysUntil } from '#charts/stack.ts';
import { TextLink } from '#components/button-link.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, formatShort, roughly, withCurrency } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import type { Overview } from '#screens/account/account-queries.ts';
import { usageByModelQuery } from '#screens/account/usage-queries.ts';
import classes from './overview.module.css';
import { overviewTexts } from './overview-texts.ts';
import { changeOf, failureRates, spendByDay } from './trend.ts';

const DAYS = 30;
const SPANS = [
  { name: 'today', field: 'today', before: 'yesterday', days: 1 },
  { name: 'week', field: 'last_7_days', before: 'previous_7_days', days: 7 },
  { name: 'month', field: 'last_30_days', before: 'previous_30_days', days: DAYS },
] as const;
type Span = (typeof SPANS)[number];

export function SpendStrip({ overview }: { readonly overview: Overview }) {
  const days = daysUntil(Date.now(), DAYS);
  const { data: rows } = useQuery(usageByModelQuery(days));
  return (
    <Card className={classes['strip'] ?? ''}>
      {SPANS.map((span) => (
        <Spend key={span.name} span={span} overview={overview} rows={rows} days={days} />
      ))}
      <FailureRate overview={overview} rows={rows} days={days} />
    </Card>
  );
}

/** The font size of the figures. On a phone they are smaller, so that 8 digits fit half of it. */
const FIGURE_SIZE = 'min(var(--mantine-font-size-xl), 4.4vw)';
const NOTHING = { currency: 'USD', amount: '0', before: '0' } as const;

type FigureProps = {
  readonly label: string;
  readonly figure: ReactNode;
  readonly children: ReactNode;
};

const Figure = ({ label, figure, children }: FigureProps) => (
  <div className={classes['figure']}>
    <Text variant="note">{label}</Text>
    {figure}
    {children}
  </div>
);

type TrendProps = {
  readonly overview: Overview;
  /** The daily usage; undefined while loading. */
  readonly rows: readonly UsageRow[] | undefined;
  readonly days: readonly string[];
};

function Spend({ span, overview, rows, days }: TrendProps & { readonly span: Span }) {
  const t = useTexts(overviewTexts);
  const { runway_currency: main } = overview;
  const spent = overview.spend
    .toSorted((a, b) => Number(b.currency === main) - Number(a.currency === main))
    .map((spend) => ({
      currency: spend.currency,
      amount: spend[span.field],
      before: spend[span.before],
    }));
  const [{ before, ...first } = NOTHING, ...others] = spent;
  const own = (rows ?? []).filter(({ currency }) => currency === first.currency);
  return (
    <Figure
      label={t(span.name)}
      figure={
        <div className={classes['amounts']} title={t('utc')}>
          <Money {...first} fz={FIGURE_SIZE} fw={600} />
          {others.map(({ currency, amount }) => (
            <Money key={currency} {...{ currency, amount }} c="dimmed" fz="sm" />
          ))}
        </div>
      }
    >
      <Change days={span.days} change={changeOf(first.amount, before)} />
      {span.days === 1 ? null : (
        <SpendLine currency={first.currency} amounts={spendByDay(own, days.slice(-span.days))} />
      )}
    </Figure>
  );
}

type SpendLineProps = { readonly currency: string; readonly amounts: readonly bigint[] };

function SpendLine({ currency, amounts }: SpendLineProps) {
  const t = useTexts(overviewTexts);
  const sorted = amounts.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  const shown = (amount = 0n): string => withCurrency(formatShort(amount), currency);
  return (
    <Sparkline
      values={amounts.map((amount) => roughly(formatExact(amount)))}
      text={t('perDay', { low: shown(sorted[0]), high: shown(sorted.at(-1)) })}
    />
  );
}

/**
 * A relative change of at least this value is highlighted: 1 means that the spend has doubled. A
 * month's change is never highlighted, since the monthly spend of a new account often doubles.
 */
const DOUBLED = 1;

function Change({ change, days }: { readonly change: number | null; readonly days: number }) {
  const t = useTexts(overviewTexts);
  const { percent } = useFormats();
  if (change === null) return <Caption>{t('noChange')}</Caption>;
  const signed = `${change < 0 ? '−' : '+'}${percent(Math.abs(change))}`;
  return (
    <Caption isBad={change >= DOUBLED && days < DAYS}>
      {days === 1
        ? t('changeDay', { change: signed })
        : t('change', { change: signed, count: days })}
    </Caption>
  );
}

type CaptionProps = { readonly isBad?: boolean; readonly children: ReactNode };

const Caption = ({ isBad = false, children }: CaptionProps) => (
  <Text size="xs" c={isBad ? 'var(--mantine-color-yellow-light-color)' : 'dimmed'}>
    {children}
  </Text>
);

/** A failure rate of at least this value is highlighted. */
const MANY = 0.05;
const WEEK_DAYS = 7;

function FailureRate({ overview, rows, days }: TrendProps) {
  const t = useTexts(overviewTexts);
  const { percent, count } = useFormats();
  const { requests_last_7_days: total, failed_last_7_days: failed } = overview;
  const rate = total === 0 ? null : failed / total;
  const isBad = rate !== null && rate >= MANY;
  const rates = rows === undefined ? [] : failureRates(rows, days.slice(-WEEK_DAYS));
  return (
    <Figure
      label={t('errorRate')}
      figure={
        <Text
          fz={FIGURE_SIZE}
          fw={600}
          c={isBad ? 'var(--mantine-color-red-light-color)' : 'var(--mantine-color-text)'}
        >
          {rate === null ? '–' : percent(rate)}
        </Text>
      }
    >
      <Text variant="caption">
        {total === 0 ? (
          t('noRequests')
        ) : (
          <TextLink to="/requests" search={{ status: 'failed' }} inherit c="inherit">
            {t('ofRequests', { count: total, total: count(total), failed: count(failed) })}
          </TextLink>
        )}
      </Text>
      {total === 0 ? null : (
        <Sparkline
          values={rates}
          text={t('ratesPerDay', {
            low: percent(Math.min(...rates, 1)),
            high: percent(Math.max(...rates, 0)),
          })}
        />
      )}
    </Figure>
  );
}
