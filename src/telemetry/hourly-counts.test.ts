import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import type { SqlStatement } from '../store/sql.ts';
import { DAY_MS, HOUR_MS, HourlyCounts } from './hourly-counts.ts';

/** Returns the rows that a node writes in one transaction, in order, as `SPAN START KEY`. */
async function writtenFor(events: readonly (readonly [atMs: number, key: string])[]) {
  const written: string[] = [];
  const counts = new HourlyCounts({
    sql: {
      query: async () => [],
      transaction: async (statements: readonly SqlStatement[]) => {
        for (const { params } of statements) written.push(params.slice(0, 3).join(' '));
        return [];
      },
    },
    clock: manualClock(),
    table: 'figures',
    columns: { keys: ['model'], counts: ['requests'], amounts: [] },
    prune: () => [],
    onFailure: (thrown) => {
      throw thrown;
    },
  });
  for (const [atMs, key] of events) counts.at(atMs, [key]);
  await counts.flush();
  return written;
}

test('all nodes write rows in one order, so that their transactions cannot deadlock', async () => {
  const [one, two] = [DAY_MS, DAY_MS + HOUR_MS];
  const rows = await writtenFor([
    [one, 'b'],
    [two, 'a'],
    [two, 'b'],
    [one, 'a'],
  ]);
  const hours = [`hour ${one} a`, `hour ${two} a`, `hour ${one} b`, `hour ${two} b`];
  const days = [`day ${one} a`, `day ${one} a`, `day ${one} b`, `day ${one} b`];
  expect(rows).toEqual([...hours, ...days]);
});
