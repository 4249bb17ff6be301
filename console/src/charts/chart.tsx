/**
 * A chart with a title and its most important number, and a table with the same amounts in exact
 * form.
 */
import { ActionIcon, Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { dateLocaleOf } from '#i18n/region.ts';
import { defineTexts, useLanguage, useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import { BarChart } from './bar-chart.tsx';
import { Legend, type Series } from './legend.tsx';
import { type Bucket, type PeriodFormats, periodFormats } from './periods.ts';
import type { Stack as Bars, StackRow } from './stack.ts';
import type { Unit } from './units.ts';

const texts = defineTexts('charts', {
  en: {
    chart: 'Show as chart',
    table: 'Show as table',
    others: 'Other',
    total: 'Total',
    noData: 'No data',
    hour: 'Time',
    day: 'Day',
    month: 'Month',
    zone: 'Time zone: {{zone}}',
  },
  zh: {
    chart: '以图表显示',
    table: '以表格显示',
    others: '其他',
    total: '合计',
    noData: '无数据',
    hour: '时间',
    day: '日期',
    month: '月份',
    zone: '时区：{{zone}}',
  },
});

const HEIGHT = 184;
/** The height of the labels below the bars. */
const LABELS_PX = 26;
const COLUMN_WIDTH = 112;

export type ChartProps = {
  readonly title: string;
  /** The chart's most important number, shown below the title, and a note about this number. */
  readonly figure?: ReactNode;
  readonly hint?: ReactNode;
  /** The amounts to draw; undefined while loading. */
  readonly stack: Bars | undefined;
  /** The name and color of a group. */
  readonly seriesOf: (group: string) => Series;
  readonly unit: Unit;
  readonly bucket: Bucket;
  /** The time zone of the labels. Default: UTC, in which the reports count days. */
  readonly timeZone?: string;
  /** The parts of the CSV file's name; without them, no file is offered. */
  readonly csv?: readonly string[];
  /** Links or notes beside the title. */
  readonly aside?: ReactNode;
  /** The content shown when no period has data. */
  readonly empty?: ReactNode;
  /**
   * Whether a legend of the groups is below the chart. By default, only if there are several
   * groups.
   */
  readonly hasLegend?: boolean;
  readonly heightPx?: number;
  /** Called with the period of a chosen bar, and with the group if a part of the bar was chosen. */
  readonly onChoose?: (period: string, group: string | null) => void;
};

export function Chart(props: ChartProps) {
  const { title, figure, hint, stack, aside, empty, heightPx = HEIGHT, timeZone = 'UTC' } = props;
  const isOwnZone = useTimeZone() === timeZone;
  const t = useTexts(texts);
  const { pair } = useFormats();
  const [isTable, setTable] = useState(false);
  const isEmpty = stack?.sum.total === null && empty !== undefined;
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm" wrap="nowrap">
        <Stack gap={0}>
          <Title order={2} size="h5">
            {title}
          </Title>
          {figure === undefined ? null : (
            <Text fz={22} fw={600} lh={1.4}>
              {figure}
            </Text>
          )}
          {hint === undefined ? null : <Text variant="caption">{hint}</Text>}
        </Stack>
        <Group gap="xs" wrap="nowrap" style={{ whiteSpace: 'nowrap' }}>
          {isOwnZone ? null : (
            <Text variant="caption" title={t('zone', { zone: timeZone })}>
              {timeZone}
            </Text>
          )}
          {aside}
          {isEmpty ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={pair(t(isTable ? 'chart' : 'table'), title)}
              onClick={() => setTable(!isTable)}
            >
              {isTable ? <IconChartBar size={18} /> : <IconTable size={18} />}
            </ActionIcon>
          )}
        </Group>
      </Group>
      {stack === undefined ? (
        <Skeleton height={heightPx + LABELS_PX} />
      ) : isEmpty ? (
        empty
      ) : (
        <Figures {...props} stack={stack} isTable={isTable} />
      )}
    </Stack>
  );
}

type FiguresProps = ChartProps & { readonly stack: Bars; readonly isTable: boolean };

function Figures(props: FiguresProps) {
  const { title, stack, seriesOf, unit, bucket, timeZone, onChoose, isTable } = props;
  const t = useTexts(texts);
  const [language] = useLanguage();
  const periods = useMemo(
    () => periodFormats(dateLocaleOf(language), bucket, timeZone),
    [language, bucket, timeZone],
  );
  const others = { name: t('others'), color: 'var(--chart-other)' };
  const groups = stack.groups.map(seriesOf);
  const series = stack.hasOthers ? [...groups, others] : groups;
  if (isTable) {
    return <ChartTable {...props} series={series} periods={periods} />;
  }
  const { hasLegend = series.length > 1, heightPx = HEIGHT } = props;
  return (
    <figure style={{ margin: 0 }} aria-label={title}>
      <BarChart
        label={title}
        {...{ stack, series, unit, periods, heightPx }}
        words={{ total: t('total'), noData: t('noData') }}
        onChoose={
          onChoose === undefined
            ? undefined
            : (period, column) =>
                onChoose(period, column === null ? null : (stack.groups[column] ?? null))
        }
      />
      {hasLegend ? <Legend series={series} /> : null}
    </figure>
  );
}

type ChartTableProps = FiguresProps & {
  readonly series: readonly Series[];
  readonly periods: PeriodFormats;
};

function ChartTable(props: ChartTableProps) {
  const { title, stack, series, unit, bucket, timeZone = 'UTC', periods, csv, onChoose } = props;
  const t = useTexts(texts);
  const cell = (amount: bigint | null | undefined): ReactNode =>
    amount == null ? (
      <Text span inherit c="dimmed">
        {t('noData')}
      </Text>
    ) : (
      unit.text(amount)
    );
  const amounts = (
    name: string,
    heading: string,
    amountOf: (row: Omit<StackRow, 'period'>) => bigint | null | undefined,
  ): Column<StackRow> => ({
    ...{ name, heading, end: true },
    value: (row) => {
      const amount = amountOf(row);
      return amount == null ? null : unit.csv(amount);
    },
    cell: (row) => cell(amountOf(row)),
    total: cell(amountOf(stack.sum)),
  });
  const columns: readonly Column<StackRow>[] = [
    {
      name: 'period',
      heading: `${t(bucket)} (${timeZone})`,
      total: t('total'),
      value: ({ period }) => period,
      cell: ({ period }) =>
        onChoose === undefined ? (
          periods.long(period)
        ) : (
          <Anchor component="button" inherit c="inherit" onClick={() => onChoose(period, null)}>
            {periods.long(period)}
          </Anchor>
        ),
    },
    ...(series.length > 1 ? series : []).map(({ name }, index) =>
      amounts(`group-${index}`, name, (row) => row.amounts[index]),
    ),
    { ...amounts('total', t('total'), ({ total }) => total), phone: 'amount' },
  ];
  return (
    <DataTable
      label={title}
      columns={columns}
      rows={stack.rows.toReversed()}
      keyOf={({ period }) => period}
      minWidth={columns.length * COLUMN_WIDTH}
      download={csv === undefined ? undefined : { file: csv }}
    />
  );
}
