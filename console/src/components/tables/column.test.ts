import { expect, test } from 'bun:test';
import { alignedColumn, type Column, compareCells, nextSort, sortedRows } from './column.ts';

type Row = { readonly name: string; readonly cost: string | null };
const COLUMNS: readonly Column<Row>[] = [
  { name: 'name', heading: 'Name', cell: ({ name }) => name, value: ({ name }) => name },
  { name: 'cost', heading: 'Cost', cell: ({ cost }) => cost, value: ({ cost }) => cost },
  { name: 'plain', heading: 'Plain', cell: () => '' },
];
const ROWS: readonly Row[] = [
  { name: 'key 10', cost: '10.5' },
  { name: 'Key 9', cost: null },
  { name: 'key 2', cost: '9.000000000001' },
  { name: 'key 1', cost: '9' },
];
const namesBy = (column: string, isDescending: boolean): readonly string[] =>
  sortedRows(ROWS, COLUMNS, { column, isDescending }).map(({ name }) => name);

test('sorts amounts by size to the last digit, and rows without a value last', () => {
  expect(namesBy('cost', false)).toEqual(['key 1', 'key 2', 'key 10', 'Key 9']);
  expect(namesBy('cost', true)).toEqual(['key 10', 'key 2', 'key 1', 'Key 9']);
});

test('sorts names as a person reads them: numbers by size, in any case', () => {
  expect(namesBy('name', false)).toEqual(['key 1', 'key 2', 'Key 9', 'key 10']);
});

test('keeps the given order without a sort, or for a column without values', () => {
  expect(sortedRows(ROWS, COLUMNS, null)).toBe(ROWS);
  expect(namesBy('plain', true)).toEqual(ROWS.map(({ name }) => name));
});

test('compares negative amounts, and figures before texts', () => {
  expect(compareCells('-2', '-1.5')).toBe(-1);
  expect(compareCells(3, 20n)).toBe(-1);
  expect(compareCells('12', 'abc')).toBe(-1);
});

test('a heading sorts up, then down, then not at all', () => {
  const up = nextSort('cost', null);
  const down = nextSort('cost', up);
  expect([up, down]).toEqual([
    { column: 'cost', isDescending: false },
    { column: 'cost', isDescending: true },
  ]);
  expect(nextSort('cost', down)).toBeNull();
  expect(nextSort('name', down)).toEqual({ column: 'name', isDescending: false });
});

test('aligns the cells and the total of a column for its longest figure', () => {
  const [, cost] = COLUMNS;
  if (cost === undefined) throw new Error('no column of costs');
  const column = alignedColumn(
    {
      ...cost,
      places: ({ cost }) => (cost?.split('.')[1] ?? '').length,
      cell: ({ cost }, places) => `${cost} ${places}`,
      total: (places) => `total ${places}`,
    },
    ROWS,
  );
  expect(ROWS.map((row) => column.cell(row))).toEqual([
    '10.5 12',
    'null 12',
    '9.000000000001 12',
    '9 12',
  ]);
  expect(column.total).toBe('total 12');
  expect(alignedColumn(cost, ROWS)).toBe(cost);
});
