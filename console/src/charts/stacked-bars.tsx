/** Stacked bars with a table twin: the same figures, exactly, for who reads rather than looks. */
import { Group, SegmentedControl, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { DataTable } from '../components/tables/data-table.tsx';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import type { Stack as Bars, StackRow } from './stack.ts';

const BarsDrawn = lazy(async () => {
  const { BarsDrawn: Drawn } = await import('./bars-drawn.tsx');
  return { default: Drawn };
});

const texts = defineTexts('stacked-bars', {
  en: {
    chart: 'Chart',
    table: 'Table',
    view: 'Show as',
    others: 'Others',
    total: 'Total',
    noData: 'no data',
  },
  zh: {
    chart: '图表',
    table: '表格',
    view: '显示方式',
    others: '其他',
    total: '合计',
    noData: '无数据',
  },
});

/** Pixels; the place is kept while the chart loads. */
const HEIGHT = 280;
const COLUMN_WIDTH = 120;

export type StackedBarsProps = {
  readonly title: string;
  /** Undefined while it loads. */
  readonly stack: Bars | undefined;
  /** What the periods are called, such as Day (UTC). */
  readonly periodName: string;
  /** Of the axis: as short as it goes. */
  readonly shortPeriod: (period: string) => string;
  readonly longPeriod: (period: string) => string;
  /** The height of a bar. */
  readonly height: (amount: bigint) => number;
  /** For the axis, from a height. */
  readonly axis: (height: number) => string;
  /** For the tooltip and the table. */
  readonly format: (amount: bigint) => ReactNode;
  /** Links or notes beside the title. */
  readonly aside?: ReactNode;
  /** Shown when there is nothing in any period. */
  readonly empty?: ReactNode;
};

export function StackedBars(props: StackedBarsProps) {
  const t = useTexts(texts);
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { title, stack, aside, empty } = props;
  const names = stack === undefined ? [] : namesOf(stack, t('others'));
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
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
          <BarsDrawn {...props} stack={stack} names={names} heightPx={HEIGHT} />
        </Suspense>
      ) : (
        <BarsTable {...props} stack={stack} names={names} />
      )}
    </Stack>
  );
}

export type BarsShown = StackedBarsProps & {
  readonly stack: Bars;
  /** Of the columns, what is put together included. */
  readonly names: readonly string[];
};

const namesOf = ({ groups, hasOthers }: Bars, others: string): readonly string[] =>
  hasOthers ? [...groups, others] : groups;

function BarsTable({ title, stack, names, periodName, longPeriod, format }: BarsShown) {
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
      cell: ({ period }: StackRow) => (
        <Text span inherit style={{ whiteSpace: 'nowrap' }}>
          {longPeriod(period)}
        </Text>
      ),
    },
    ...names.map((name, index) => ({
      name: `group-${name}`,
      heading: name,
      end: true,
      cell: ({ amounts }: StackRow) => cell(amounts[index]),
    })),
    {
      name: 'total',
      heading: t('total'),
      end: true,
      cell: ({ total }: StackRow) => cell(total),
    },
  ];
  return (
    <DataTable
      label={title}
      columns={columns}
      rows={stack.rows.toReversed()}
      keyOf={({ period }) => period}
      minWidth={columns.length * COLUMN_WIDTH}
      foot={
        <Table.Tr>
          <Table.Th scope="row">{t('total')}</Table.Th>
          {names.map((name, index) => (
            <Table.Td key={name} ta="end">
              {cell(stack.sum.amounts[index])}
            </Table.Td>
          ))}
          <Table.Td ta="end">{cell(stack.sum.total)}</Table.Td>
        </Table.Tr>
      }
    />
  );
}
