/** The twin of a chart: the same figures, a line a day. */
import { Group, Stack, Table, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { type CsvCell, csvName } from '../csv.ts';
import { DownloadCsv } from '../download-csv.tsx';
import { reportTexts } from '../report-texts.ts';
import { exactly, type UsageChartProps, useShown } from './usage-chart.tsx';
import { type Series, totalOf } from './usage-series.ts';
import { usageTexts } from './usage-texts.ts';

const COLUMN_PX = 130;
const MAX_HEIGHT_PX = 420;

export type ChartTableProps = UsageChartProps & { readonly title: string };

export function ChartTable({ title, metric, series, nameOf }: ChartTableProps) {
  const t = useTexts(usageTexts);
  const words = useTexts(reportTexts);
  const shown = useShown(metric);
  const { groups, points } = series;
  const rows = (): readonly (readonly CsvCell[])[] => [
    [words('day'), ...groups.map(nameOf), t('total')],
    ...points.map((point) => [
      point.day,
      ...groups.map((group) => cellOf(point.values.get(group) ?? null)),
      cellOf(totalOf(point)),
    ]),
    [
      t('total'),
      ...groups.map((group) => exactly(sumOf(series, group), metric)),
      exactly(sumOf(series), metric),
    ],
  ];
  const cellOf = (value: bigint | null): CsvCell =>
    value === null ? null : exactly(value, metric);
  const cell = (value: bigint | null) =>
    value === null ? (
      <Text span c="dimmed" aria-label={t('noData')}>
        –
      </Text>
    ) : (
      shown(value)
    );
  return (
    <Stack gap="sm">
      <Table.ScrollContainer
        minWidth={120 + (groups.length + 1) * COLUMN_PX}
        maxHeight={MAX_HEIGHT_PX}
        type="native"
        tabIndex={0}
        role="group"
        aria-label={title}
      >
        <Table aria-label={title} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words('day')}</Table.Th>
              {groups.map((group) => (
                <Table.Th key={group} scope="col" ta="end">
                  {nameOf(group)}
                </Table.Th>
              ))}
              <Table.Th scope="col" ta="end">
                {t('total')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {points.map((point) => (
              <Table.Tr key={point.day}>
                <Table.Th scope="row" fw={400}>
                  {point.day}
                </Table.Th>
                {groups.map((group) => (
                  <Table.Td key={group} ta="end">
                    {cell(point.values.get(group) ?? null)}
                  </Table.Td>
                ))}
                <Table.Td ta="end" fw={600}>
                  {cell(totalOf(point))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group justify="flex-end">
        <DownloadCsv
          name={csvName('usage', metric, points[0]?.day ?? '', points.at(-1)?.day ?? '')}
          rows={rows}
        />
      </Group>
    </Stack>
  );
}

/** Over all days, of one group or of all. */
const sumOf = ({ points }: Series, group?: string): bigint =>
  points.reduce(
    (sum, point) => sum + ((group === undefined ? totalOf(point) : point.values.get(group)) ?? 0n),
    0n,
  );
