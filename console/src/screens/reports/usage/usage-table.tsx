/**
 * The table of the report: one line per group with its usage over the whole range, linked to its
 * requests.
 */
import { TextLink } from '#components/button-link.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { type CsvCell, csvName } from '#components/tables/csv.ts';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { DownloadCsv } from '#components/tables/download-csv.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import type { DayRange } from '#screens/reports/range.ts';
import { reportTexts } from '#screens/reports/report-texts.ts';
import { type Grouping, type UsageSearch, usageFilters } from './usage-search.ts';
import type { GroupTotal } from './usage-series.ts';
import { usageTexts } from './usage-texts.ts';

const FILTER_OF = { model: 'model', key: 'key_id', channel: 'channel' } as const;
const COUNTS = ['requests', 'failed', 'input', 'cached', 'output', 'images'] as const;

export type UsageTableProps = {
  readonly totals: readonly GroupTotal[];
  readonly total: GroupTotal;
  readonly by: Grouping;
  readonly range: DayRange;
  readonly search: UsageSearch;
  readonly nameOf: (group: string) => string;
};

export function UsageTable({ totals, total, by, range, search, nameOf }: UsageTableProps) {
  const t = useTexts(usageTexts);
  const words = useTexts(reportTexts);
  const { count } = useFormats();
  const currencies = [...total.charge.keys()];
  const title = t('breakdown', { group: words(by).toLowerCase() });
  const filters = usageFilters(search);
  const columns: readonly Column<GroupTotal>[] = [
    {
      name: 'group',
      heading: words(by),
      total: t('total'),
      cell: ({ group }) => (
        <TextLink inherit to="/requests" search={{ ...filters, ...range, [FILTER_OF[by]]: group }}>
          {nameOf(group)}
        </TextLink>
      ),
    },
    ...COUNTS.map((name) => ({
      name,
      heading: words(name),
      end: true,
      cell: (row: GroupTotal) => count(row[name]),
      total: count(total[name]),
    })),
    ...currencies.map((each) => ({
      name: each,
      heading: t('spendIn', { currency: each }),
      end: true,
      cell: ({ charge }: GroupTotal) => <Charged charge={charge} currency={each} />,
      total: <Charged charge={total.charge} currency={each} />,
    })),
  ];
  const csv = (): readonly (readonly CsvCell[])[] => [
    [
      words(by),
      ...COUNTS.map((name) => words(name)),
      ...currencies.map((each) => t('spendIn', { currency: each })),
    ],
    ...totals.map((row) => csvRow(nameOf(row.group), row, currencies)),
    csvRow(t('total'), total, currencies),
  ];
  return (
    <SectionCard
      title={title}
      aside={<DownloadCsv name={csvName('usage', by, range.from, range.to)} rows={csv} />}
    >
      <DataTable
        label={title}
        columns={columns}
        rows={totals}
        keyOf={({ group }) => group}
        minWidth={760 + currencies.length * 120}
      />
    </SectionCard>
  );
}

type ChargedProps = Pick<GroupTotal, 'charge'> & { readonly currency: string };

function Charged({ charge, currency }: ChargedProps) {
  const amount = charge.get(currency);
  return amount === undefined ? '–' : <Money amount={formatExact(amount)} currency={currency} />;
}

const csvRow = (
  name: string,
  row: GroupTotal,
  currencies: readonly string[],
): readonly CsvCell[] => [
  name,
  ...COUNTS.map((each) => row[each]),
  ...currencies.map((currency) => {
    const amount = row.charge.get(currency);
    return amount === undefined ? null : formatExact(amount);
  }),
];
