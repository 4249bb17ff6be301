/**
 * A table. While it loads, placeholder lines reserve its space. On a narrow screen the table
 * scrolls, not the page.
 */
import { Skeleton, Table } from '@mantine/core';
import type { ReactNode } from 'react';

export type Column<Row> = {
  /** The name of the column, unique in the table. */
  readonly name: string;
  readonly heading: ReactNode;
  /** Whether the cells are right-aligned, as for numbers. */
  readonly end?: boolean;
  readonly cell: (row: Row) => ReactNode;
};

export type DataTableProps<Row> = {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** The rows; undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string | number;
  /** The minimum width in pixels. In a narrower space, the table scrolls. */
  readonly minWidth: number;
  /** The content shown when there are no rows. */
  readonly empty?: ReactNode;
  /** The number of placeholder lines. */
  readonly expected?: number;
  /** The content below the rows, such as a total. */
  readonly foot?: ReactNode;
};

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, minWidth, empty, expected = 5, foot } = props;
  if (rows?.length === 0 && empty !== undefined) return empty;
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      tabIndex={0}
      aria-label={label}
      role="group"
    >
      <Table aria-label={label} aria-busy={rows === undefined}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, heading, end }) => (
              <Table.Th key={name} scope="col" ta={end === true ? 'end' : undefined}>
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined ? (
            <Placeholders columns={columns} rows={expected} />
          ) : (
            rows.map((row) => (
              <Table.Tr key={keyOf(row)}>
                {columns.map(({ name, end, cell }) => (
                  <Table.Td key={name} ta={end === true ? 'end' : undefined}>
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))
          )}
        </Table.Tbody>
        {foot === undefined ? null : <Table.Tfoot>{foot}</Table.Tfoot>}
      </Table>
    </Table.ScrollContainer>
  );
}

type PlaceholdersProps = {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: number;
};

function Placeholders({ columns, rows }: PlaceholdersProps) {
  return Array.from({ length: rows }, (_, row) => `row-${row}`).map((row) => (
    <Table.Tr key={row}>
      {columns.map(({ name }) => (
        <Table.Td key={name}>
          <Skeleton height={20} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
