import { expect, test } from 'bun:test';
import { csvText, fileName, jsonLines } from './csv.ts';

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
  expect(fileName('usage', 'model', '2026-11-21')).toBe('modelgate-usage-model-2026-11-21');
  expect(fileName('a/b: c')).toBe('modelgate-a_b_c');
});

test('JSON Lines have one object a line, with exact integers', () => {
  const rows = [
    ['a\n"b"', 1.5, null],
    ['', 2n ** 60n, '=1'],
  ];
  expect(jsonLines(['x', 'y', 'z'], rows)).toBe(
    '{"x":"a\\n\\"b\\"","y":1.5,"z":null}\n{"x":"","y":"1152921504606846976","z":"=1"}\n',
  );
});
