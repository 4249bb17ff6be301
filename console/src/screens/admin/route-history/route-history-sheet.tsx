/** The sheet with the history of a route, or of all routes of an upstream. */
import { Card, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { Chart } from '#charts/chart.tsx';
import { ALL_COLOR, FAILED_COLOR } from '#charts/palette.ts';
import { countUnit, durationUnit, moneyUnit } from '#charts/units.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Sheet } from '#components/dialog.tsx';
import { FactGrid } from '#components/facts.tsx';
import { dayRange, type RangeSearch } from '#components/range/range.ts';
import { RangePicker } from '#components/range/range-picker.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { routeHistoryTexts } from './route-history-texts.ts';
import {
  attemptStack,
  bucketOf,
  costStack,
  type Percentile,
  RESULTS,
  type RouteHistory,
  timeStack,
} from './route-points.ts';

export type HistoryOf = { readonly upstream: string; readonly model: string | null };

export type RouteHistorySheetProps = {
  /** The route or upstream; null while the sheet is closed. */
  readonly of: HistoryOf | null;
  readonly onClose: () => void;
};

export function RouteHistorySheet({ of, onClose }: RouteHistorySheetProps) {
  const t = useTexts(routeHistoryTexts);
  const route =
    of === null ? '' : [of.upstream, of.model].filter((name) => name !== null).join('/');
  return (
    <Sheet opened={of !== null} onClose={onClose} size="xl" title={t('titleOf', { route })}>
      {of === null ? null : <History of={of} />}
    </Sheet>
  );
}

const REFRESH_MS = 60_000;

const historyQuery = ({ upstream, model }: HistoryOf, days: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['admin', 'route-history', upstream, model, days],
    queryFn: ({ signal }) => {
      const query = { upstream, ...(model === null ? {} : { model }), ...days };
      return answerOf(api.GET('/admin/v1/routes/history', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });

function History({ of }: { readonly of: HistoryOf }) {
  const [range, choose] = useState<RangeSearch>({ range: '7d' });
  const [nowMs] = useState(() => Date.now());
  const { data, error, refetch } = useQuery(historyQuery(of, dayRange(range, nowMs)));
  return (
    <Stack>
      <RangePicker range={range} timeZone="UTC" nowMs={nowMs} onChange={choose} />
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton height={420} />
        ) : null
      ) : (
        <Figures history={data} nowMs={nowMs} />
      )}
    </Stack>
  );
}

type FiguresProps = { readonly history: RouteHistory; readonly nowMs: number };

function Figures({ history, nowMs }: FiguresProps) {
  const t = useTexts(routeHistoryTexts);
  const { count, percent, duration } = useFormats();
  const { total } = history;
  const times = (of: RouteHistory['total']['duration_ms']): string | null =>
    of === null ? null : t('both', { p50: duration(of.p50), p95: duration(of.p95) });
  const speed = total.tokens_per_second;
  const facts = [
    {
      name: t('successRate'),
      value: total.success_rate === null ? null : percent(total.success_rate),
    },
    { name: t('firstToken'), value: times(total.first_token_ms) },
    { name: t('duration'), value: times(total.duration_ms) },
    {
      name: t('speed'),
      value: speed === null ? null : t('tokensPerSecond', { count: count(Math.round(speed)) }),
    },
    ...total.cost.map(({ currency, amount }) => ({
      name: t('cost'),
      value: <Money amount={amount} currency={currency} />,
    })),
  ];
  if (history.points.length === 0) {
    return (
      <Text c="dimmed" py="xl" ta="center">
        {t('none')}
      </Text>
    );
  }
  return (
    <>
      <FactGrid facts={facts} cols={{ base: 2, sm: 4 }} />
      <Attempts history={history} nowMs={nowMs} />
      <Times history={history} nowMs={nowMs} />
      <Costs history={history} nowMs={nowMs} />
    </>
  );
}

const COLORS = [
  ALL_COLOR,
  'var(--chart-3)',
  FAILED_COLOR,
  'var(--chart-4)',
  'var(--chart-7)',
  'var(--chart-10)',
] as const;

const RESULT_NAMES: readonly string[] = RESULTS;

function Attempts({ history, nowMs }: FiguresProps) {
  const t = useTexts(routeHistoryTexts);
  const formats = useFormats();
  return (
    <Card>
      <Chart
        title={t('attempts')}
        hint={t('attemptsHint')}
        stack={attemptStack(history, nowMs)}
        bucket={bucketOf(history)}
        unit={countUnit(formats)}
        hasLegend
        seriesOf={(group) => {
          const slot = RESULT_NAMES.indexOf(group);
          return { name: t(RESULTS[slot] ?? 'broken'), color: COLORS[slot] ?? FAILED_COLOR };
        }}
        csv={['attempts', ...fileParts(history)]}
      />
    </Card>
  );
}

const fileParts = ({ upstream, model, from, to }: RouteHistory): readonly string[] => [
  ...[upstream, ...(model === null ? [] : [model])],
  ...[from, to],
];

function Times({ history, nowMs }: FiguresProps) {
  const t = useTexts(routeHistoryTexts);
  const formats = useFormats();
  const [percentile, choose] = useState<Percentile>('p50');
  const charts = [
    ['first_token_ms', 'firstToken'],
    ['duration_ms', 'duration'],
  ] as const;
  return charts
    .filter(([of]) => history.total[of] !== null)
    .map(([of, title], at) => (
      <Card key={of}>
        <Chart
          title={t(title)}
          stack={timeStack(history, of, percentile, nowMs)}
          bucket={bucketOf(history)}
          unit={durationUnit(formats)}
          seriesOf={() => ({ name: t(percentile), color: ALL_COLOR })}
          aside={
            at > 0 ? null : (
              <Group>
                <SegmentedControl
                  size="xs"
                  aria-label={t('percentile')}
                  value={percentile}
                  onChange={choose}
                  data={(['p50', 'p95'] as const).map((value) => ({ value, label: t(value) }))}
                />
              </Group>
            )
          }
          csv={[of, percentile, ...fileParts(history)]}
        />
      </Card>
    ));
}

function Costs({ history, nowMs }: FiguresProps) {
  const t = useTexts(routeHistoryTexts);
  const formats = useFormats();
  const { successes, costed, cost } = history.total;
  return cost.map(({ currency }) => (
    <Card key={currency}>
      <Chart
        title={t('costIn', { currency })}
        hint={
          successes > costed
            ? t('uncosted', { count: formats.count(successes - costed) })
            : undefined
        }
        stack={costStack(history, currency, nowMs)}
        bucket={bucketOf(history)}
        unit={moneyUnit(currency, formats)}
        seriesOf={() => ({ name: t('cost'), color: ALL_COLOR })}
        csv={['cost', currency, ...fileParts(history)]}
      />
    </Card>
  ));
}
