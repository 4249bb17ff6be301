/**
 * The table of the usage report. Each line shows the usage of one group over the whole range, and
 * links to the group's requests.
 */
import { Card, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ColorName } from '#charts/legend.tsx';
import { TextLink } from '#components/button-link.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { reportTexts } from '#screens/reports/report-texts.ts';
import type { Groups } from './group-name.ts';
import { groupName, SAMPLED, type Speed, sampleQuery, speedsOf } from './speed.ts';
import type { UsageFilters, UsageReport } from './usage-query.ts';
import type { Grouping } from './usage-search.ts';
import { type GroupTotal, requestsOf } from './usage-series.ts';
import { usageTexts } from './usage-texts.ts';

/** The columns that a narrow window hides if the table has a second dimension. */
const RARE: ReadonlySet<string> = new Set(['failed', 'input']);
/**
 * The columns that a narrow window always hides. The number of cached tokens is still visible in
 * the tokens chart.
 */
const WIDE: ReadonlySet<string> = new Set(['images', 'cached']);
const NO_WRAP = { whiteSpace: 'nowrap' } as const;
const COUNTS = ['requests', 'failed', 'input', 'cached', 'output', 'images'] as const;

export type UsageTableProps = {
  readonly report: UsageReport;
  readonly filters: UsageFilters;
  readonly totals: readonly GroupTotal[];
  readonly total: GroupTotal;
  readonly groups: Groups;
  /** The second dimension and the names of its groups; null without one. */
  readonly and: { readonly by: Grouping; readonly groups: Groups } | null;
};

export function UsageTable({ report, filters, totals, total, groups, and }: UsageTableProps) {
  const t = useTexts(usageTexts);
  const words = useTexts(reportTexts);
  const { count } = useFormats();
  const { by, range } = report;
  const title =
    and === null ? t(`${by}Breakdown`) : t('breakdown', { by: words(by), and: words(and.by) });
  const columns: readonly Column<GroupTotal>[] = [
    {
      name: 'group',
      heading: words(by),
      total: t('total'),
      value: ({ group }) => groups.seriesOf(group).name,
      cell: ({ group, second }) => (
        <TextLink
          inherit
          c="inherit"
          to="/requests"
          search={{
            ...filters,
            ...range,
            ...requestsOf(by, group),
            ...(and === null ? {} : requestsOf(and.by, second)),
          }}
        >
          <span style={NO_WRAP}>
            <ColorName {...groups.seriesOf(group)} />
          </span>
        </TextLink>
      ),
    },
    ...(and === null
      ? []
      : [
          {
            name: 'second',
            heading: words(and.by),
            phone: 'state' as const,
            value: ({ second }: GroupTotal) => and.groups.seriesOf(second).name,
            cell: ({ second }: GroupTotal) => (
              <span style={NO_WRAP}>{and.groups.seriesOf(second).name}</span>
            ),
          },
        ]),
    ...COUNTS.map((name) => ({
      name,
      heading: words(name),
      end: true,
      value: (row: GroupTotal) => row[name],
      cell: (row: GroupTotal) => count(row[name]),
      total: count(total[name]),
      ...(WIDE.has(name) || (and !== null && RARE.has(name)) ? { show: 'wide' as const } : {}),
    })),
    ...useSpeedColumns(filters, report, and?.by),
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
        name={and === null ? `usage-${by}` : `usage-${by}-${and.by}`}
        columns={columns}
        rows={totals}
        keyOf={({ group, second }) => groupName([group, second])}
        download={{
          file: ['usage', by, ...(and === null ? [] : [and.by]), range.from, range.to],
        }}
      />
    </Card>
  );
}

/**
 * Returns the columns with the median time to first token and the median speed, which come from a
 * sample of the requests.
 */
function useSpeedColumns(
  filters: UsageFilters,
  { by, range }: UsageReport,
  and: Grouping | undefined,
): readonly Column<GroupTotal>[] {
  const t = useTexts(usageTexts);
  const { count, duration } = useFormats();
  const { data } = useQuery(sampleQuery(filters, range));
  const speeds = useMemo(
    () => speedsOf(data ?? [], and === undefined ? [by] : [by, and]),
    [data, by, and],
  );
  const hint = t('sampled', { count: count(SAMPLED) });
  const column = (
    name: 'firstToken' | 'speed',
    of: (speed: Speed) => number | null,
    text: (value: number) => string,
  ): Column<GroupTotal> => {
    const value = ({ group, second }: GroupTotal) =>
      of(speeds.of(and === undefined ? [group] : [group, second]));
    const shown = (figure: number | null) => (figure === null ? '–' : text(figure));
    return {
      ...{ name, heading: t(name), hint, end: true, value },
      cell: (row) => shown(value(row)),
      total: shown(of(speeds.all)),
    };
  };
  return [
    column('firstToken', ({ firstTokenMs }) => firstTokenMs, duration),
    column(
      'speed',
      ({ perSecond }) => perSecond,
      (value) => count(Math.round(value)),
    ),
  ];
}
