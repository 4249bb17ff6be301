/** Stacked bars, and a table with the exact amounts. */
import { Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { CsvCell } from '#components/tables/csv.ts';
import { DataTable } from '#components/tables/data-table.tsx';
import { DownloadCsv } from '#components/tables/download-csv.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import type { BarsShown } from './bars-chart.tsx';
import type { Stack as Bars, StackRow } from './stack.ts';

const BarsChart = lazy(async () => {
  const { BarsChart: Chart } = await import('./bars-chart.tsx');
  return { default: Chart };
});

const texts = defineTexts('stacked-bars', {
  en: {
    chart: 'Chart',
    table: 'Table',
    view: 'View',
    others: 'Other',
    total: 'Total',
    noData: 'No data',
  },
  zh: {
    chart: '图表',
    table: '表格',
    view: '视图',
    others: '其他',
    total: '合计',
    noData: '无数据',
  },
});

/** The height in pixels, also reserved while the chart loads. */
const HEIGHT = 280;
const COLUMN_WIDTH = 120;

export type StackedBarsProps = Omit<BarsShown, 'stack' | 'names'> & {
  /** The data of the chart; undefined while loading. */
  readonly stack: Bars | undefined;
  /** The heading of the period column, such as Day (UTC). */
  readonly periodName: string;
  /** Returns the name of a group. By default, a group is its own name. */
  readonly nameOf?: (group: string) => string;
  /** An explanation below the title. */
  readonly hint?: string;
  /** The name and the cell format of the CSV file; left out when no file is offered. */
  readonly csv?: { readonly name: string; readonly cell: (amount: bigint) => string };
  /** Links or notes beside the title. */
  readonly aside?: ReactNode;
  /** The content shown when no period has data. */
  readonly empty?: ReactNode;
};

export function StackedBars(props: StackedBarsProps) {
  const t = useTexts(texts);
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { title, stack, nameOf = asItIs, hint, aside, empty } = props;
  const groups = stack?.groups.map(nameOf) ?? [];
  const names = stack?.hasOthers === true ? [...groups, t('others')] : groups;
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={0}>
          <Title order={2} size="h4">
            {title}
          </Title>
          {hint === undefined ? null : (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </Stack>
        <Group gap="sm">
          {aside}
          <SegmentedControl
            size="xs"
            aria-label={`${t('view')}: ${title}`}
            value={view}
            onChange={(value) => setView(value === 'table' ? 'table' : 'chart')}
            data={[
              { value: 'chart', label: t('chart') },
              { value: 'table', label: t('table') },
            ]}
          />
        </Group>
      </Group>
      {stack === undefined ? (
        <Skeleton height={HEIGHT} />
      ) : stack.sum.total === null && empty !== undefined ? (
        empty
      ) : view === 'chart' ? (
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <BarsChart {...props} stack={stack} names={names} heightPx={HEIGHT} />
        </Suspense>
      ) : (
        <>
          <BarsTable {...props} stack={stack} names={names} />
          <BarsCsv {...props} stack={stack} names={names} />
        </>
      )}
    </Stack>
  );
}

const asItIs = (group: string): string => group;

type BarsTableProps = Pick<BarsShown, 'title' | 'stack' | 'names' | 'longPeriod' | 'format'> &
  Pick<StackedBarsProps, 'periodName'>;

function BarsTable(props: BarsTableProps) {
  const { title, stack, names, periodName, longPeriod, format } = props;
  const t = useTexts(texts);
  const cell = (amount: bigint | null | undefined): ReactNode =>
    amount == null ? (
      <Text span inherit c="dimmed">
        {t('noData')}
      </Text>
    ) : (
      format(amount)
    );
  const columns = [
    {
      name: 'period',
      heading: periodName,
      total: t('total'),
      cell: ({ period }: StackRow) => (
        <Text span inherit style={{ whiteSpace: 'nowrap' }}>
          {longPeriod(period)}
        </Text>
      ),
    },
    ...names.map((name, index) => ({
      name: `group-${index}`,
      heading: name,
      end: true,
      cell: ({ amounts }: StackRow) => cell(amounts[index]),
      total: cell(stack.sum.amounts[index]),
    })),
    {
      name: 'total',
      heading: t('total'),
      end: true,
      cell: ({ total }: StackRow) => cell(total),
      total: cell(stack.sum.total),
    },
  ];
  return (
    <DataTable
      label={title}
      columns={columns}
      rows={stack.rows.toReversed()}
      keyOf={({ period }) => period}
      minWidth={columns.length * COLUMN_WIDTH}
    />
  );
}

function BarsCsv({
  stack,
  names,
  periodName,
  csv,
}: BarsTableProps & Pick<StackedBarsProps, 'csv'>) {
  const t = useTexts(texts);
  if (csv === undefined) return null;
  const cells = ({ amounts, total }: Pick<StackRow, 'amounts' | 'total'>): readonly CsvCell[] =>
    [...amounts, total].map((amount) => (amount === null ? null : csv.cell(amount)));
  const rows = (): readonly (readonly CsvCell[])[] => [
    [periodName, ...names, t('total')],
    ...stack.rows.map((row) => [row.period, ...cells(row)]),
    [t('total'), ...cells(stack.sum)],
  ];
  return (
    <Group justify="flex-end">
      <DownloadCsv name={csv.name} rows={rows} />
    </Group>
  );
}
