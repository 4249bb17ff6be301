import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GatewayError } from '../errors.ts';
import { nano } from '../money/amount.ts';
import { unavailable } from '../store/store-fault.ts';
import {
  AT_MS,
  credit,
  failureOf,
  furnish,
  hold,
  settle,
  walletOf,
} from './conformance/ledger.fixture.ts';
import type { Command, Ledger, Outcome, VoidCommand } from './ledger.ts';
import {
  MAX_SPOOLED,
  MAX_WITH_VOIDS,
  RESERVED_BYTES,
  SettlementSpool,
  SPOOL_FORMAT,
} from './settlement-spool.ts';
import { newFile, openFile, removeFiles } from './sqlite/sqlite.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'modelgate-spool-'));
let path: string;
let files = 0;

beforeEach(() => {
  path = join(folder, `${++files}`, 'spool.db');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  removeFiles();
});

const voidOf = (id: string): VoidCommand => ({
  kind: 'void',
  id,
  accountId: 'alice',
  keyId: 'key_alice',
  currency: 'USD',
  atMs: AT_MS,
});

const DONE: Outcome = {
  status: 'applied',
  result: { amount: nano(24n), available: nano(0n), loss: nano(0n) },
};

/** A ledger whose store is unavailable. */
const away: Pick<Ledger, 'apply'> = {
  apply: () => Promise.reject(new GatewayError('store_unavailable', 'away')),
};

test('commands that one process spooled are replayed by the next, and then removed', async () => {
  const spool = new SettlementSpool(path);
  const settled = settle('h1', 24n, {
    attempts: [
      { channel: 'direct', upstream: 'a', model: 'b', result: '200', startMs: 0, durationMs: 12 },
    ],
    firstByteMs: null,
    facts: '{"tier":"priority"}',
    upstreamId: 'chatcmpl-1',
    reportedCostPico: 24_000n,
    measure: 'read_on',
  });
  const command = { ...settled, held: nano(30n), exchangeId: 'fx_usd_cny' };
  await Promise.all([spool.keep(command), spool.keep(voidOf('h2'))]);
  expect(spool.waiting).toBe(2);
  spool.close();

  const next = new SettlementSpool(path);
  expect(next.waiting).toBe(2);
  const seen: Command[] = [];
  const ledger = {
    apply: async (batch: readonly Command[]): Promise<readonly Outcome[]> => {
      seen.push(...batch);
      return batch.map(() => DONE);
    },
  };
  expect(await next.replay(ledger)).toEqual({ applied: 2, refused: [] });
  expect(seen).toEqual([command, voidOf('h2')]);
  expect([next.waiting, await next.replay(ledger)]).toEqual([0, { applied: 0, refused: [] }]);
  next.close();
});

test('keeps its file from other users of the machine', async () => {
  const spool = new SettlementSpool(path);
  await spool.keep(voidOf('h1'));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  spool.close();
});

test('keeps everything in order while the store is unavailable', async () => {
  const spool = new SettlementSpool(path);
  for (let each = 0; each < 450; each++) await spool.keep(settle(`h${each}`, 1n));
  expect(await spool.replay(away)).toEqual({ applied: 0, refused: [] });
  expect(spool.waiting).toBe(450);
  spool.close();
});

test('a replay stops when its time is over, and the next continues there', async () => {
  const spool = new SettlementSpool(path);
  await Promise.all(Array.from({ length: 450 }, (_, each) => spool.keep(settle(`h${each}`, 1n))));
  const seen: string[] = [];
  const ledger = {
    apply: async (batch: readonly Command[]): Promise<readonly Outcome[]> => {
      seen.push(...batch.map(({ id }) => id));
      return batch.map(() => DONE);
    },
  };
  expect(await spool.replay(ledger, () => false)).toEqual({ applied: 200, refused: [] });
  expect([seen.length, spool.waiting]).toEqual([200, 250]);
  expect(await spool.replay(ledger)).toEqual({ applied: 250, refused: [] });
  expect([seen.length, new Set(seen).size, spool.waiting]).toEqual([450, 450, 0]);
  spool.close();
});

test('voids leave room for settlements, and a full spool refuses', async () => {
  const spool = new SettlementSpool(path);
  const voids = Array.from({ length: MAX_WITH_VOIDS }, (_, each) => voidOf(`v${each}`));
  await Promise.all(voids.map((each) => spool.keep(each)));
  expect(await failureOf(spool.keep(voidOf('one more')))).toMatchObject({
    code: 'store_unavailable',
  });
  const left = Array.from({ length: MAX_SPOOLED - MAX_WITH_VOIDS }, (_, at) =>
    settle(`h${at}`, 1n),
  );
  await Promise.all(left.map((each) => spool.keep(each)));
  expect(spool.waiting).toBe(MAX_SPOOLED);
  expect(await failureOf(spool.keep(settle('one more', 1n)))).toMatchObject({
    code: 'store_unavailable',
  });
  spool.close();
}, 180_000);

test('a replay charges nothing twice, and keeps refused commands with the reason', async () => {
  const database = await openFile(newFile());
  const { ledger } = database;
  await furnish(database);
  await ledger.apply([credit('c1', 100n), hold('h1', 30n), hold('h2', 30n)]);
  const spool = new SettlementSpool(path);
  // The reply to the first settlement was lost, the second never arrived, and the third names an
  // account that does not exist.
  await ledger.apply([settle('h1', 24n)]);
  for (const id of ['h1', 'h2']) await spool.keep(settle(id, 24n));
  await spool.keep(settle('h9', 24n, { accountId: 'nobody' }));
  expect(await spool.replay(ledger)).toMatchObject({
    applied: 2,
    refused: [{ id: 'h9', kind: 'settle', reason: expect.stringContaining('internal_error') }],
  });
  expect(await walletOf(ledger, 'USD')).toEqual([nano(52n), nano(0n)]);
  expect([spool.waiting, await spool.replay(ledger)]).toEqual([0, { applied: 0, refused: [] }]);
  expect(await ledger.verify()).toEqual([]);
  spool.close();
  await database.close();
});

test('an unreadable row does not block the others', async () => {
  const spool = new SettlementSpool(path);
  await spool.keep(voidOf('h1'));
  const file = new SqliteFile(path);
  file.run(`INSERT INTO spooled (command) VALUES ('{"kind":"settle","charge":"much"}')`);
  file.close();
  await spool.keep(voidOf('h2'));
  const ids: string[] = [];
  const ledger = {
    apply: async (batch: readonly Command[]): Promise<readonly Outcome[]> => {
      ids.push(...batch.map(({ id }) => id));
      return batch.map(() => ({ status: 'hold_resolved' }));
    },
  };
  expect(await spool.replay(ledger)).toMatchObject({
    applied: 2,
    refused: [{ id: 'row 2', kind: 'unreadable' }],
  });
  expect(ids).toEqual(['h1', 'h2']);
  spool.close();
});

test('says which file is damaged, and what to do', () => {
  mkdirSync(dirname(path));
  writeFileSync(path, '*'.repeat(8_192));
  expect(() => new SettlementSpool(path)).toThrow(
    `The file ${path} is damaged (file is not a database)`,
  );
  expect(() => new SettlementSpool(path)).toThrow('and start again');
});

test('a row of a newer format stays for the version that knows it', async () => {
  const spool = new SettlementSpool(path);
  expect(spool.ofNewerVersions).toBe(0);
  await spool.keep(voidOf('h1'));
  const file = new SqliteFile(path);
  const [row] = file.query<{ command: string }, []>('SELECT command FROM spooled').all();
  expect(JSON.parse(row?.command ?? '')).toEqual({ ...voidOf('h1'), format: SPOOL_FORMAT });
  const newer = JSON.stringify(
    { ...settle('h2', 1n), charge: '1', format: SPOOL_FORMAT + 1 },
    (_, it) => (typeof it === 'bigint' ? it.toString() : it),
  );
  file.run('INSERT INTO spooled (command) VALUES (?)', [newer]);
  const ledger = { apply: async (): Promise<readonly Outcome[]> => [DONE] };
  expect(await spool.replay(ledger)).toEqual({ applied: 1, refused: [] });
  expect([spool.waiting, spool.ofNewerVersions]).toEqual([0, 1]);
  expect(file.query('SELECT command, refused FROM spooled').all()).toEqual([
    { command: newer, refused: null },
  ]);
  file.close();
  spool.close();
  const next = new SettlementSpool(path);
  expect([next.waiting, next.ofNewerVersions]).toEqual([0, 1]);
  next.close();
});

test('two processes can spool and replay at the same time', async () => {
  const one = new SettlementSpool(path);
  const two = new SettlementSpool(path);
  await Promise.all([one.keep(settle('h1', 1n)), two.keep(settle('h2', 1n))]);
  const ids: string[] = [];
  const ledger = {
    apply: async (batch: readonly Command[]): Promise<readonly Outcome[]> =>
      batch.map(({ id }) => {
        ids.push(id);
        return {
          status: 'applied',
          result: { amount: nano(1n), available: nano(0n), loss: nano(0n) },
        };
      }),
  };
  await Promise.all([one.replay(ledger), two.replay(ledger)]);
  expect(new Set(ids)).toEqual(new Set(['h1', 'h2']));
  expect(new SettlementSpool(path).waiting).toBe(0);
  one.close();
  two.close();
});

test('a replay removes no command that took the row of a removed one', async () => {
  const one = new SettlementSpool(path);
  const two = new SettlementSpool(path);
  await one.keep(settle('h1', 1n));
  const applied = async (): Promise<readonly Outcome[]> => [DONE];
  const [sent, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = {
    apply: async (): Promise<readonly Outcome[]> => {
      sent.resolve();
      await answer.promise;
      return await applied();
    },
  };
  const replaying = two.replay(slow);
  await sent.promise;
  await one.replay({ apply: applied });
  await one.keep(settle('h2', 1n));
  answer.resolve();
  await replaying;
  expect(new SettlementSpool(path).waiting).toBe(1);
  one.close();
  two.close();
});

describe('reserved space', () => {
  const sizes = () => [statSync(path).size, statSync(`${path}-wal`).size];

  test('takes a thousand settlements without a byte more on disk', async () => {
    const spool = new SettlementSpool(path);
    spool.reserve();
    const reserved = sizes();
    expect(Math.min(...reserved)).toBeGreaterThanOrEqual(RESERVED_BYTES);
    const attempt = { channel: 'direct', upstream: 'a', model: 'b', result: '529', startMs: 0 };
    const attempts = Array.from({ length: 8 }, () => ({ ...attempt, durationMs: 12 }));
    for (let round = 0; round < 10; round++) {
      const kept = Array.from({ length: 100 }, (_, at) =>
        settle(`h${round}-${at}`, 1n, { attempts }),
      );
      await Promise.all(kept.map((command) => spool.keep(command)));
      expect(sizes()).toEqual(reserved);
    }
    spool.close();
  }, 180_000);

  test('is reserved again only after it was used, and survives a restart', async () => {
    const first = new SettlementSpool(path);
    first.reserve();
    const reserved = sizes();
    first.close();
    expect(sizes()).toEqual(reserved);
    const next = new SettlementSpool(path);
    next.reserve();
    expect(sizes()).toEqual(reserved);
    await Promise.all(Array.from({ length: 99 }, (_, at) => next.keep(settle(`h${at}`, 1n))));
    next.reserve();
    expect(sizes()[0]).toBeGreaterThan(reserved[0] ?? 0);
    expect(next.waiting).toBe(99);
    next.close();
  });

  test('that the disk does not have is an error for the operator', () => {
    const blocked = join(folder, `blocked-${files}`);
    writeFileSync(blocked, 'a file where the folder should be');
    const spool = new SettlementSpool(join(blocked, 'spool.db'));
    expect(() => spool.reserve()).toThrow('needs 8 MiB on disk');
  });
});

test('creates no file before it is needed', () => {
  const spool = new SettlementSpool(path);
  expect([spool.waiting, existsSync(path)]).toEqual([0, false]);
  spool.close();
});

test('sends a charge under an Idempotency-Key only if no repeat ran', async () => {
  const spool = new SettlementSpool(path);
  const free = { ...settle('free', 0n), charge: nano(0n) };
  await spool.keep(settle('h1', 1n), 'idem_1');
  await spool.keep(settle('h2', 1n), 'idem_2');
  await spool.keep(settle('h3', 1n));
  await spool.keep(free, 'idem_3');
  await spool.keep(voidOf('h4'), 'idem_4');
  const seen: string[] = [];
  const ledger = {
    apply: async (batch: readonly Command[]): Promise<readonly Outcome[]> => {
      seen.push(...batch.map(({ id }) => id));
      return batch.map(() => DONE);
    },
  };
  const asked: (readonly [string, number])[] = [];
  let isAway = true;
  const mayCharge = async (claimId: string, atMs: number): Promise<boolean> => {
    asked.push([claimId, atMs]);
    if (isAway) throw unavailable('cut');
    return claimId !== 'idem_1';
  };
  const all = (): boolean => true;
  expect(await spool.replay(ledger, all, mayCharge)).toEqual({ applied: 3, refused: [] });
  expect(seen).toEqual(['h3', 'free', 'h4']);
  expect(asked).toEqual(['idem_1', 'idem_2'].map((id) => [id, settle('h1', 1n).atMs]));
  isAway = false;
  expect(await spool.replay(ledger, all, mayCharge)).toEqual({
    applied: 1,
    refused: [
      { id: 'h1', kind: 'settle', reason: expect.stringContaining('released for a retry') },
    ],
  });
  expect(seen.slice(3)).toEqual(['h2']);
  expect(spool.waiting).toBe(0);
  spool.close();
});
