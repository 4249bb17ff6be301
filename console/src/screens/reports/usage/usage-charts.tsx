/**
 * The charts of the usage report. Each chart states the total of its metric. Clicking a bar opens
 * the request list for this bar.
 */
import { Card, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Fragment, type ReactNode, useMemo } from 'react';
import { useModels } from '#catalogue/models.ts';
import { Chart } from '#charts/chart.tsx';
import { Legend } from '#charts/legend.tsx';
import { ALL_COLOR } from '#charts/palette.ts';
import { bucketOf, firstDayOf, lastDayOf, periodsOf } from '#charts/periods.ts';
import { stackOf } from '#charts/stack.ts';
import { countUnit, moneyUnit } from '#charts/units.ts';
import { daysIn } from '#components/range/range.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, formatShort, type Pico, withCurrency } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { reportTexts } from '#screens/reports/report-texts.ts';
import { cacheSaving } from './cache-saving.ts';
import type { Groups } from './group-name.ts';
import { cachedUseQuery, type UsageFilters, type UsageReport } from './usage-query.ts';
import {
  ALL,
  type GroupTotal,
  METRICS,
  type Metric,
  piecesOf,
  requestsOf,
} from './usage-series.ts';
import { usageTexts } from './usage-texts.ts';

const route = getRouteApi('/app/usage');
const ONE_SLOT = new Map([[ALL, 0]]);

export type UsageChartsProps = {
  readonly report: UsageReport;
  readonly filters: UsageFilters;
  readonly total: GroupTotal;
  readonly groups: Groups;
};

export function UsageCharts(props: UsageChartsProps) {
  const { report, filters, groups } = props;
  const words = useTexts(reportTexts);
  const heads = useHeads(props);
  const formats = useFormats();
  const navigate = route.useNavigate();
  const { by, range, isSplit } = report;
  const days = useMemo(() => daysIn(range), [range]);
  const slots = isSplit ? groups.slots : ONE_SLOT;
  const stacks = useMemo(() => {
    if (slots === undefined) return undefined;
    const stack = (metric: Metric) =>
      stackOf(
        piecesOf(report.days, isSplit ? by : null, metric, bucketOf(days)),
        periodsOf(days),
        slots,
      );
    return { spend: stack('spend'), requests: stack('requests'), tokens: stack('tokens') };
  }, [report, by, isSplit, days, slots]);
  const units = useMemo(() => {
    const count = countUnit(formats);
    return { spend: moneyUnit('USD', formats), requests: count, tokens: count };
  }, [formats]);
  const open = (period: string, group: string | null): void =>
    void navigate({
      to: '/requests',
      search: {
        ...filters,
        ...{ from: firstDayOf(period), to: lastDayOf(period) },
        ...(group === null || !isSplit ? {} : requestsOf(by, group)),
      },
    });
  const seriesOf = isSplit
    ? groups.seriesOf
    : () => ({ name: words('requests'), color: ALL_COLOR });
  const shown = stacks?.spend.groups.map(seriesOf) ?? [];
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        {METRICS.map((metric) => (
          <Card key={metric} padding="md">
            <Chart
              title={words(metric)}
              {...heads[metric]}
              stack={stacks?.[metric]}
              seriesOf={seriesOf}
              unit={units[metric]}
              bucket={bucketOf(days)}
              hasLegend={false}
              csv={['usage', metric, range.from, range.to]}
              onChoose={open}
            />
          </Card>
        ))}
      </SimpleGrid>
      {shown.length > 1 ? <Legend series={shown} /> : null}
    </Stack>
  );
}

type Head = { readonly figure: ReactNode; readonly hint: ReactNode };

/** Returns the total of each metric, with notes about the total. */
function useHeads({ report, filters, total }: UsageChartsProps): Readonly<Record<Metric, Head>> {
  const t = useTexts(usageTexts);
  const { count, compact, percent } = useFormats();
  const models = useModels().data;
  const cached = useQuery(cachedUseQuery(filters, report.range)).data;
  const saved = useMemo(() => cacheSaving(cached ?? [], models ?? []), [cached, models]);
  const input = total.input + total.cached;
  return {
    spend: {
      figure: <Amounts amounts={total.charge} />,
      hint:
        saved.size === 0 ? (
          t('inUsd')
        ) : (
          <span title={`${t('savedHint')}. ${t('inUsd')}`}>
            {t('saved', { amount: amountsText(saved) })}
          </span>
        ),
    },
    requests: {
      figure: count(total.requests),
      hint:
        total.failed === 0
          ? t('noneFailed')
          : `${t('requestsHint', { count: count(total.failed) })} (${percent(total.failed / total.requests)})`,
    },
    tokens: {
      figure: <span title={count(input + total.output)}>{compact(input + total.output)}</span>,
      hint: t('tokensHint', {
        input: compact(input),
        cached: percent(input === 0 ? 0 : total.cached / input),
        output: compact(total.output),
      }),
    },
  };
}

type Amounts = ReadonlyMap<string, Pico>;

function Amounts({ amounts }: { readonly amounts: Amounts }) {
  return [...amounts].map(([currency, amount], index) => (
    <Fragment key={currency}>
      {index === 0 ? '' : ' + '}
      <Money amount={formatExact(amount)} currency={currency} />
    </Fragment>
  ));
}

const amountsText = (amounts: Amounts): string =>
  [...amounts].map(([currency, sum]) => withCurrency(formatShort(sum), currency)).join(' + ');
