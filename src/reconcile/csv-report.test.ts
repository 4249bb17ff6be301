import { expect, test } from 'bun:test';
import { type CsvColumns, csvBill } from './csv-report.ts';

const DAY = 20_777;
const read = (text: string, columns: CsvColumns = {}) => csvBill(text, columns, 'CNY');

test('reads quoted cells, separators of thousands and dates of several forms', () => {
  const bill = read(
    '\uFEFFDay,Model,Prompt,Output,Cost\r\n' +
      '2026-11-20,"a ""b"", c","1,234",5,"¥1,000.50"\r\n' +
      '20261120,m,1,,\n\n' +
      '2026/11/21T08:00:00Z,,,,0.1',
  );
  expect(bill).toEqual({
    currency: 'CNY',
    measures: ['prompt', 'output', 'cost'],
    rows: [
      {
        day: DAY,
        model: 'a "b", c',
        sums: { prompt: 1234n, output: 5n, cost: 1_000_500_000_000_000n },
      },
      { day: DAY, model: 'm', sums: { prompt: 1n, output: 0n, cost: 0n } },
      { day: DAY + 1, model: null, sums: { prompt: 0n, output: 0n, cost: 100_000_000_000n } },
    ],
  });
});

test.each([
  ['2026-11-21T07:30:00+08:00', DAY],
  ['2026/11/20 23:30:00.5 -0500', DAY + 1],
  ['2026-11-20 23:30:00', DAY],
])('counts %s on its UTC day', (text, day) => {
  expect(read(`day,model,cost\n${text},m,1\n`).rows[0]?.day).toBe(day);
});

test('reads an empty last cell at the end of the file', () => {
  const { rows } = read('day,model,prompt,cost\n2026-11-20,m,1,');
  expect(rows).toEqual([{ day: DAY, model: 'm', sums: { prompt: 1n, cost: 0n } }]);
});

test('maps columns, and adds the cache to uncached input', () => {
  const columns = { day: 'Date', model: 'Instance', uncached: 'Input', cache_read: 'Cache hits' };
  const { rows } = read('Instance,Date,Input,Cache hits\nm,2026-11-20,10,30\n', columns);
  expect(rows).toEqual([{ day: DAY, model: 'm', sums: { prompt: 40n, cache_read: 30n } }]);
});

test.each([
  ['', 'The CSV file is empty.'],
  ['model,cost\nm,1', 'has no column "day". Its columns are model, cost.'],
  ['day,cost\n2026-11-20,1', 'has no column "model"'],
  ['day,model\n2026-11-20,m', 'has none of the columns requests, prompt'],
  ['day,model,cost\n2026-11-20,m,1\n20.11.2026,m,1', 'Row 3 of the CSV file: `day` must be a date'],
  ['day,model,cost\n2026-11-31,m,1', '`day` must be a date'],
  ['day,model,cost\n2026-11-20,m,1\n2026-11-21,m', 'Row 3 of the CSV file has too few cells'],
  ['day,model,cost\n2026-11-20,m,"1,5"', '`cost` must be a decimal such as 12.34, not "1,5"'],
  ['day,model,cost\n2026-11-20,m,"1.234,50"', '`cost` must be a decimal such as 12.34'],
  ['day,model,prompt\n2026-11-20,m,"1,50"', '`prompt` must be a whole number, not "1,50"'],
  ['day,model,cost\n2026-11-20,m,free', '`cost` must be a decimal such as 12.34, not "free"'],
  ['day,model,output\n2026-11-20,m,1.5', '`output` must be a whole number, not "1.5"'],
  ['day,model,prompt,uncached\n2026-11-20,m,1,1', 'only one of `prompt` and `uncached`'],
  ['day,model,cost\n2026-11-20,"m"x,1', 'a misplaced quote at character 26'],
])('refuses %j', (text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('refuses a mapping to a column that the file does not have', () => {
  expect(() => read('day,model,cost\n', { cost: 'Amount' })).toThrow('has no column "Amount"');
});
