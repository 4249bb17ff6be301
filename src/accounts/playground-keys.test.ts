/**
 * Tests with every database engine that each person has their own playground key in each account.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { asGatewayError } from '../errors.ts';
import type { Database } from '../ledger/database.ts';
import { NOTHING_HELD } from '../ledger/nothing-held.fixture.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../money/amount.ts';
import { MAX_KEYS } from './account.ts';
import { Accounts } from './accounts.ts';
import type { Player } from './playground-keys.ts';

/** The timeout is long because the first test that uses PostgreSQL starts the server. */
setDefaultTimeout(180_000);
afterAll(removeFiles);

const ADA: Player = { id: 'usr_ada', name: 'Ada' };
const BEN: Player = { id: 'usr_ben', name: 'Ben' };
const fromNowhere = (): null => null;

describe('SQLite', () => laws(async () => openFile(newFile()), 'BLOB'));
describe('PostgreSQL', () => laws(() => openPostgresForTest(), 'BYTEA'));

/**
 * Defines the tests of one database engine.
 * @param bytes the engine's type for binary columns.
 */
function laws(open: () => Promise<Database>, bytes: 'BLOB' | 'BYTEA'): void {
  /** Runs the test in a new database. */
  const inRoom = async (run: (room: Awaited<ReturnType<typeof roomIn>>) => Promise<void>) => {
    const database = await open();
    await run(await roomIn(database, bytes));
    await database.close();
  };

  test('concurrent requests of two people make one key for each', () =>
    inRoom(async ({ play, keys }) => {
      const callers = await Promise.all([ADA, BEN, ADA, BEN, ADA, BEN].map((each) => play(each)));
      expect(new Set(callers.map(({ keyId }) => keyId)).size).toBe(2);
      expect(callers.map(({ keyName }) => keyName).slice(0, 2)).toEqual([
        ...['Playground · Ada', 'Playground · Ben'],
      ]);
      // Keys created in the same millisecond have an undefined order.
      const made = (await keys()).map(({ createdBy, purpose, scopes }) => [
        ...[createdBy, purpose, scopes.join()],
      ]);
      expect(made.sort()).toEqual([
        ['usr_ada', 'playground', 'inference'],
        ['usr_ben', 'playground', 'inference'],
      ]);
    }));

  test('a person has another key in another account', () =>
    inRoom(async ({ accounts, play }) => {
      const { id } = await accounts.createAccount({ name: 'Other' });
      const there = await accounts.playgroundOf(id, ADA, fromNowhere);
      expect([there.accountId, there.keyId === (await play(ADA)).keyId]).toEqual([id, false]);
      expect((await accounts.playgroundOf(id, ADA, fromNowhere)).keyId).toBe(there.keyId);
    }));

  test('a disabled key refuses its person only, and a revoked one is replaced', () =>
    inRoom(async ({ accounts, play }) => {
      const [{ keyId }, ben] = [await play(ADA), await play(BEN)];
      await accounts.keysOf(null).disable(keyId, 'admin');
      expect(await codeOf(play(ADA))).toBe('invalid_api_key');
      expect((await play(BEN)).keyId).toBe(ben.keyId);
      await accounts.keysOf(null).revoke(keyId);
      expect((await play(ADA)).keyId).not.toBe(keyId);
    }));

  test('its person cannot change it, as a member', () =>
    inRoom(async ({ accounts, account, play }) => {
      const { keyId } = await play(ADA);
      const own = accounts.keysOf(account.id, ADA.id);
      for (const change of [
        () => own.update(keyId, { limits: { spend: { month: null } } }, ADA.id),
        () => own.rotate(keyId, 0, ADA.id),
        () => own.disable(keyId, ADA.id),
        () => own.revoke(keyId, ADA.id),
      ]) {
        expect(await codeOf(change())).toBe('not_allowed');
      }
      await accounts.keysOf(account.id).update(keyId, { name: 'Ada plays' }, 'admin');
      expect((await play(ADA)).keyName).toBe('Ada plays');
    }));

  test('keys of the playground do not count against the most keys of an account', () =>
    inRoom(async ({ accounts, account, play, fill }) => {
      await fill(MAX_KEYS - 1);
      await Promise.all([play(ADA), play(BEN)]);
      await accounts.createKey(account.id, { name: 'the last' });
      expect(await codeOf(accounts.createKey(account.id, { name: 'one more' }))).toBe('conflict');
      const { keyName } = await play({ id: 'usr_cleo', name: '𝒞'.repeat(50) });
      expect([keyName.length <= 100, keyName.isWellFormed()]).toEqual([true, true]);
    }));

  test('a new key has the limits of the key that the account shared in earlier versions', () =>
    inRoom(async ({ accounts, keys, play, share }) => {
      await share();
      const all = accounts.keysOf(null);
      const [shared] = await keys();
      const id = shared?.id ?? '';
      const limits = { concurrency: 2, models: ['gen-v4'], spend: { month: nano(9n) } };
      await all.update(id, { limits, scopes: ['inference', 'usage'] }, 'admin');
      const before = await all.get(id);
      const { keyId } = await play(ADA);
      const made = await all.get(keyId);
      expect(keyId).not.toBe(id);
      expect(made.limits).toEqual(before.limits);
      expect([made.spend.month.cap, made.spend.day.cap]).toEqual([nano(9n), null]);
      expect(made.scopes).toEqual(before.scopes);
      expect(await all.get(id)).toEqual(before);
      // A playground key that an owner has disabled stays disabled.
      await all.disable(id, 'admin');
      expect(await codeOf(play(BEN))).toBe('invalid_api_key');
      expect((await play(ADA)).keyId).toBe(keyId);
      await all.revoke(id);
      expect((await all.get((await play(BEN)).keyId)).spend.month.cap).toBeNull();
    }));
}

async function roomIn(database: Database, bytes: 'BLOB' | 'BYTEA') {
  const { sql } = database;
  const accounts = new Accounts({
    inMemory: NOTHING_HELD,
    sql,
    clock: systemClock,
    onLastUsedFailure: () => {},
  });
  const account = await accounts.createAccount({ name: 'Acme' });
  const insert = (from: number, to: number, more: string, values: string) =>
    sql.query({
      sql: `INSERT INTO api_key (id, account_id, name, hash, prefix, last4, created_at_ms ${more})
        WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
        SELECT 'key_' || i, $1, 'bulk', CAST('0123456789abcdef012345' || (1000000000 + i) AS ${bytes}),
          'sk-mg-bulk', 'bulk', 0 ${values} FROM n`,
      params: [account.id],
    });
  return {
    ...{ accounts, account },
    play: (person: Player) => accounts.playgroundOf(account.id, person, fromNowhere),
    keys: async () => (await accounts.keysOf(account.id).list()).items,
    fill: (count: number) => insert(1, count, '', ''),
    /** Creates a key that all people of an account share, as before schema 40. */
    share: () => insert(0, 0, ', purpose', ", 'playground'"),
  };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const thrown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  return thrown === null ? 'none' : asGatewayError(thrown).code;
}
