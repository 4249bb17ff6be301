/** The head, the rows, the placeholders and the totals of a table. */
import { Checkbox, Skeleton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo, type Ref } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { type Column, NOTHING, nextSort, type PhonePlace, type Sort } from './column.ts';
import type { Selection } from './selection.tsx';
import classes from './table.module.css';

const texts = defineTexts('table-parts', {
  en: { all: 'Select all rows', select: 'Select {{name}}' },
  zh: { all: '选择全部', select: '选择 {{name}}' },
});

/**
 * The explicit roles of the elements, because browsers drop the table roles of a table that is
 * displayed as cards.
 */
export const ROLES = {
  table: { role: 'table' },
  part: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

type Shown<Row> = {
  readonly columns: readonly Column<Row>[];
  /** The selection; null when rows cannot be selected. */
  readonly selection: Selection<Row> | null;
};

const placeOf = <Row,>({ phone }: Column<Row>, index: number): PhonePlace =>
  phone ?? (index === 0 ? 'title' : 'detail');

export type HeadProps<Row> = Shown<Row> & {
  readonly sort: Sort;
  readonly canSort: boolean;
  readonly onSort: (sort: Sort) => void;
};

export function Head<Row>({ columns, selection, sort, canSort, onSort }: HeadProps<Row>) {
  const t = useTexts(texts);
  return (
    <thead {...ROLES.part} className={classes['head']}>
      <tr {...ROLES.row}>
        {selection === null ? null : (
          <th {...ROLES.head} scope="col" data-phone="check">
            <Checkbox
              size="xs"
              aria-label={t('all')}
              checked={selection.isAll}
              indeterminate={!selection.isAll && selection.rows.length > 0}
              onChange={selection.toggleAll}
            />
          </th>
        )}
        {columns.map((column, index) => (
          <th
            key={column.name}
            {...ROLES.head}
            scope="col"
            title={column.hint}
            data-end={column.end}
            data-phone={placeOf(column, index)}
            aria-sort={ariaSort(column.name, sort)}
          >
            {canSort && column.value !== undefined ? (
              <SortButton {...{ column, sort, onSort }} />
            ) : (
              <Heading column={column} />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const ariaSort = (name: string, sort: Sort) => {
  if (sort?.column !== name) return undefined;
  return sort.isDescending ? 'descending' : 'ascending';
};

function Heading<Row>({ column: { heading, unit } }: { readonly column: Column<Row> }) {
  return (
    <>
      {heading}
      {unit === undefined ? null : <small className={classes['unit']}>{unit}</small>}
    </>
  );
}

type SortButtonProps<Row> = Pick<HeadProps<Row>, 'sort' | 'onSort'> & {
  readonly column: Column<Row>;
};

function SortButton<Row>({ column, sort, onSort }: SortButtonProps<Row>) {
  const isSorted = sort?.column === column.name;
  const Icon = isSorted && sort.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <>
      <button
        type="button"
        className={classes['sort']}
        data-sorted={isSorted}
        onClick={() => onSort(nextSort(column.name, sort))}
      >
        <span>
          <Heading column={column} />
        </span>
        <Icon size={14} aria-hidden />
      </button>
      <span className={classes['phoneHeading']}>
        <Heading column={column} />
      </span>
    </>
  );
}

export type RowsProps<Row> = Shown<Row> & {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Whether further rows will follow shortly. Screen readers then wait for them. */
  readonly isGrowing?: boolean;
};

export function Rows<Row>({ rows, keyOf, isGrowing = false, ...shown }: RowsProps<Row>) {
  return (
    <tbody {...ROLES.part} {...(isGrowing ? { 'aria-busy': true } : {})}>
      {rows.map((row) => (
        <BodyRow key={keyOf(row)} row={row} {...shown} />
      ))}
    </tbody>
  );
}

export type BodyRowProps<Row> = Shown<Row> & {
  readonly row: Row;
  /** The row's index in the whole list; set if only some rows are rendered. */
  readonly index?: number;
  readonly ref?: Ref<HTMLTableRowElement>;
};

/**
 * A row, which is rendered again only when its data or columns change, so that scrolling is fast.
 */
export const BodyRow = memo(TableRow) as typeof TableRow;

function TableRow<Row>({ row, columns, selection, index, ref }: BodyRowProps<Row>) {
  const t = useTexts(texts);
  const isSelected = selection?.has(row) === true;
  return (
    <tr
      ref={ref}
      {...ROLES.row}
      // The head has `aria-rowindex` 1, so the row with index 0 has 2.
      {...(index === undefined ? {} : { 'aria-rowindex': index + 2, 'data-index': index })}
      {...(selection === null ? {} : { 'data-selected': isSelected })}
    >
      {selection === null ? null : (
        <td {...ROLES.cell} data-phone="check">
          <Checkbox
            size="xs"
            aria-label={t('select', { name: selection.nameOf(row) })}
            checked={isSelected}
            onChange={() => selection.toggle(row)}
          />
        </td>
      )}
      {columns.map((column, at) => {
        const content = column.cell(row);
        return (
          <td
            key={column.name}
            {...ROLES.cell}
            data-end={column.end}
            data-phone={placeOf(column, at)}
            data-heading={column.heading}
            data-nothing={content === NOTHING}
          >
            {content}
          </td>
        );
      })}
    </tr>
  );
}

export type PlaceholdersProps<Row> = Shown<Row> & { readonly count: number };

/** Placeholders with the shape of the expected rows. They appear only if loading takes a moment. */
export function Placeholders<Row>({ columns, selection, count }: PlaceholdersProps<Row>) {
  return (
    <tbody {...ROLES.part} className={classes['placeholders']}>
      {Array.from({ length: count }, (_, row) => `row-${row}`).map((row) => (
        <tr key={row} {...ROLES.row}>
          {selection === null ? null : <td {...ROLES.cell} data-phone="check" />}
          {columns.map((column, at) => (
            <td key={column.name} {...ROLES.cell} data-phone={placeOf(column, at)}>
              <Skeleton height={12} width={column.end === true ? '50%' : '70%'} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** The totals row, if a column has a total. */
export function Totals<Row>({ columns, selection }: Shown<Row>) {
  if (columns.every(({ total }) => total === undefined)) return null;
  return (
    <tfoot {...ROLES.part}>
      <tr {...ROLES.row}>
        {selection === null ? null : <td {...ROLES.cell} data-phone="check" />}
        {columns.map((column, at) => (
          <td
            key={column.name}
            {...ROLES.cell}
            data-end={column.end}
            data-phone={column.total === undefined ? 'hidden' : placeOf(column, at)}
            data-heading={column.heading}
          >
            {typeof column.total === 'function' ? column.total(0) : column.total}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}
