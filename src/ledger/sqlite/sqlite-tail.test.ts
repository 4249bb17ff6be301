/** Tests that booking the tail (charges on disk) has the same result as booking one by one. */
import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { copyFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Currency, nano } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import { wholeToJson } from '../../money/whole.ts';
import type { SqlRow } from '../../store/sql.ts';
import { StoreFile } from '../../store/sqlite/store-file.ts';
import {
  AT_MS,
  credit,
  failureOf,
  furnish,
  hold,
  receipt,
  settle,
} from '../conformance/ledger.fixture.ts';
import { encodeWrites, type WireWrite } from '../float/float-wire.ts';
import { receiptValues } from '../receipt-row.ts';
import { diskFull, newFile, openFile, removeFiles } from './sqlite.fixture.ts';
import { type Questions, SqliteThread } from './sqlite-thread.ts';
import { SLICE_WORK, TailWindow } from './tail-window.ts';

afterAll(removeFiles);

/** Runs the code of the SQLite thread in the test's own thread. `ask` returns its answer. */
class Asked {
  readonly #thread: SqliteThread;

  constructor(openFile?: typeof StoreFile.open, sliceWork?: number) {
    this.#thread = new SqliteThread(openFile, sliceWork);
  }

  ask<Kind extends keyof Questions>(
    kind: Kind,
    ask: Questions[Kind]['ask'],
  ): Questions[Kind]['answer'] {
    const question = { id: 0, kind, ask } as Parameters<SqliteThread['answer']>[0];
    const answer = this.#thread.answer(question);
    if ('failed' in answer) throw new Error(answer.failed.message);
    return answer.answer as Questions[Kind]['answer'];
  }

  query = (sql: string): readonly SqlRow[] => this.ask('query', { sql, params: [] });
}

/** Returns an open SQLite thread with the test accounts, which have money in their wallets. */
async function furnished(openStore?: typeof StoreFile.open, file = newFile()): Promise<Asked> {
  const database = await openFile(file);
  await furnish(database);
  const rich = (['alice', 'bob'] as const).flatMap((accountId) =>
    (['USD', 'CNY'] as const).map((currency) =>
      credit(`${accountId} ${currency}`, 10n ** 18n, { accountId, currency }),
    ),
  );
  await database.ledger.apply(rich);
  await database.close();
  const asked = new Asked(openStore);
  asked.ask('open', { path: file, nowMs: 0 });
  return asked;
}

type Sale = {
  readonly id: number;
  readonly accountId: 'alice' | 'bob';
  readonly currency: Currency;
  readonly price: bigint;
  readonly lossPart: bigint;
  readonly boughtPart: bigint;
  readonly held: bigint;
  readonly careful: number | null;
  readonly days: number;
  readonly outcome: 'completed' | 'caller_left';
  readonly kind: 'charge' | 'charge' | 'checkpoint' | 'forget';
};

const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 60n }),
  // Integers around 2^53. Above it, a JavaScript number cannot represent every integer.
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 60n }),
);
const sales: fc.Arbitrary<readonly Sale[]> = fc.array(
  fc.record({
    // There are few ids, so that requests repeat.
    id: fc.nat(12),
    accountId: fc.constantFrom('alice', 'bob'),
    currency: fc.constantFrom('USD', 'CNY'),
    price: amount,
    lossPart: fc.constantFrom(0n, 0n, 0n, 2n),
    boughtPart: fc.constantFrom(0n, 0n, 3n),
    held: amount,
    careful: fc.constantFrom(null, null, 0, 3),
    days: fc.constantFrom(0, 0, 0, 1, -1, 8, 40),
    outcome: fc.constantFrom('completed', 'caller_left'),
    kind: fc.constantFrom('charge', 'charge', 'checkpoint', 'forget'),
  }),
  { maxLength: 30 },
);

function wireOf(run: number, sale: Sale): WireWrite {
  const { accountId, currency, price, held, outcome } = sale;
  const id = `run${run}_${accountId}_${sale.id}`;
  const loss = sale.lossPart === 0n ? 0n : price / sale.lossPart;
  const taken = price - loss;
  const bought = sale.boughtPart === 0n ? 0n : taken / sale.boughtPart;
  const values = receiptValues(receipt(id, price % 1_000n, { accountId, currency, outcome }));
  if (sale.kind === 'forget') return ['forget', id];
  if (sale.kind === 'checkpoint') {
    return ['checkpoint', id, 'e', held.toString(), null, price.toString(), values];
  }
  const [charged, paid, exchanged] = [price, taken, bought].map(wholeToJson);
  const [sold, lost, counted, reserved] = [bought / 7n, loss, taken * 2n, held].map(wholeToJson);
  const exchangeId = bought === 0n ? null : 'fx_usd_cny';
  const atMs = AT_MS + sale.days * DAY_MS;
  return [
    ...(['charge', id, charged ?? 0, paid ?? 0, exchanged ?? 0, sold ?? 0, lost ?? 0] as const),
    ...([99, counted ?? 0, reserved ?? 0, exchangeId, sale.careful, atMs, values] as const),
  ];
}

const TABLES = [
  ...['receipt ORDER BY account_id, seq', 'wallet ORDER BY account_id, currency'],
  ...['spend_meter ORDER BY owner_id', 'usage_day ORDER BY 1, 2, 3, 4, 5, 6'],
  ...['usage_month ORDER BY 1, 2, 3, 4, 5, 6', 'overrun ORDER BY request_id'],
  ...['checkpoint ORDER BY request_id', 'account ORDER BY id'],
];
/** Encodes a charge of this account, which need not exist. */
const chargeOf = (accountId: string): WireWrite => {
  const charge = wireOf(0, PLAIN);
  const values = receiptValues(receipt(accountId, 1n, { accountId }));
  return [...charge.slice(0, -1), values] as unknown as WireWrite;
};

/** Encodes charges of both accounts alternately. */
const appended = (from: number, count: number): string =>
  encodeWrites(
    Array.from({ length: count }, (_, each) => {
      const accountId = each % 2 === 0 ? 'alice' : 'bob';
      return wireOf(0, { ...PLAIN, id: from + each, accountId });
    }),
  );

/** Returns all rows that booking writes, without `seq`: accounts may be booked in any order. */
const contentOf = (asked: Asked) =>
  TABLES.map((table) => asked.query(`SELECT * FROM ${table}`).map(({ seq: _, ...row }) => row));

describe('the tail', () => {
  test('is booked like its writes one by one, whatever shares a slice', async () => {
    const exact = await furnished();
    const lazy = await furnished();
    let run = 0;
    fc.assert(
      fc.property(sales, fc.integer({ min: 1, max: 30 }), (history, batch) => {
        run += 1;
        const wires = history.map((sale) => wireOf(run, sale));
        for (const wire of wires) exact.ask('write', encodeWrites([wire]));
        for (let from = 0; from < wires.length; from += batch) {
          lazy.ask('append', encodeWrites(wires.slice(from, from + batch)));
        }
        expect(contentOf(lazy)).toEqual(contentOf(exact));
      }),
      { numRuns: 60 },
    );
    expect(lazy.query('SELECT * FROM receipt_tail')).toEqual([]);
  }, 180_000);

  test('is booked in slices of few accounts, between which the thread can commit', async () => {
    let store: StoreFile | null = null;
    const asked = await furnished((path, nowMs) => {
      store = StoreFile.open(path, nowMs);
      return store;
    });
    for (let from = 0; from < 300; from += 10) asked.ask('append', appended(from, 10));
    const sql = 'SELECT account_id, COUNT(*) AS n FROM receipt GROUP BY 1 ORDER BY 1';
    const booked = (): unknown => store?.query({ sql, params: [] }).map(Object.values);
    // The first two steps read most of the tail. The third reads the rest and books a part.
    for (const _ of ['first', 'second']) {
      expect(asked.ask('book', null)).toBe('window');
      expect(booked()).toEqual([]);
    }
    expect(asked.ask('book', null)).toBe('window');
    expect(booked()).toEqual([['alice', BigInt(SLICE_WORK - 2)]]);
    asked.ask('append', appended(300, 1));
    let left = asked.ask('book', null);
    while (left === 'window') left = asked.ask('book', null);
    expect([left, booked()]).toEqual([
      'tail',
      [
        ['alice', 150n],
        ['bob', 150n],
      ],
    ]);
    expect(asked.ask('book', null)).toBe('nothing');
  });

  test('is booked faster than it grows, whatever the size of the commits', async () => {
    const asked = await furnished();
    for (const size of [40, 300]) {
      let commits = 0;
      const append = (): void => {
        asked.ask('append', appended(size * (1_000 + commits), size));
        commits += 1;
      };
      while (commits < 30) append();
      // Commits again after each step of booking. Nevertheless, the tail must become shorter than a
      // window, the largest part that is booked at a time.
      let left = asked.ask('book', null);
      while (left === 'window' && commits < 400) {
        append();
        left = asked.ask('book', null);
      }
      expect(left).toBe('tail');
      asked.query('SELECT 1');
    }
  }, 180_000);

  test('is booked faster than it grows when each charge is of another account', () => {
    const [commits, size] = [16, 100];
    const rows = Array.from({ length: commits }, (_, commit) => {
      const charges = Array.from({ length: size }, (_, each) => chargeOf(`acc_${commit}_${each}`));
      return { seq: BigInt(commit + 1), body: encodeWrites(charges) };
    });
    const nextInTail = { get: (after: bigint) => rows.find(({ seq }) => seq > after) ?? null };
    const window = new TailWindow({ nextInTail } as ConstructorParameters<typeof TailWindow>[0]);
    while (window.read());
    let booked = 0;
    for (let last: bigint | null = null; last === null; ) {
      const slice = window.slice(SLICE_WORK);
      window.done(slice);
      ({ last } = slice);
      booked += slice.writes.length;
      if (last === null) expect(slice.writes.length).toBeGreaterThan(size);
    }
    expect(booked).toBe(commits * size);
  });

  test('is booked again after a crash, without the charges that were booked before', async () => {
    const path = newFile();
    const asked = await furnished(undefined, path);
    for (let from = 0; from < 300; from += 20) asked.ask('append', appended(from, 20));
    const states: unknown[] = [];
    for (let left = ''; left !== 'nothing'; left = asked.ask('book', null)) {
      const copy = newFile();
      for (const part of ['', '-wal']) copyFileSync(`${path}${part}`, `${copy}${part}`);
      const again = new Asked();
      again.ask('open', { path: copy, nowMs: 0 });
      states.push(contentOf(again));
      again.ask('close', null);
    }
    expect(states.length).toBeGreaterThan(6);
    expect(states).toEqual(states.map(() => contentOf(asked)));
  });

  test('is booked before the file is read, and before it is closed', async () => {
    const asked = await furnished();
    const receipts = () => asked.query('SELECT request_id FROM receipt').length;
    asked.ask('append', encodeWrites([wireOf(0, PLAIN)]));
    expect(receipts()).toBe(1);
    asked.ask('append', encodeWrites([wireOf(1, PLAIN)]));
    const { account } = asked.ask('sheets', { accountId: 'alice', keyId: 'key_alice' });
    expect(account?.wallets.USD.balance).toBe(10n ** 18n - 2n * PLAIN.price);
  });
});

test('a tail that a full disk keeps from being booked is read, and nothing is written', async () => {
  let isFull = false;
  const asked = await furnished((path, nowMs) => {
    const store = StoreFile.open(path, nowMs);
    const { inTransaction } = store;
    // A full disk refuses the commit, so all writes of the transaction are undone.
    store.inTransaction = (work) =>
      inTransaction.call(store, () => {
        const result = work();
        if (isFull) throw diskFull();
        return result;
      }) as ReturnType<typeof work>;
    return store;
  });
  const failure = (work: () => unknown): string => {
    try {
      return `not refused: ${Bun.inspect(work())}`;
    } catch (thrown) {
      return String(thrown);
    }
  };
  asked.ask('append', encodeWrites([wireOf(0, PLAIN), wireOf(1, PLAIN)]));
  isFull = true;
  const sheets = () => asked.ask('sheets', { accountId: 'alice', keyId: 'key_alice' });
  const left = 10n ** 18n - 2n * PLAIN.price;
  for (const _ of ['once', 'again']) {
    expect(asked.query('SELECT COUNT(*) AS n FROM receipt')).toEqual([{ n: 2n }]);
    expect(sheets().account?.wallets.USD.balance).toBe(left);
  }
  const renamed = "UPDATE account SET name = 'x' WHERE id = 'alice' RETURNING id";
  expect(failure(() => asked.query(renamed))).toContain('readonly');
  const order = { statements: [{ sql: renamed, params: [] }], audit: null };
  expect(failure(() => asked.ask('transaction', order))).toContain('Free some space there');
  expect(failure(() => asked.ask('book', null))).toContain('is full');
  isFull = false;
  expect(asked.query("SELECT name FROM account WHERE id = 'alice'")).toEqual([{ name: 'alice' }]);
  expect(asked.query('SELECT * FROM receipt_tail')).toEqual([]);
  expect(sheets().account?.wallets.USD.balance).toBe(left);
  expect(asked.query(renamed)).toHaveLength(1);
});

const PLAIN: Sale = {
  ...{ id: 0, accountId: 'alice', currency: 'USD', price: 7n, held: 11n, careful: null, days: 0 },
  ...{ lossPart: 0n, boughtPart: 0n, outcome: 'completed', kind: 'charge' },
};

describe('a charge that the tables would refuse', () => {
  let file: string;
  beforeEach(() => {
    file = newFile();
  });

  test('is refused alone, before it is durable', async () => {
    const database = await openFile(file);
    await furnish(database);
    const { ledger } = database;
    const ids = ['h1', 'h2', 'h3', 'h4', 'h5'];
    await ledger.apply([credit('c1', 1_000n), ...ids.map((id) => hold(id, 10n))]);
    // The store itself checks the first charge that uses a price card. From then on, charges with
    // this card are only appended to the tail.
    await ledger.settle(settle('h1', 7n));
    const faulty = [
      settle('h2', 7n, { cardId: 'unpublished' }),
      settle('h2', 7n, { durationMs: Number.NaN }),
      settle('h2', 7n, { firstByteMs: Number.POSITIVE_INFINITY }),
      settle('h2', 7n, { startedAtMs: 0.5 }),
    ];
    const failures = faulty.map((command) => failureOf(ledger.settle(command)));
    const sound = ['h3', 'h4'].map((id) => ledger.settle(settle(id, 7n)));
    expect(await Promise.all(failures)).toMatchObject([
      { code: 'internal_error' },
      ...['receipt.durationMs', 'receipt.firstByteMs', 'receipt.startedAtMs'].map((param) => ({
        code: 'invalid_value',
        param,
      })),
    ]);
    expect((await Promise.all(sound)).map(({ status }) => status)).toEqual(['applied', 'applied']);
    // The faulty settlements left the hold open, so a valid settlement is still accepted.
    expect((await ledger.settle(settle('h2', 7n))).status).toBe('applied');
    expect((await ledger.wallets('alice'))[0]).toMatchObject({ balance: 972n, held: 10n });
    expect(await ledger.verify()).toEqual([]);
    await database.close();
  });

  test('for a reason that nobody foresaw stays in the tail, and nothing is sold', async () => {
    const first = await openFile(file);
    await furnish(first);
    const { ledger, sql } = first;
    const ids = ['h1', 'h2', 'h3'];
    await ledger.apply([credit('c1', 1_000n), ...ids.map((id) => hold(id, 10n))]);
    await ledger.settle(settle('h1', 7n));
    await sql.query({
      sql: `CREATE TRIGGER unforeseen BEFORE INSERT ON receipt BEGIN
              SELECT RAISE(ABORT, 'an unforeseen rule'); END`,
      params: [],
    });
    expect((await ledger.settle(settle('h2', 7n))).status).toBe('applied');
    const reading = await failureOf(ledger.wallets('alice'));
    const why = 'charges that are already on disk cannot be booked: an unforeseen rule';
    const isUnbooked = {
      code: 'store_unavailable',
      cause: { message: expect.stringContaining(why) },
    };
    expect(reading).toMatchObject(isUnbooked);
    // The heartbeat and the health check report the fault. The float, which decides holds in
    // memory, refuses new holds.
    expect(await failureOf(ledger.renew('epoch_1', 1_000))).toMatchObject(isUnbooked);
    expect(await failureOf(first.ping())).toMatchObject(isUnbooked);
    expect(await failureOf(ledger.apply([hold('h4', 1n)]))).toMatchObject({
      code: 'store_unavailable',
    });
    // The settlement of an earlier hold fails. The gateway then keeps it in the spool, a file on
    // disk, until the store accepts it.
    expect(await failureOf(ledger.settle(settle('h3', 7n)))).toMatchObject({
      code: 'store_unavailable',
    });
    await first.close();
    expect(String(await failureOf(openFile(file)))).toContain(why);

    const repaired = new SqliteFile(file);
    // The thread of the failed start may still be ending.
    repaired.run('PRAGMA busy_timeout = 5000');
    expect(repaired.query('SELECT COUNT(*) AS n FROM receipt_tail').get()).toEqual({ n: 1 });
    repaired.run('DROP TRIGGER unforeseen');
    repaired.close();
    const second = await openFile(file);
    expect((await second.ledger.receipt('h2'))?.charge).toBe(nano(7n));
    expect((await second.ledger.wallets('alice'))[0]).toMatchObject({ balance: 986n });
    expect(await second.ledger.verify()).toEqual([]);
    await second.close();
  });
});
