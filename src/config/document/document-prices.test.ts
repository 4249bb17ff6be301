import { expect, test } from 'bun:test';
import { tidied } from './document-prices.ts';

const AT_MS = Date.parse('2026-12-01T00:00:00Z');
const channel = (price: object, ...upcoming: readonly object[]) => ({
  price,
  ...(upcoming.length === 0 ? {} : { upcoming }),
  routes: [],
});
const document = (direct: object) => ({ fx: {}, models: { m: { channels: { direct } } } });
const [begun, later] = ['2026-12-01T08:00:00+08:00', '2026-12-01T00:00:01Z'];

test('the last announced price that has begun is the plain price', () => {
  const old = { effective_from: '2026-11-30T00:00:00Z', input: '2' };
  const now = { effective_from: begun, input: '3', source: 'a page' };
  const next = { effective_from: later, input: '4' };
  const given = document(channel({ input: '1', example: true }, old, now, next));
  const plain = { input: '3', source: 'a page' };
  const stored = document(channel(plain, next));
  expect(JSON.stringify(tidied(given, AT_MS))).toBe(JSON.stringify(stored));
  expect(tidied(given, AT_MS + 1000)).toEqual(document(channel({ input: '4' })));
  expect(tidied(tidied(given, AT_MS), AT_MS)).toEqual(stored);
});

test('announced prices that are not sorted by time stay, for the schema to refuse', () => {
  const old = { effective_from: '2026-11-30T00:00:00Z', input: '2' };
  const now = { effective_from: begun, input: '3' };
  const next = { effective_from: later, input: '4' };
  for (const upcoming of [
    [now, old],
    [next, now],
    [old, now, now],
  ]) {
    const given = document(channel({ input: '1' }, ...upcoming));
    expect(tidied(given, AT_MS)).toBe(given);
  }
});

test('the prices of a price list are tidied like those of its model', () => {
  const now = { effective_from: begun, input: '3' };
  const listOf = (direct: object) => ({
    models: {},
    price_lists: { partners: { models: { m: { channels: { direct } } } } },
  });
  expect(tidied(listOf({ price: { input: '1' }, upcoming: [now] }), AT_MS)).toEqual(
    listOf({ price: { input: '3' } }),
  );
});

test('a document without a price that has begun stays the same object', () => {
  const given = document(channel({ input: '1' }, { effective_from: later, input: '4' }));
  expect(tidied(given, AT_MS)).toBe(given);
  for (const upcoming of [7, [null], [{ effective_from: 'soon' }], {}]) {
    const odd = document({ price: {}, upcoming });
    expect(tidied(odd, AT_MS)).toBe(odd);
  }
});
