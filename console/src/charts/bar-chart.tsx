/** Stacked bars over time. */
import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { type Formats, useFormats } from '#i18n/formats.ts';
import { type Bars, barsOf, labeled, type Segment } from './bars.ts';
import classes from './charts.module.css';
import { Cursor, type Selected } from './cursor.tsx';
import { ColorName, type Series } from './legend.tsx';
import type { PeriodFormats } from './periods.ts';
import type { Stack } from './stack.ts';
import type { Unit } from './units.ts';
import { useWidth } from './use-width.ts';

const LABEL_PX = 52;

export type BarChartProps = {
  /** The chart's name for screen readers. */
  readonly label: string;
  readonly stack: Stack;
  /** The name and color of each group whose amounts are stacked, in the order of the stack. */
  readonly series: readonly Series[];
  readonly unit: Unit;
  readonly periods: PeriodFormats;
  /** `total`: the label of a bar's total. `noData`: the text for a bar without data. */
  readonly words: { readonly total: string; readonly noData: string };
  readonly heightPx: number;
  /**
   * Called with the period of a chosen bar, and with the index of the group if a part of the bar
   * was chosen.
   */
  readonly onChoose?: ((period: string, column: number | null) => void) | undefined;
};

export function BarChart(props: BarChartProps) {
  const { label, stack, series, unit, periods, heightPx: height, onChoose } = props;
  const { ref, width } = useWidth();
  const formats = useFormats();
  const { rows } = stack;
  const bars = useMemo(() => {
    const heights = rows.map(({ amounts }) => amounts.map((amount) => unit.height(amount ?? 0n)));
    return barsOf(heights, { width, height });
  }, [rows, unit, width, height]);
  const columnOf = ({ index, part }: Selected): number | null =>
    part === null ? null : (bars.segments[index]?.[part]?.group ?? null);
  return (
    <div className={classes['chart']}>
      <Axis bars={bars} unit={unit} />
      <div className={classes['plot']} ref={ref} style={{ height }}>
        <Drawing bars={bars} series={series} width={width} height={height} />
        <Cursor
          label={label}
          count={rows.length}
          partsOf={(index) => (series.length < 2 ? 0 : (bars.segments[index]?.length ?? 0))}
          partAt={(index, y) => (series.length < 2 ? null : partAt(bars.segments[index] ?? [], y))}
          textOf={(selected) => textOf(props, formats, selected.index, columnOf(selected))}
          tip={(selected) => <Tip {...props} {...selected} column={columnOf(selected)} />}
          onChoose={
            onChoose === undefined
              ? undefined
              : (selected) => {
                  const period = rows[selected.index]?.period;
                  if (period !== undefined) onChoose(period, columnOf(selected));
                }
          }
        />
      </div>
      <div className={classes['labels']} aria-hidden>
        {labeled(rows.length, width, LABEL_PX).map((index) => (
          <span key={index} style={{ left: `${(100 * (index + 0.5)) / rows.length}%` }}>
            {periods.short(rows[index]?.period ?? '')}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The labels of the axis, in a column that is as wide as the longest label. */
function Axis({ bars: { ticks, step }, unit }: { readonly bars: Bars; readonly unit: Unit }) {
  const marks = ticks.map(({ value, y }) => ({ y, text: unit.axis(value, step) }));
  const chars = marks.reduce((most, { text }) => Math.max(most, text.length), 0);
  return (
    <div className={classes['axis']} style={{ width: `${chars}ch` }} aria-hidden>
      {marks.map(({ y, text }) => (
        <span key={y} style={{ top: y }}>
          {text}
        </span>
      ))}
    </div>
  );
}

const partAt = (segments: readonly Segment[], y: number): number | null => {
  const part = segments.findIndex(({ top, bottom }) => y >= top && y <= bottom);
  return part === -1 ? null : part;
};

type DrawingProps = {
  readonly bars: Bars;
  readonly series: readonly Series[];
  readonly width: number;
  readonly height: number;
};

/** The drawing: one path for the grid lines, and one path for all parts of each group. */
function Drawing({ bars: { paths, ticks }, series, width, height }: DrawingProps) {
  return (
    <svg width={width} height={height} aria-hidden>
      <path
        className={classes['grid']}
        d={ticks.map(({ y }) => `M0 ${Math.min(height, y + 0.5)}h${width}`).join('')}
      />
      {paths.map((path, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position.
        <path key={column} d={path} fill={series[column]?.color} />
      ))}
    </svg>
  );
}

/** Returns the text that a screen reader announces, for a bar or for its selected part. */
function textOf(
  props: BarChartProps,
  { list, pair }: Pick<Formats, 'list' | 'pair'>,
  index: number,
  column: number | null,
): string {
  const { stack, series, unit, periods, words } = props;
  const row = stack.rows[index];
  if (row === undefined) return '';
  const when = periods.long(row.period);
  if (row.total === null) return pair(when, words.noData);
  const part = (at: number): string =>
    `${series[at]?.name ?? ''} ${unit.text(row.amounts[at] ?? 0n)}`;
  if (column !== null) return pair(when, part(column));
  const parts = row.amounts.flatMap((amount, at) => (amount === null ? [] : [part(at)]));
  const total = unit.text(row.total);
  return pair(when, series.length < 2 ? total : pair(`${words.total} ${total}`, list(parts)));
}

type TipProps = BarChartProps & { readonly index: number; readonly column: number | null };

/** The exact amounts of a bar: its total, then its parts from top to bottom. */
function Tip({ stack, series, unit, periods, words, index, column }: TipProps) {
  const row = stack.rows[index];
  if (row === undefined) return null;
  return (
    <>
      <Group justify="space-between" gap="lg" wrap="nowrap" fw={600}>
        <span>{periods.long(row.period)}</span>
        <span>{row.total === null ? words.noData : unit.text(row.total)}</span>
      </Group>
      {series.length < 2
        ? null
        : row.amounts
            .map((amount, at) => ({ amount, at, ...series[at] }))
            .toReversed()
            .map(({ amount, at, name, color }) =>
              amount === null ? null : (
                <Group
                  key={at}
                  justify="space-between"
                  gap="lg"
                  wrap="nowrap"
                  {...(at === column ? { fw: 600 } : {})}
                >
                  <ColorName name={name ?? ''} color={color ?? ''} />
                  <span>{unit.text(amount)}</span>
                </Group>
              ),
            )}
    </>
  );
}
