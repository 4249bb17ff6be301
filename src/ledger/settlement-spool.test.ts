import { afterAll, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError } from '../errors.ts';
import { nano } from '../money/amount.ts';
import { AT_MS, credit, furnish, hold, settle, walletOf } from './books.fixture.ts';
import type { Command, Ledger, Outcome, VoidCommand } from './ledger.ts';
import { SettlementSpool } from './settlement-spool.ts';
import { newFile, openFile, removeFiles } from './sqlite.fixture.ts';

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

const giveBack = (id: string): VoidCommand => ({
  kind: 'void',
  id,
  accountId: 'alice',
  keyId: 'key_alice',
  currency: 'USD',
  atMs: AT_MS,
});

/** A ledger that is away. */
const away: Pick<Ledger, 'apply'> = {
  apply: () => Promise.reject(new GatewayError('store_unavailable', 'away')),
};

test('what was kept by one process is replayed by the next, and then is gone', async () => {
  const spool = new SettlementSpool(path);
  const command = settle('h1', 24n, { attempts: ['a/b:200'], firstByteMs: null });
  await Promise.all([spool.keep(command), spool.keep(giveBack('h2'))]);
  expect(spool.waiting).toBe(2);
  spool.close();

  const next = new SettlementSpool(path);
  expect(next.waiting).toBe(2);
  const seen: Command[] = [];
  const done: Outcome = {
    status: 'applied',
    result: { amount: nano(24n), available: nano(0n), loss: nano(0n) },
  };
  const ledger = {
    apply: async (batch: readonly Command[]): Promise<readonly Outcome[]> => {
      seen.push(...batch);
      return batch.map(() => done);
    },
  };
  expect(await next.replay(ledger)).toEqual({ applied: 2, refused: [] });
  expect(seen).toEqual([command, giveBack('h2')]);
  expect([next.waiting, await next.replay(ledger)]).toEqual([0, { applied: 0, refused: [] }]);
  next.close();
});

test('while the store is away everything stays, in order', async () => {
  const spool = new SettlementSpool(path);
  for (let each = 0; each < 450; each++) await spool.keep(settle(`h${each}`, 1n));
  expect(await spool.replay(away)).toEqual({ applied: 0, refused: [] });
  expect(spool.waiting).toBe(450);
  spool.close();
});

test('a replay takes nothing twice, and what the books refuse is kept apart with the reason', async () => {
  const database = await openFile(newFile());
  const { ledger } = database;
  await furnish(database);
  await ledger.apply([credit('c1', 100n), hold('h1', 30n), hold('h2', 30n)]);
  const spool = new SettlementSpool(path);
  // The answer to the first was lost; the second never arrived; the third is of no hold at all.
  await ledger.apply([settle('h1', 24n)]);
  for (const id of ['h1', 'h2', 'h9']) await spool.keep(settle(id, 24n));
  expect(await spool.replay(ledger)).toEqual({
    applied: 2,
    refused: [{ id: 'h9', kind: 'settle', reason: 'hold_unknown' }],
  });
  expect(await walletOf(ledger, 'USD')).toEqual([nano(52n), nano(0n)]);
  expect([spool.waiting, await spool.replay(ledger)]).toEqual([0, { applied: 0, refused: [] }]);
  expect(await ledger.verify()).toEqual([]);
  spool.close();
  await database.close();
});

test('two processes may keep and replay at once', async () => {
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

test('no file is made before it is needed', () => {
  const spool = new SettlementSpool(path);
  expect([spool.waiting, existsSync(path)]).toEqual([0, false]);
  spool.close();
});
