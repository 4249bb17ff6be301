/**
 * The bars of a chart. The module loads on demand, since the chart library is larger than the rest
 * of a page.
 */
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './bars-chart.module.css';
import type { Stack as Bars } from './stack.ts';

/** Group colors that color-blind people can distinguish. The last color is for "Other". */
const COLORS = [
  'var(--chart-1)',
  'var(--chart-2)',
  'var(--chart-3)',
  'var(--chart-4)',
  'var(--chart-5)',
  'var(--chart-6)',
  'var(--chart-7)',
] as const;
const OTHERS_COLOR = 'var(--chart-others)';

export type BarsShown = {
  readonly title: string;
  readonly stack: Bars;
  /** The names of the groups in the stack, including "Other". */
  readonly names: readonly string[];
  /** Formats a period for the axis, as short as possible. */
  readonly shortPeriod: (period: string) => string;
  readonly longPeriod: (period: string) => string;
  /** Converts an amount to the height of its bar. */
  readonly height: (amount: bigint) => number;
  /** Formats a height for the axis. */
  readonly axis: (height: number) => string;
  /** Formats an amount for the tooltip and the table. */
  readonly format: (amount: bigint) => ReactNode;
};

type BarsChartProps = BarsShown & { readonly heightPx: number };

export function BarsChart(props: BarsChartProps) {
  const { title, stack, names, shortPeriod, height, axis, heightPx } = props;
  const colorOf = (index: number): string =>
    index === stack.groups.length ? OTHERS_COLOR : (COLORS[index % COLORS.length] ?? OTHERS_COLOR);
  // Columns are identified by position, since model names can be any text.
  const series = names.map((label, index) => ({ name: `c${index}`, label, color: colorOf(index) }));
  const data = stack.rows.map(({ period, amounts }) => ({
    period,
    ...Object.fromEntries(amounts.map((amount, index) => [`c${index}`, height(amount ?? 0n)])),
  }));
  return (
    <figure className={classes['figure']} aria-label={title}>
      <BarChart
        h={heightPx}
        data={data}
        dataKey="period"
        type="stacked"
        series={series}
        withLegend
        legendProps={{ verticalAlign: 'bottom' }}
        maxBarWidth={36}
        valueFormatter={axis}
        yAxisProps={{ width: 64 }}
        xAxisProps={{ tickFormatter: shortPeriod, minTickGap: 24 }}
        barProps={{ isAnimationActive: false }}
        tooltipProps={{
          content: ({ label }) => <Hovered {...props} period={String(label)} colorOf={colorOf} />,
        }}
      />
    </figure>
  );
}

type HoveredProps = BarsShown & {
  readonly period: string;
  readonly colorOf: (index: number) => string;
};

/** The tooltip of a bar, with the exact amount of each group. */
function Hovered({ stack, names, period, longPeriod, format, colorOf }: HoveredProps) {
  const row = stack.rows.find((each) => each.period === period);
  if (row === undefined) return null;
  return (
    <Paper withBorder shadow="md" px="md" py="sm" fz="sm">
      <Text size="sm" fw={600} mb={4}>
        {longPeriod(period)}
      </Text>
      <Stack gap={2}>
        {names.map((name, index) => {
          const amount = row.amounts[index];
          return amount == null ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position.
            <Group key={index} justify="space-between" gap="lg" wrap="nowrap">
              <Group gap={6} wrap="nowrap">
                <span className={classes['dot']} style={{ backgroundColor: colorOf(index) }} />
                {name}
              </Group>
              {format(amount)}
            </Group>
          );
        })}
        {row.total === null ? null : (
          <Group justify="flex-end" fw={600}>
            {format(row.total)}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
