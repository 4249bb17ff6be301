import { expect, test } from 'bun:test';
import { csvName, csvText } from './csv.ts';

test('a missing value becomes an empty cell', () => {
  expect(
    csvText([
      ['model', 'requests', 'cost'],
      ['gen-x', 3n, '0.000132'],
    ]),
  ).toBe('\uFEFFmodel,requests,cost\r\ngen-x,3,0.000132\r\n');
  expect(csvText([['a', null, 0]])).toBe('\uFEFFa,,0\r\n');
});

test('no cell becomes a formula, and negative numbers stay numbers', () => {
  expect(csvText([['=1+1', '-2.5', '@x', '-x', '\n=1', '＝1']])).toBe(
    "\uFEFF'=1+1,-2.5,'@x,'-x,\"'\n=1\",'＝1\r\n",
  );
});

test('quotes cells with separators, quotes or line breaks', () => {
  expect(csvText([['a,"b"', 'c\nd']])).toBe('\uFEFF"a,""b""","c\nd"\r\n');
});

test('the file name has the subject and the dates', () => {
  expect(csvName('usage', 'model', '2026-11-21')).toBe('modelgate-usage-model-2026-11-21.csv');
  expect(csvName('a/b: c')).toBe('modelgate-a_b_c.csv');
});
