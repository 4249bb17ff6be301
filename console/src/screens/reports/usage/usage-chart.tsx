/** A figure day by day, stacked by group; the same as a table for who wants the numbers. */
import { BarChart } from '@mantine/charts';
import { Card, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type Formats, useFormats } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { formatExact, formatShort, withCurrency } from '../../../money/amount.ts';
import { ChartTable } from './chart-table.tsx';
import { heightOf, type Metric, OTHER, type Point, type Series, totalOf } from './usage-series.ts';
import { usageTexts } from './usage-texts.ts';

/** Neighbours differ in hue and in lightness, in both themes. */
const COLORS = ['brand.6', 'teal.5', 'orange.5', 'grape.5', 'cyan.7', 'pink.4', 'lime.6'] as const;
const OTHER_COLOR = 'gray.5';
const HEIGHT_PX = 260;
const VIEWS = ['chart', 'table'] as const;

export type UsageChartProps = {
  readonly metric: Metric;
  readonly series: Series;
  readonly nameOf: (group: string) => string;
};

export function UsageChart(props: UsageChartProps) {
  const t = useTexts(usageTexts);
  const [view, setView] = useState<string>('chart');
  const { metric } = props;
  const title = t(`${metric}Chart`);
  return (
    <Card>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          <Stack gap={0}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {metric === 'spend' ? (
              <Text size="sm" c="dimmed">
                {t('spendHint')}
              </Text>
            ) : null}
          </Stack>
          <SegmentedControl
            size="xs"
            aria-label={t('view', { name: title })}
            value={view}
            onChange={setView}
            data={VIEWS.map((value) => ({ value, label: t(value) }))}
          />
        </Group>
        {view === 'chart' ? <Bars {...props} /> : <ChartTable title={title} {...props} />}
      </Stack>
    </Card>
  );
}

function Bars({ metric, series: { groups, points }, nameOf }: UsageChartProps) {
  const formats = useFormats();
  const tick = (value: number): string =>
    metric === 'spend' ? withCurrency(dollars(value, formats), 'USD') : formats.compact(value);
  // A name may hold a dot, which the library reads as a path.
  const data = points.map(({ day, values }) => ({
    day,
    ...Object.fromEntries(
      groups.flatMap((group, at) => {
        const value = values.get(group);
        return value === undefined ? [] : [[`g${at}`, heightOf(value, metric)]];
      }),
    ),
  }));
  return (
    <BarChart
      h={HEIGHT_PX}
      data={data}
      dataKey="day"
      type="stacked"
      withLegend
      legendProps={{ verticalAlign: 'bottom' }}
      maxBarWidth={48}
      series={groups.map((group, at) => ({
        name: `g${at}`,
        label: nameOf(group),
        color: group === OTHER ? OTHER_COLOR : (COLORS[at % COLORS.length] ?? OTHER_COLOR),
      }))}
      valueFormatter={tick}
      xAxisProps={{ tickFormatter: (day: string) => day.slice(5), minTickGap: 16 }}
      tooltipProps={{
        content: ({ label }) => (
          <PointTooltip
            point={points.find(({ day }) => day === label)}
            metric={metric}
            nameOf={nameOf}
          />
        ),
      }}
    />
  );
}

/** Below one, as many digits as tell two marks of an axis apart. */
const dollars = (value: number, { compact }: Formats): string =>
  value === 0 || value >= 1 ? compact(value) : String(Number(value.toPrecision(2)));

type PointTooltipProps = {
  readonly point: Point | undefined;
  readonly metric: Metric;
  readonly nameOf: (group: string) => string;
};

function PointTooltip({ point, metric, nameOf }: PointTooltipProps) {
  const t = useTexts(usageTexts);
  const shown = useShown(metric);
  if (point === undefined) return null;
  const total = totalOf(point);
  return (
    <Paper withBorder shadow="md" p="sm" fz="sm">
      <Text size="sm" fw={600}>
        {point.day} UTC
      </Text>
      {total === null ? (
        <Text size="sm" c="dimmed">
          {t('noData')}
        </Text>
      ) : (
        <>
          {[...point.values].map(([group, value]) => (
            <Group key={group} justify="space-between" gap="lg">
              <span>{nameOf(group)}</span>
              <span>{shown(value)}</span>
            </Group>
          ))}
          <Group justify="space-between" gap="lg" fw={600}>
            <span>{t('total')}</span>
            <span>{shown(total)}</span>
          </Group>
        </>
      )}
    </Paper>
  );
}

/** A value as people read it. */
export function useShown(metric: Metric): (value: bigint) => string {
  const { count } = useFormats();
  return (value) =>
    metric === 'spend' ? withCurrency(formatShort(value), 'USD') : count(Number(value));
}

/** A value with every digit, for a file. */
export const exactly = (value: bigint, metric: Metric): string =>
  metric === 'spend' ? formatExact(value) : value.toString();
