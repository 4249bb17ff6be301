import { describe, expect, test } from 'bun:test';
import { BUCKET_COLUMNS } from '../money/usage.ts';
import { COUNT_COLUMNS, RECEIPT_COLUMNS, STORED_COLUMNS, withColumns } from './columns.ts';

describe('placeholders in SQL', () => {
  test('become a list of the usage buckets, with the separator that is asked for', () => {
    const list = BUCKET_COLUMNS.join(', ');
    expect(list).toStartWith('input, cache_read, cache_write_5m, cache_write_1h, output, ');
    expect(withColumns('SELECT {{buckets: $}}')).toBe(`SELECT ${list}`);
    expect(withColumns('{{buckets OR: SUM($) <> 0}}')).toStartWith(
      'SUM(input) <> 0 OR SUM(cache_read) <> 0 OR ',
    );
    expect(withColumns('{{counts: $}}')).toBe(COUNT_COLUMNS.join(', '));
  });

  test("name a receipt's value by its column, also within a list", () => {
    expect(withColumns('{{k.r.card_id}} = {{r.currency}}')).toBe('k.r->>9 = r->>11');
    expect(withColumns('{{buckets +: ({{r.$}})::BIGINT}}')).toStartWith(
      '(r->>12)::BIGINT + (r->>13)::BIGINT',
    );
    expect(() => withColumns('{{r.price_card}}')).toThrow('receipts have no column price_card');
  });

  test("list all of a receipt's values with their types", () => {
    const values = withColumns('{{receipt r}}{{later receipt r}}{{latest receipt r}}').split(
      /, (?!0\))/,
    );
    expect(values).toHaveLength(RECEIPT_COLUMNS.length);
    expect(values[0]).toBe('r->>0');
    expect(values[12]).toBe('(r->>12)::BIGINT');
    expect(values[26]).toBe('(r->>26)::DOUBLE PRECISION');
    // A receipt that an earlier version spooled lacks the columns that were added later.
    expect(values.slice(33, 37)).toEqual([
      'COALESCE((r->>33)::BIGINT, 0)',
      ...['r->>34', 'r->>35', '(r->>36)::BIGINT'],
    ]);
  });

  test('list the columns of a planned charge, without those that the store decides', () => {
    const planned = withColumns('{{planned columns}}').split(', ');
    expect(withColumns('{{planned values}}').split(/, (?!0\))/)).toHaveLength(planned.length);
    expect(withColumns('{{stored receipt}}')).toBe(String(STORED_COLUMNS.length));
    expect(STORED_COLUMNS.filter((column) => !planned.includes(column))).toEqual([
      ...['seq', 'balance_after', 'other_after'],
    ]);
  });
});
