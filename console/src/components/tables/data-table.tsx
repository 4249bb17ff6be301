/**
 * A table with sort, chosen columns, totals, selection and export. On a phone each row is a card
 * (`Column.phone`). Of a long list, only the rows near the visible part are rendered.
 */
import { lazy, type ReactNode, type Ref, Suspense } from 'react';
import { type Column, sortedRows } from './column.ts';
import { type Selecting, SelectionBar, useSelection } from './selection.tsx';
import classes from './table.module.css';
import { useIsPhone, useTableChoice } from './table-choice.ts';
import {
  BodyRow,
  Head,
  Placeholders,
  ROLES,
  Rows,
  type RowsProps,
  Totals,
} from './table-parts.tsx';
import { type CsvSource, TableTools } from './table-tools.tsx';
import { useScrolls } from './use-scrolls.ts';

export type { Column } from './column.ts';

/** Loaded only for long lists. Until then, the first rows are shown. */
const VirtualRows = lazy(async () => {
  const { VirtualRows: Long } = await import('./virtual-rows.tsx');
  return { default: Long };
});

/** Longer lists render only the rows near the visible part. */
const MAX_RENDERED_ROWS = 200;
const FIRST_ROWS = 50;

export type DataTableProps<Row> = {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** The rows; undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string | number;
  /** The name under which chosen columns, sort and views are kept. Without it, none is offered. */
  readonly name?: string;
  /** Whether rows can be sorted here: not if they are only the first pages of a longer list. */
  readonly canSort?: boolean;
  /** The minimum width in pixels. In a narrower space, the table scrolls. */
  readonly minWidth?: number;
  /** The content shown when there are no rows. */
  readonly empty?: ReactNode;
  /** The number of placeholder lines. */
  readonly expected?: number;
  /** Makes rows selectable for bulk actions. */
  readonly selecting?: Selecting<Row> | undefined;
  readonly csv?: CsvSource | undefined;
  /** Whether the list's filters, which are in the page's URL, can be saved as views. */
  readonly hasViews?: boolean;
  /** A short text above the table, such as the number of rows. */
  readonly summary?: ReactNode;
};

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, keyOf, name, canSort = true, minWidth = 0, empty, expected = 5 } = props;
  const { selecting, csv, hasViews = false, summary } = props;
  const choice = useTableChoice(name, props.columns);
  const { columns, choose } = choice;
  const sort = canSort ? choice.sort : null;
  const sorted = rows === undefined ? undefined : sortedRows(rows, props.columns, sort);
  const selection = useSelection(selecting, sorted ?? [], keyOf);
  const { ref, scrolls } = useScrolls();
  const isPhone = useIsPhone();
  const isSelected = selection !== null && selection.rows.length > 0;
  const shown = { columns, selection };
  if (rows?.length === 0 && empty !== undefined) return empty;
  return (
    <div>
      <TableTools
        {...{ name, choice, all: props.columns, rows: sorted ?? [], canSort, csv, hasViews }}
      >
        {isSelected ? <SelectionBar selection={selection} /> : summary}
      </TableTools>
      {/* A part that scrolls sideways needs a tab stop, so that the keyboard can scroll it. */}
      <div
        ref={ref}
        className={classes['frame']}
        data-scrolls={scrolls}
        {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
      >
        <table
          {...ROLES.table}
          className={classes['table']}
          style={isPhone ? {} : { minWidth }}
          aria-label={label}
          aria-busy={rows === undefined}
          {...(rows !== undefined && rows.length > MAX_RENDERED_ROWS
            ? { 'aria-rowcount': rows.length + 1 }
            : {})}
        >
          <Head {...shown} {...{ sort, canSort }} onSort={(chosen) => choose({ sort: chosen })} />
          {sorted === undefined ? (
            <Placeholders {...shown} count={expected} />
          ) : (
            <Body {...shown} {...{ keyOf, rows: sorted }} />
          )}
          <Totals {...shown} />
        </table>
      </div>
    </div>
  );
}

function Body<Row>(props: RowsProps<Row>) {
  const { rows, keyOf, ...shown } = props;
  if (rows.length <= MAX_RENDERED_ROWS) return <Rows {...props} />;
  const rowOf = (index: number): Row => rows[index] as Row;
  const keyAt = (index: number) => keyOf(rowOf(index));
  const rowAt = (index: number, ref: Ref<HTMLTableRowElement>) => (
    <BodyRow key={keyAt(index)} row={rowOf(index)} {...{ index, ref, ...shown }} />
  );
  return (
    <Suspense fallback={<Rows {...props} rows={rows.slice(0, FIRST_ROWS)} />}>
      <VirtualRows count={rows.length} {...{ keyAt, rowAt }} />
    </Suspense>
  );
}
