/**
 * Tests planned charges. PostgreSQL writes a batch of them in one statement, SQLite writes them one
 * by one. Both engines must give the same replies and leave the same ledger.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { type Currency, nano } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import { settleAmount } from '../../money/price.ts';
import { withColumns } from '../../store/columns.ts';
import { PostgresLink } from '../../store/postgres/postgres-link.ts';
import type { SqlRow } from '../../store/sql.ts';
import { StoreFile } from '../../store/sqlite/store-file.ts';
import {
  AT_MS,
  applied,
  EPOCH,
  furnish,
  hold,
  repeated,
  USD_CNY,
} from '../conformance/ledger.fixture.ts';
import type { Receipt } from '../ledger.ts';
import { meteredCharge } from '../meter.ts';
import { sellFor } from '../settlement-plan.ts';
import { newFile, openFile, removeFiles } from '../sqlite/sqlite.fixture.ts';
import { SqliteLedger } from '../sqlite/sqlite-ledger.ts';
import { SLICE_WORK } from '../sqlite/tail-window.ts';
import type { Reply } from '../wire.ts';
import { faultProxy } from './fault-proxy.fixture.ts';
import { assign, charge, FUNDS, fund, Subject } from './planned-charges.fixture.ts';
import { newTestDatabase, testServer } from './postgres.fixture.ts';
import type { CommitLimits } from './postgres-commits.ts';
import { CHARGES, type NodeCharge } from './postgres-wire.ts';

setDefaultTimeout(180_000);

const HISTORIES = 60;
/** Opens a SQLite ledger with the same accounts and no holds in memory: the store decides all. */
async function openSqliteTwin(): Promise<{ store: StoreFile; ledger: SqliteLedger }> {
  const path = newFile();
  const database = await openFile(path);
  await furnish(database);
  await fund(database);
  await database.close();
  const store = StoreFile.open(path, systemClock.nowMs());
  return { store, ledger: new SqliteLedger(store, SLICE_WORK, () => undefined) };
}

/**
 * Sums the usage per group, because PostgreSQL may have several rows per key: it adds up batches of
 * receipts later.
 */
const usageBy = (unit: 'day' | 'month'): string => {
  const key = `account_id, ${unit}, key_id, model, channel, currency`;
  return withColumns(`SELECT ${key}, {{counts: CAST(SUM($) AS BIGINT) AS $}}
    FROM usage_by_${unit} GROUP BY ${key} ORDER BY ${key}`);
};

/**
 * The queries for all data that charges change. `seq` may differ, but not the order within an
 * account.
 */
const BOOKS = [
  'SELECT account_id, currency, balance FROM wallet ORDER BY account_id, currency',
  `SELECT owner_id, total, day, in_day, week, in_week, month, in_month FROM spend_meter
   ORDER BY owner_id`,
  'SELECT id, careful FROM account ORDER BY id',
  usageBy('day'),
  usageBy('month'),
  'SELECT * FROM overrun ORDER BY request_id',
  'SELECT * FROM receipt ORDER BY account_id, seq',
];
const withoutPlace = ({ seq, ...row }: SqlRow): SqlRow => row;

type Draft = {
  readonly of: number;
  readonly accountId: string;
  readonly currency: Currency;
  readonly tokens: bigint;
  readonly isPriced: boolean;
  readonly lost: bigint;
  readonly bought: bigint;
  readonly held: bigint;
  readonly careful: number | null;
  readonly days: number;
  readonly given: Partial<Receipt>;
};

const few = fc.bigInt({ min: 0n, max: 40n });
const drafts: fc.Arbitrary<Draft> = fc.record({
  of: fc.integer({ min: 0, max: 40 }),
  accountId: fc.constantFrom('alice', 'bob'),
  currency: fc.constantFrom<Currency>('USD', 'CNY'),
  tokens: few,
  isPriced: fc.boolean(),
  ...{ lost: few, bought: few, held: few },
  careful: fc.constantFrom(null, null, 0, 3, 20),
  // The offset of the charge from `AT_MS` (a Monday), in days: usually 0. -1 is in the week before,
  // 7 in the next week, 30 in the next month.
  days: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1, 7, 30),
  given: fc.constantFrom<Partial<Receipt>>(
    {},
    {},
    { outcome: 'caller_left', model: 'gen-haiku-4-5', finishReason: null, upstreamId: '' },
    { finishReason: 'a "quoted" \\ {reason},(1)', firstByteMs: null, upstreamId: 'NULL' },
    { images: { count: 2, priceKey: '1024x1024' }, reportedCostPico: 9_007_199_254_740_993n },
  ),
});

/** Returns a charge with the drawn values. Its amounts are consistent, as in a node's charges. */
function planned(run: string, drawn: Draft, cardId: string | null): NodeCharge {
  const { accountId, currency, tokens, days, careful } = drawn;
  const id = `${run}_${drawn.of}`;
  const isForeign = drawn.isPriced && currency === 'CNY';
  const rate = isForeign ? USD_CNY : null;
  const price = settleAmount(tokens * 1_000n, rate);
  const loss = drawn.lost < price ? drawn.lost : 0n;
  const taken = price - loss;
  const bought = currency === 'CNY' && drawn.bought < taken ? drawn.bought : 0n;
  const priced = isForeign ? { cardId: 'card_usd', fxRateId: USD_CNY.id } : {};
  const card = cardId === null ? {} : { cardId };
  // Receipts with images have no tokens here. Their price card has a price per image.
  const { images, ...given } = drawn.given;
  return charge(id, tokens, {
    ...{ price, taken, loss, bought, careful, held: drawn.held, atMs: AT_MS + days * DAY_MS },
    sold: sellFor(bought, USD_CNY.scaled),
    metered: meteredCharge(taken, rate),
    exchangeId: currency === 'CNY' ? USD_CNY.id : null,
    available: price + 7n,
    of: { accountId, currency, ...priced, ...card, ...given, ...(images && { images }) },
  });
}

const opened: { readonly close: () => Promise<void> | void }[] = [];
const seed = Buffer.from(systemClock.randomBytes(4)).readInt32BE();
beforeAll(() => console.log(`planned charges on both engines: ${HISTORIES} runs, seed ${seed}`));
afterAll(async () => {
  for (const each of opened) await each.close();
  removeFiles();
});

async function openSubject(limits?: CommitLimits): Promise<Subject> {
  const url = await newTestDatabase();
  const subject = await Subject.open(url, url, limits);
  opened.push(subject);
  return subject;
}

/** The message of a fault is not the same in both engines. */
const compared = (reply: Reply): unknown => (reply.status === 'fault' ? 'fault' : reply);

test('a batch of planned charges has the same effect as in SQLite, one by one', async () => {
  const subject = await openSubject();
  const sqlite = await openSqliteTwin();
  opened.push(sqlite.store);
  let runs = 0;
  const batches = fc.array(
    fc.record({
      batch: fc.array(drafts, { minLength: 1, maxLength: 25 }),
      // Few charges use an unpublished price card, because such a charge makes its batch fail.
      faulty: fc.option(fc.nat(24), { freq: 4 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const property = fc.asyncProperty(batches, async (history) => {
    runs += 1;
    for (const { batch, faulty } of history) {
      const charges = batch.map((each, at) =>
        planned(`run${runs}`, each, at === faulty ? 'card_none' : null),
      );
      const replies = await subject.write(charges);
      expect(replies.map(compared)).toEqual(sqlite.ledger.write(charges).map(compared));
    }
    for (const sql of BOOKS) {
      const rows = (await subject.rows(sql)).map(withoutPlace);
      expect(rows).toEqual(sqlite.store.query({ sql, params: [] }).map(withoutPlace));
    }
  });
  await fc.assert(property, { numRuns: HISTORIES, seed });
  expect(await subject.database.ledger.verify()).toEqual([]);
}, 300_000);

describe('a batch of planned charges', () => {
  test('states the balances after each charge in the order of the charges', async () => {
    const subject = await openSubject();
    const yuan = { of: { currency: 'CNY' as const }, exchangeId: USD_CNY.id };
    await subject.write([
      charge('r1', 10n),
      charge('r2', 72n, { ...yuan, bought: 71n, sold: 10n }),
      charge('r3', 0n),
      charge('r4', 5n),
    ]);
    // From now on, writing a charge on its own fails. Charges that bought no money from the other
    // wallet are still written, because one statement writes them together.
    await subject.rows(`CREATE OR REPLACE FUNCTION books_charge_one(r receipt, p books_plan)
      RETURNS TEXT LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'alone'; END $$`);
    await subject.write([charge('r5', 1n, yuan), charge('r6', 2n), charge('r7', 3n, yuan)]);
    expect(
      await subject.rows('SELECT request_id, balance_after, other_after FROM receipt ORDER BY seq'),
    ).toEqual([
      { request_id: 'r1', balance_after: FUNDS - 10n, other_after: null },
      { request_id: 'r2', balance_after: FUNDS - 1n, other_after: FUNDS - 20n },
      { request_id: 'r3', balance_after: null, other_after: null },
      { request_id: 'r4', balance_after: FUNDS - 25n, other_after: null },
      { request_id: 'r5', balance_after: FUNDS - 2n, other_after: null },
      { request_id: 'r6', balance_after: FUNDS - 27n, other_after: null },
      { request_id: 'r7', balance_after: FUNDS - 5n, other_after: null },
    ]);
    expect(await subject.database.ledger.verify()).toEqual([]);
  });

  test('releases what is assigned to the node, once for each request', async () => {
    const subject = await openSubject();
    await assign(subject, 100n);
    const held = `SELECT w.held FROM wallet w JOIN assignment a ON a.account_id = w.account_id
      AND a.currency = w.currency AND a.amount = w.held ORDER BY w.currency`;
    const yuan = { of: { currency: 'CNY' as const }, freed: 30n, freedOther: 2n };
    const batch = [charge('r1', 10n, { freed: 40n }), charge('r2', 5n, yuan)];
    expect(await subject.write(batch)).toEqual([applied(10n, 5n), applied(5n, 5n)]);
    expect(await subject.rows(held)).toEqual([{ held: 70n }, { held: 58n }]);
    expect(await subject.write(batch)).toEqual([repeated(10n, 5n), repeated(5n, 5n)]);
    expect(await subject.rows(held)).toEqual([{ held: 70n }, { held: 58n }]);
    const replies = await subject.write([charge('r3', 1n, { freed: 59n }), charge('r4', 1n)]);
    expect(replies).toEqual([{ status: 'epoch_over' }, applied(1n, 5n)]);
    expect(await subject.rows(held)).toEqual([{ held: 70n }, { held: 58n }]);
  });

  test('is refused when its assignment has ended, except what was charged', async () => {
    const subject = await openSubject();
    const { ledger } = subject.database;
    await assign(subject, 100n);
    expect(await subject.write([charge('r1', 10n, { freed: 10n })])).toEqual([applied(10n, 5n)]);
    await ledger.leave(EPOCH);
    await ledger.join({ epoch: 'epoch_2', name: 'two' }, 60_000);
    await ledger.reap();
    await assign(subject, 10n, 'epoch_2');
    const replies = await subject.write([
      charge('r1', 10n, { freed: 10n }),
      charge('r2', 10n, { freed: 10n }),
      charge('r3', 10n, { freed: 10n, epoch: 'epoch_2' }),
    ]);
    expect(replies).toEqual([repeated(10n, 5n), { status: 'epoch_over' }, applied(10n, 5n)]);
    const late = await subject.write([
      charge('r4', 10n, { freed: 10n }),
      charge('r5', 1n, { freed: 1n, epoch: 'epoch_2' }),
    ]);
    expect(late).toEqual([{ status: 'epoch_over' }, { status: 'epoch_over' }]);
    expect(await subject.rows('SELECT request_id FROM receipt ORDER BY seq')).toEqual([
      { request_id: 'r1' },
      { request_id: 'r3' },
    ]);
  });

  test('is refused when its hold has become a row meanwhile', async () => {
    const subject = await openSubject();
    const { ledger } = subject.database;
    await ledger.apply([hold('r1', 10n, { epoch: EPOCH })]);
    await assign(subject, 100n);
    const replies = await subject.write([charge('r1', 4n, { freed: 4n }), charge('r2', 4n)]);
    expect(replies).toEqual([{ status: 'epoch_over' }, applied(4n, 5n)]);
    expect(await subject.rows('SELECT request_id FROM receipt')).toEqual([{ request_id: 'r2' }]);
  });

  test('fails only for its faulty charges', async () => {
    const subject = await openSubject();
    const [one, two, three, four, five] = await subject.write([
      charge('r1', 10n),
      charge('r2', 10n, { of: { accountId: 'nobody' } }),
      charge('r3', 10n, { of: { fxRateId: 'fx_none' } }),
      charge('r4', FUNDS),
      charge('r5', 10n),
    ]);
    expect([one, five]).toEqual([applied(10n, 5n), applied(10n, 5n)]);
    expect(two).toMatchObject({ status: 'fault', message: expect.stringContaining('account') });
    expect(three).toMatchObject({ message: 'exchange rate fx_none was never published' });
    expect(four).toMatchObject({ status: 'fault', message: expect.stringContaining('wallet') });
    expect(await subject.database.ledger.verify()).toEqual([]);
  });

  test('is counted as usage at once, and added to its day with fifteen others', async () => {
    const subject = await openSubject();
    const requests = (from: string): string =>
      `SELECT CAST(SUM(requests) AS BIGINT) AS n FROM ${from}`;
    for (let each = 1; each <= 15; each += 1) await subject.write([charge(`r${each}`, 1n)]);
    expect(await subject.rows(requests('usage_by_day'))).toEqual([{ n: 15n }]);
    expect(await subject.rows(requests('usage_day'))).toEqual([{ n: null }]);
    await subject.write([charge('r16', 1n), charge('r17', 1n)]);
    await subject.write([charge('r18', 1n)]);
    for (const from of ['usage_day', 'usage_month']) {
      expect(await subject.rows(requests(from))).toEqual([{ n: 17n }]);
    }
    for (const from of ['usage_by_day', 'usage_by_month']) {
      expect(await subject.rows(requests(from))).toEqual([{ n: 18n }]);
    }
    expect(await subject.database.ledger.verify()).toEqual([]);
  });

  test('of a node that knows fewer columns is completed', async () => {
    const subject = await openSubject();
    const [receipts = '', plans = ''] = CHARGES.encode([charge('r1', 10n), charge('r2', 1n)]);
    // Removes the last two columns, which are empty or counts, as if a later version had added
    // them.
    const shorter = receipts.replaceAll(/,\d*,\d*\)"/g, ')"');
    const known = Number(/\d+/.exec(CHARGES.sql.slice(CHARGES.sql.indexOf(',')))?.[0]) - 2;
    await subject.database.sql.query({
      sql: 'SELECT books_charge($1, $2, $3)',
      params: [shorter, known, plans],
    });
    expect(await subject.database.ledger.receipt('r2')).toMatchObject({ charge: nano(1n) });
    expect(await subject.database.ledger.verify()).toEqual([]);
  });

  test('is written once when the connection is cut after the commit', async () => {
    const server = await testServer();
    const proxy = await faultProxy(server.host, server.port);
    opened.push(proxy);
    const url = await newTestDatabase();
    const through = Object.assign(new URL(url), { host: `127.0.0.1:${proxy.port}` }).href;
    const subject = await Subject.open(url, through);
    opened.push(subject);
    proxy.cutNextAnswer();
    expect(await subject.write([charge('r1', 10n)])).toEqual([repeated(10n, 5n)]);
    expect(proxy.cuts()).toBe(1);
    expect((await subject.database.ledger.wallets('alice'))[0]).toMatchObject({
      balance: FUNDS - 10n,
    });
  });

  test('is written once when its connection is killed before the commit', async () => {
    const url = await newTestDatabase();
    const subject = await Subject.open(url);
    opened.push(subject);
    const admin = new PostgresLink({
      ...{ url: new Secret(url), clock: systemClock, statementMs: 0, lockMs: 0 },
    });
    const written = await admin.ask(60_000, async (client) => {
      const writing = await client.begin(async (begun) => {
        await begun.unsafe("SELECT 1 FROM wallet WHERE account_id = 'alice' FOR UPDATE");
        const started = subject.write([charge('r1', 10n), charge('r2', 5n)]);
        let killed: readonly unknown[] = [];
        // Waits until the batch is blocked by the wallet's lock.
        while (killed.length === 0) {
          killed = await begun.unsafe(`SELECT pg_terminate_backend(pid) FROM pg_locks
            WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`);
        }
        return { started };
      });
      return await writing.started;
    });
    await admin.close();
    expect(written).toEqual([applied(10n, 5n), applied(5n, 5n)]);
    expect(await subject.rows('SELECT COUNT(*) AS n FROM receipt')).toEqual([{ n: 2n }]);
    expect(await subject.database.ledger.verify()).toEqual([]);
  });

  test('keeps the chain of balances when two nodes charge the same accounts', async () => {
    const url = await newTestDatabase();
    const [one, two] = [await Subject.open(url), await Subject.join(url)];
    opened.push(one, two);
    const batch = (node: string, round: number, order: readonly string[]) =>
      order.flatMap((accountId) =>
        [1n, 2n].map((price) =>
          charge(`${node}_${round}_${accountId}_${price}`, price, { of: { accountId } }),
        ),
      );
    const written: Promise<readonly Reply[]>[] = [];
    for (let round = 0; round < 40; round += 1) {
      written.push(one.write(batch('one', round, ['alice', 'bob'])));
      written.push(two.write(batch('two', round, ['bob', 'alice'])));
    }
    const replies = (await Promise.all(written)).flat();
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set(['applied']));
    const { ledger } = one.database;
    expect((await ledger.wallets('alice'))[0]).toMatchObject({ balance: FUNDS - 240n });
    expect((await ledger.wallets('bob'))[0]).toMatchObject({ balance: FUNDS - 240n });
    expect(await ledger.verify()).toEqual([]);
  });
});
