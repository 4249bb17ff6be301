/**
 * Tests, on random requests, that the image costs computed from sums equal those computed from each
 * request.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  AT_MS,
  checkpoint,
  credit,
  EPOCH,
  extend,
  furnish,
  hold,
  LEASE_MS,
  settle,
  USD_CNY,
} from '../../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import type { Command } from '../../ledger/ledger.ts';
import { CURRENCIES, type NanoAmount, nano } from '../../money/amount.ts';
import { DAY_MS, dayOf } from '../../money/calendar.ts';
import { type Unknown, UsagePricing } from '../month-costs.ts';
import { inCurrency, type OperatorPrices, picoOf } from '../operator-cost.ts';
import { applied } from '../reports.fixture.ts';
import { type LoggedRequest, RequestLog } from '../request-log.ts';
import { MAX_GROUPS, type UsageGroup, UsageReport } from '../usage-report.ts';
import { type Days, ImageSums, type Payers } from './image-sums.ts';
import { OperatorSummary } from './operator-summary.ts';

const SEED = 20_261_123;
const REQUESTS = 400;
const SLOW_MS = 180_000;
/**
 * The number of days with requests, chosen so that some statements read many days and others find
 * no requests.
 */
const DAYS = 40;
const OWNERS = ['alice', 'bob'] as const;
const KEYS = ['1024x1024', '1024x1024/hd', 'auto'] as const;
/** The price key of requests that delivered no image. */
const REFUSED = 'refused';
/** Prices in USD that are not round, so that sums of them must be rounded when converted to CNY. */
const PRICES = new Map(
  [...KEYS, REFUSED].map((key, at) => [key as string, nano(7_000_001n + BigInt(at))]),
);
const FX = new Map([['USD/CNY' as const, USD_CNY]]);
const EVERYBODY: Payers = { accountId: null, others: new Set() };
const ANY = {
  ...{ accountId: null, keyId: null, model: null, channel: null, upstream: null, outcomes: null },
  ...{ currency: null, minCost: null, status: null, idPrefix: null },
} as const;

const served = fc.record({
  model: fc.constantFrom('img-2', 'img-3'),
  channel: fc.constantFrom('direct', 'economical'),
  images: fc.oneof(
    { weight: 9, arbitrary: fc.record({ count: fc.nat(4), priceKey: fc.constantFrom(...KEYS) }) },
    { weight: 1, arbitrary: fc.constantFrom(null, { count: 0, priceKey: REFUSED }) },
  ),
});
const drawn = fc.record({
  accountId: fc.constantFrom(...OWNERS),
  currency: fc.constantFrom(...CURRENCIES),
  day: fc.nat(DAYS - 1),
  first: served,
  /** The images of the settlement that arrives after the request's node was declared dead. */
  late: served,
  end: fc.constantFrom('settled', 'settled', 'lost', 'corrected'),
});
type Drawn = ReturnType<typeof sampled>[number];
const sampled = () => fc.sample(drawn, { numRuns: REQUESTS, seed: SEED });

export function imageSumsConformance(engine: string, open: () => Promise<Database>): void {
  let database: Database;
  let rows: readonly LoggedRequest[];
  const named = (rule: string): string => `${engine}: ${rule} (seed ${SEED})`;
  beforeAll(async () => {
    database = await open();
    await tradeInImages(database);
    const filter = { ...ANY, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
    ({ rows } = await new RequestLog(database.sql).page(filter, REQUESTS, null));
  }, SLOW_MS);
  afterAll(async () => {
    await database.close();
  });

  test(named('images cost the same in sum as one by one, for any payers and days'), async () => {
    expect(rows).toHaveLength(REQUESTS);
    for (const days of someDays(rows)) {
      for (const payers of [
        EVERYBODY,
        { accountId: 'bob', others: new Set<string>() },
        { accountId: null, others: new Set(['bob', 'nobody']) },
      ]) {
        const found = await priced(database, PRICES, days, payers);
        expect(found.size).toBeGreaterThan(0);
        expect(found).toEqual(oneByOne(rows, PRICES, days, payers));
        expect([...found.values()].every((pico) => typeof pico === 'bigint')).toBe(true);
      }
    }
  });

  test(named('the cost of a group is unknown if one of its price keys has no price'), async () => {
    for (const missing of ['auto', REFUSED]) {
      const fewer = new Map([...PRICES].filter(([key]) => key !== missing));
      const found = await Promise.all(
        someDays(rows).map(async (days) => {
          const groups = await priced(database, fewer, days, EVERYBODY);
          expect(groups).toEqual(oneByOne(rows, fewer, days, EVERYBODY));
          return [...groups.values()];
        }),
      );
      expect(found.flat()).toContain('unpriced');
      expect(found.flat().some((pico) => typeof pico === 'bigint')).toBe(true);
    }
  });

  test(named('the summary has these costs to the nano-unit'), async () => {
    const { sql } = database;
    const costs = {
      ...{ usage: new UsageReport(sql), requests: new RequestLog(sql), images: new ImageSums(sql) },
      ...{ costOf: () => pricesOf(PRICES), fx: () => FX },
    };
    for (const { fromDay, toDay } of someDays(rows)) {
      const { books } = await new OperatorSummary(sql, costs).of(fromDay, toDay);
      const groups = oneByOne(rows, PRICES, { fromDay, toDay }, EVERYBODY);
      for (const { currency, cost, uncosted } of books) {
        const wanted = [...groups].flatMap(([name, pico]) =>
          name.endsWith(currency) ? [roundedIn(currency, pico as bigint)] : [],
        );
        expect([cost, uncosted]).toEqual([nano(wanted.reduce((all, it) => all + it, 0n)), 0n]);
      }
    }
  });
}

const roundedIn = (currency: 'USD' | 'CNY', pico: bigint): bigint =>
  inCurrency({ pico, currency: 'USD' }, currency, FX) ?? 0n;

const pricesOf = (perImage: ReadonlyMap<string, NanoAmount>): OperatorPrices => ({
  ...{ unit: 'image', currency: 'USD', perImage },
});

/**
 * Returns ranges of days to test: all days, the first day, some days in the middle, and the two
 * days that end with the last day on which a request has the outcome `node_lost`.
 */
function someDays(rows: readonly LoggedRequest[]): readonly Days[] {
  const first = dayOf(AT_MS);
  const days = rows.map(({ settledAtMs }) => dayOf(settledAtMs));
  const lost = Math.max(
    ...rows.filter((row) => row.outcome === 'node_lost').map((row) => dayOf(row.settledAtMs)),
  );
  return [
    { fromDay: Math.min(...days), toDay: Math.max(...days) },
    { fromDay: first, toDay: first },
    { fromDay: first + 3, toDay: first + 50 },
    { fromDay: lost - 1, toDay: lost },
  ];
}

const nameOf = (group: Pick<UsageGroup, 'model' | 'channel' | 'currency'>): string =>
  [group.model, group.channel, group.currency].join(' ');

/**
 * Prices all groups of usage from sums: once with statements that read few index entries each, and
 * once with statements that read many. Both must agree.
 */
async function priced(
  { sql }: Database,
  prices: ReadonlyMap<string, NanoAmount>,
  days: Days,
  payers: Payers,
): Promise<ReadonlyMap<string, bigint | Unknown>> {
  const filter = { ...ANY, ...days, accountId: payers.accountId };
  const usage = new UsageReport(sql);
  const { rows } = await usage.page(filter, ['model', 'channel'], MAX_GROUPS, null);
  const requests = { page: () => Promise.reject(new Error('a receipt was read')) };
  const found: (readonly [string, bigint | Unknown])[][] = [];
  for (const stepEntries of [10, undefined]) {
    const images = new ImageSums(sql, stepEntries);
    const pricing = new UsagePricing({ requests, images }, { requests: 0, pages: 0 });
    const pairs: (readonly [string, bigint | Unknown])[] = [];
    for (const group of rows) {
      pairs.push([nameOf(group), await pricing.picoOf(group, pricesOf(prices), days, payers)]);
    }
    found.push(pairs);
  }
  expect(found[0]).toEqual(found[1] as never);
  return new Map(found[0]);
}

/**
 * Prices each request by itself and sums the prices by group. A group whose requests are all paid
 * by `others` costs nothing.
 */
function oneByOne(
  all: readonly LoggedRequest[],
  prices: ReadonlyMap<string, NanoAmount>,
  { fromDay, toDay }: Days,
  { accountId, others }: Payers,
): ReadonlyMap<string, bigint | Unknown> {
  const sums = new Map<string, bigint | Unknown>();
  for (const row of all) {
    const day = dayOf(row.settledAtMs);
    if (day < fromDay || day > toDay) continue;
    if (accountId !== null && row.accountId !== accountId) continue;
    const sum = sums.get(nameOf(row)) ?? 0n;
    const pico = others.has(row.accountId) ? 0n : picoOf(pricesOf(prices), row);
    sums.set(nameOf(row), typeof sum === 'string' || pico === null ? 'unpriced' : sum + pico);
  }
  return sums;
}

/**
 * Holds and settles the requests. For some, the process dies: the reaper charges the amount of
 * their checkpoint, and a late settlement corrects some of these charges.
 */
async function tradeInImages(database: Database): Promise<void> {
  const { ledger } = database;
  await furnish(database);
  const wallets = OWNERS.flatMap((accountId) =>
    CURRENCIES.map((currency) => [accountId, currency]),
  );
  const all = sampled().map((request, at) => ({ ...request, id: `req_${at}` }));
  const run = (commands: readonly Command[]) => applied(database, commands);
  await run(
    wallets.map(([accountId, currency]) =>
      credit(`crd_${accountId}_${currency}`, 1_000_000n, { accountId, currency } as never),
    ),
  );
  await run(all.map(({ id, accountId, currency }) => hold(id, 9n, { accountId, currency })));
  const lost = all.filter(({ end }) => end !== 'settled');
  await run(all.filter(({ end }) => end === 'settled').map((it) => settled(it, it.first)));
  await run(
    lost.map(({ id, accountId, currency, first }) =>
      extend(`ext_${id}`, id, 1n, checkpoint(id, 2n, { accountId, currency, ...first })),
    ),
  );
  await ledger.leave(EPOCH);
  await ledger.join({ epoch: 'epoch_2', name: 'second' }, LEASE_MS);
  let reaped = 0;
  while (reaped < lost.length) reaped += (await ledger.reap()).settled;
  await run(lost.filter(({ end }) => end === 'corrected').map((it) => settled(it, it.late)));
}

const settled = (
  { id, accountId, currency, day }: Drawn & { readonly id: string },
  as: Drawn['first'],
): Command => ({
  ...settle(id, 5n, { accountId, currency, ...as }),
  atMs: AT_MS + day * DAY_MS,
});
