/**
 * A table with sorting, selectable columns, totals, row selection and export. On a phone each row
 * is a card (`Column.phone`). Of a long list, only the rows near the visible part are rendered.
 */
import { Text } from '@mantine/core';
import { lazy, type ReactNode, type Ref, Suspense, useDeferredValue } from 'react';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { alignedColumn, type Column, sortedRows } from './column.ts';
import { PrintedOnly, usePrinting } from './printing.tsx';
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
import { type Download, TableTools } from './table-tools.tsx';
import { useScrolls } from './use-scrolls.ts';

export type { Column } from './column.ts';

/** The renderer of long lists, loaded on demand. While it loads, the first rows are shown. */
const VirtualRows = lazy(async () => {
  const { VirtualRows: Long } = await import('./virtual-rows.tsx');
  return { default: Long };
});

/** A list with more rows than this renders only the rows near the visible part. */
const MAX_RENDERED_ROWS = 200;
/** The number of rows that are rendered first, because they are visible without scrolling. */
const FIRST_ROWS = 24;
/**
 * The maximum number of printed rows (about 30 pages). The person has to wait while they are
 * rendered.
 */
const MAX_PRINTED_ROWS = 1_000;

const texts = defineTexts('data-table', {
  en: {
    count_one: '{{shown}} in total',
    count_other: '{{shown}} in total',
    unprinted_one: '{{count}} more row is not printed',
    unprinted_other: '{{count}} more rows are not printed',
  },
  zh: {
    count_one: '共 {{shown}} 条',
    count_other: '共 {{shown}} 条',
    unprinted_one: '另有 {{count}} 行未打印',
    unprinted_other: '另有 {{count}} 行未打印',
  },
});

export type DataTableProps<Row> = {
  /** The table's name for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** The rows; undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string | number;
  /**
   * The name under which the chosen columns, sort order and views are saved. A table without a name
   * does not let the person choose them.
   */
  readonly name?: string;
  /** Whether rows can be sorted; false if only the first pages of the list are loaded. */
  readonly canSort?: boolean;
  /** The minimum width in pixels. In a narrower space, the table scrolls. */
  readonly minWidth?: number;
  /** Whether all columns have the same width, so that tables one below another are aligned. */
  readonly isEven?: boolean;
  /** The content shown when there are no rows. */
  readonly empty?: ReactNode;
  /** The number of placeholder lines. */
  readonly expected?: number;
  /** Makes rows selectable for bulk actions. */
  readonly selecting?: Selecting<Row> | undefined;
  /** The file to export, as CSV and as JSON Lines. */
  readonly download?: Download | undefined;
  /** Whether the list's filters, which are in the page's URL, can be saved as views. */
  readonly hasViews?: boolean;
  /** A short text above the table. Default: the number of rows, once all are loaded. */
  readonly summary?: ReactNode;
};

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, keyOf, name, canSort = true, minWidth = 0, empty, expected = 5 } = props;
  const { selecting, download, hasViews = false, isEven = false, summary } = props;
  const t = useTexts(texts);
  const formats = useFormats();
  const wanted = useTableChoice(name, props.columns);
  const { ref, scrolls, folded } = useScrolls(wanted.foldable.length);
  const isPhone = useIsPhone();
  // On a phone each row is a card, which has space for all columns.
  const hidden = isPhone ? [] : wanted.foldable.slice(wanted.foldable.length - folded);
  const columns = wanted.columns
    .filter((column) => !hidden.includes(column))
    .map((column) => alignedColumn(column, rows ?? []));
  const choice = { ...wanted, columns };
  const sort = canSort ? choice.sort : null;
  const sorted = rows === undefined ? undefined : sortedRows(rows, props.columns, sort);
  const selection = useSelection(selecting, sorted ?? [], keyOf);
  const unprinted = (rows?.length ?? 0) - MAX_PRINTED_ROWS;
  const isSelected = selection !== null && selection.rows.length > 0;
  const shown = { columns, selection };
  const counted =
    rows === undefined || !canSort || (name ?? download) === undefined ? null : (
      <Text variant="note">
        {t('count', { count: rows.length, shown: formats.count(rows.length) })}
      </Text>
    );
  if (rows?.length === 0 && empty !== undefined) return empty;
  return (
    <div>
      <TableTools
        {...{ name, choice, all: props.columns, rows: sorted ?? [], canSort, download, hasViews }}
      >
        {isSelected ? <SelectionBar selection={selection} /> : (summary ?? counted)}
      </TableTools>
      {/* An area that scrolls sideways needs a tab stop, so that the keyboard can scroll it. */}
      <div
        ref={ref}
        className={classes['frame']}
        data-scrolls={scrolls}
        {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
      >
        <table
          {...ROLES.table}
          className={classes['table']}
          style={isPhone ? {} : { minWidth, tableLayout: isEven ? 'fixed' : 'auto' }}
          aria-label={label}
          aria-busy={rows === undefined}
          {...(rows !== undefined && rows.length > MAX_RENDERED_ROWS
            ? { 'aria-rowcount': rows.length + 1 }
            : {})}
        >
          <Head
            {...shown}
            {...{ sort, canSort }}
            onSort={(chosen) => choice.choose({ sort: chosen })}
          />
          {sorted === undefined ? (
            <Placeholders {...shown} count={expected} />
          ) : (
            <Body {...shown} {...{ keyOf, rows: sorted }} />
          )}
          <Totals {...shown} />
        </table>
      </div>
      <PrintedOnly>{unprinted > 0 ? t('unprinted', { count: unprinted }) : null}</PrintedOnly>
    </div>
  );
}

/**
 * Renders the first rows at once and the others at low priority, so that the page stays responsive.
 */
function GradualRows<Row>({ rows, ...shown }: RowsProps<Row>) {
  const count = useDeferredValue(rows.length, FIRST_ROWS);
  return <Rows {...shown} rows={rows.slice(0, count)} isGrowing={count < rows.length} />;
}

function Body<Row>(props: RowsProps<Row>) {
  const { rows, keyOf, ...shown } = props;
  const isPrinting = usePrinting();
  if (rows.length <= MAX_RENDERED_ROWS) return <GradualRows {...props} />;
  if (isPrinting) return <Rows {...props} rows={rows.slice(0, MAX_PRINTED_ROWS)} />;
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
