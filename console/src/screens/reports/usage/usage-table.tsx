/**
 * The table of the report: one line per group with its usage over the whole range, linked to its
 * requests.
 */
import { Card, Title } from '@mantine/core';
import { ColorName } from '#charts/legend.tsx';
import { TextLink } from '#components/button-link.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { reportTexts } from '#screens/reports/report-texts.ts';
import type { Groups } from './group-name.ts';
import type { UsageFilters, UsageReport } from './usage-query.ts';
import { type GroupTotal, requestsOf } from './usage-series.ts';
import { usageTexts } from './usage-texts.ts';

const COUNTS = ['requests', 'failed', 'input', 'cached', 'output', 'images'] as const;

export type UsageTableProps = {
  readonly report: UsageReport;
  readonly filters: UsageFilters;
  readonly totals: readonly GroupTotal[];
  readonly total: GroupTotal;
  readonly groups: Groups;
};

export function UsageTable({ report, filters, totals, total, groups }: UsageTableProps) {
  const t = useTexts(usageTexts);
  const words = useTexts(reportTexts);
  const { count } = useFormats();
  const { by, range } = report;
  const title = t(`${by}Breakdown`);
  const columns: readonly Column<GroupTotal>[] = [
    {
      name: 'group',
      heading: words(by),
      total: t('total'),
      value: ({ group }) => groups.seriesOf(group).name,
      cell: ({ group }) => (
        <TextLink
          inherit
          c="inherit"
          to="/requests"
          search={{ ...filters, ...range, ...requestsOf(by, group) }}
        >
          <ColorName {...groups.seriesOf(group)} />
        </TextLink>
      ),
    },
    ...COUNTS.map((name) => ({
      name,
      heading: words(name),
      end: true,
      value: (row: GroupTotal) => row[name],
      cell: (row: GroupTotal) => count(row[name]),
      total: count(total[name]),
      ...(name === 'images' ? { show: 'wide' as const } : {}),
    })),
    ...[...total.charge.keys()].map((currency, index) => {
      const value = ({ charge }: GroupTotal): string | null => {
        const amount = charge.get(currency);
        return amount === undefined ? null : formatExact(amount);
      };
      const cell = (row: GroupTotal) => {
        const amount = value(row);
        return amount === null ? '–' : <Money amount={amount} currency={currency} />;
      };
      return {
        name: currency,
        heading: t('spendIn', { currency }),
        end: true,
        ...{ value, cell, total: cell(total) },
        ...(index === 0 ? { phone: 'amount' as const } : {}),
      };
    }),
  ];
  return (
    <Card component="section">
      <DataTable
        label={title}
        summary={
          <Title order={2} size="h4">
            {title}
          </Title>
        }
        name={`usage-${by}`}
        columns={columns}
        rows={totals}
        keyOf={({ group }) => group}
        csv={{ file: ['usage', by, range.from, range.to] }}
      />
    </Card>
  );
}
