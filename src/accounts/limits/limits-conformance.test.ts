import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { systemClock } from '../../clock.ts';
import type { Database } from '../../ledger/database.ts';
import { NOTHING_HELD } from '../../ledger/nothing-held.fixture.ts';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../../money/amount.ts';
import { MAX_KEYS } from '../account.ts';
import { accountTag, keyTag } from '../account-change.ts';
import { Accounts } from '../accounts.ts';
import { ChangeFeed, LOST } from '../change-feed.ts';
import { DEFAULT_SCOPES, scopeBits } from '../scopes.ts';

/** The timeout is long because the first test that uses PostgreSQL starts the server. */
setDefaultTimeout(180_000);

afterAll(removeFiles);

describe('SQLite', () => laws(async () => openFile(newFile()), 'BLOB'));
describe('PostgreSQL', () => laws(() => openPostgresForTest(), 'BYTEA'));

/**
 * Defines the tests of one database engine.
 * @param bytes the engine's type for binary columns.
 */
function laws(open: () => Promise<Database>, bytes: 'BLOB' | 'BYTEA'): void {
  const room = async () => {
    const database = await open();
    const { sql } = database;
    const made = () =>
      new Accounts({
        inMemory: NOTHING_HELD,
        sql,
        clock: systemClock,
        onLastUsedFailure: () => {},
      });
    const accounts = made();
    const account = await accounts.createAccount({ name: 'Acme' });
    const { record, secret } = await accounts.createKey(account.id, {
      name: 'ci',
      limits: { requestsPerMinute: 5, spend: { day: nano(7n) } },
    });
    return { database, sql, made, accounts, account, id: record.id, key: secret.reveal() };
  };

  test('applies five concurrent changes, audits each, and keeps the chain valid', async () => {
    const { database, accounts, id } = await room();
    const caps = { day: nano(1n), week: nano(2n), month: nano(3n), total: nano(4n) };
    const results = await Promise.allSettled([
      ...Object.entries(caps).map(([window, cap]) =>
        accounts.keysOf(null).update(id, { limits: { spend: { [window]: cap } } }, 'admin'),
      ),
      accounts.keysOf(null).update(id, { limits: { models: ['m'] } }, 'admin'),
    ]);
    const made = results.filter(({ status }) => status === 'fulfilled').length;
    const { limits, spend } = await accounts.keysOf(null).get(id);
    const found = [spend.day.cap, spend.week.cap, spend.month.cap, spend.total.cap];
    expect(made).toBe(5);
    expect(found).toEqual([1n, 2n, 3n, 4n].map(nano));
    expect(limits.requestsPerMinute).toBe(5);
    const entries = await database.sql.query({
      sql: 'SELECT id FROM audit WHERE subject = $1 AND action = $2',
      params: [id, 'key.limit'],
    });
    expect(entries.length).toBe(made);
    expect(await database.ledger.verify()).toEqual([]);
    await database.close();
  });

  test('keeps the scopes of a key, those of a new one and those of an older version', async () => {
    const { database, accounts, made, account, id, key } = await room();
    const keys = accounts.keysOf(null);
    expect((await keys.get(id)).scopes).toEqual(DEFAULT_SCOPES);
    await keys.update(id, { scopes: ['manage', 'usage'] }, 'admin');
    expect((await keys.get(id)).scopes).toEqual(['usage', 'manage']);
    expect((await made().authenticate(key)).scopes).toBe(scopeBits(['usage', 'manage']));
    const other = { name: 'other', scopes: ['inference'] } as const;
    const { record, secret } = await accounts.createKey(account.id, other, 'usr_1');
    expect([record.scopes, record.createdBy]).toEqual([['inference'], 'usr_1']);
    expect((await keys.rotate(record.id, 0, 'admin')).record.scopes).toEqual(['inference']);
    expect(secret.reveal()).not.toBe(key);
    await database.close();
  });

  test('of changes made from the same settings, applies one and refuses the others', async () => {
    const { database, accounts, account, id } = await room();
    const keys = accounts.keysOf(null);
    const keyWas = keyTag(await keys.get(id));
    const accountWas = accountTag(account);
    const results = await Promise.allSettled(
      [1, 2, 3, 4].flatMap((each) => [
        keys.update(id, { limits: { concurrency: each } }, 'admin', (tag) => tag === keyWas),
        accounts.updateAccount(
          account.id,
          { limits: { concurrency: each } },
          'admin',
          (tag) => tag === accountWas,
        ),
      ]),
    );
    for (const isOfAccount of [false, true]) {
      const of = results.filter((_, at) => (at % 2 === 1) === isOfAccount);
      const refused = of.flatMap((it) => (it.status === 'rejected' ? [it.reason.code] : []));
      expect(refused).toEqual(['revision_changed', 'revision_changed', 'revision_changed']);
    }
    // A rotation replaces the secret but changes no settings, so the entity tag stays the same.
    const changed = await keys.get(id);
    await keys.rotate(id, 0, 'admin');
    expect(keyTag(await keys.get(id))).toBe(keyTag(changed));
    await database.close();
  });

  test('creates no more concurrent keys than the account may have', async () => {
    const { database, sql, accounts, account } = await room();
    const standing = MAX_KEYS - 20;
    await sql.query({
      sql: `INSERT INTO api_key (id, account_id, name, hash, prefix, last4, created_at_ms)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${standing})
        SELECT 'key_' || i, $1, 'bulk', CAST('0123456789abcdef012345' || (1000000000 + i) AS ${bytes}), 'sk-mg-bulk', 'bulk', 0 FROM n`,
      params: [account.id],
    });
    const made = await Promise.allSettled(
      Array.from({ length: 50 }, () => accounts.createKey(account.id, { name: 'one more' })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled').length).toBe(19);
    for (const each of made) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
    }
    expect(await database.ledger.verify()).toEqual([]);
    await database.close();
  });

  test('applies one of two concurrent rotations; an overlap of zero ends both secrets', async () => {
    const { database, accounts, id, key } = await room();
    const rotated = await Promise.allSettled(
      Array.from({ length: 8 }, () => accounts.keysOf(null).rotate(id, 60_000, 'admin')),
    );
    const made = rotated.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
    for (const each of rotated) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
    }
    expect(made.length).toBe(1);
    for (const secret of [key, made[0]?.secret.reveal() ?? '']) {
      expect((await accounts.authenticate(secret)).keyId).toBe(id);
    }
    const { secret: last } = await accounts.keysOf(null).rotate(id, 0, 'admin');
    expect((await accounts.authenticate(last.reveal())).keyId).toBe(id);
    for (const ended of [key, made[0]?.secret.reveal() ?? '']) {
      const refused = await accounts.authenticate(ended).catch((thrown: unknown) => thrown);
      expect(refused).toMatchObject({ code: 'invalid_api_key' });
    }
    await database.close();
  });

  test('accepts both secrets during the overlap; other nodes follow after one poll', async () => {
    const { database, sql, made, accounts, account, id, key } = await room();
    const other = made();
    const feed = new ChangeFeed({ sql, clock: systemClock, onFailure: () => {} });
    feed.subscribe((change) => other.forget(change));
    await feed.poll();
    const { secret } = await accounts.keysOf(null).rotate(id, 60_000, 'admin');
    for (const each of [key, secret.reveal()]) {
      expect((await other.authenticate(each)).keyId).toBe(id);
    }
    await accounts.keysOf(null).rotate(id, 0, 'admin');
    await feed.poll();
    for (const each of [key, secret.reveal()]) {
      const refused = await other.authenticate(each).catch((thrown: unknown) => thrown);
      expect(refused).toMatchObject({ code: 'invalid_api_key' });
    }
    await accounts.updateAccount(account.id, { status: 'suspended' }, 'admin');
    await accounts.keysOf(null).revoke(id, 'admin');
    await accounts.keysOf(null).revoke(id, 'admin');
    const actions = await sql.query({ sql: 'SELECT action FROM audit ORDER BY id', params: [] });
    expect(actions.map(({ action }) => action)).toEqual([
      'account.create',
      'key.create',
      'key.rotate',
      'key.rotate',
      'account.suspend',
      'key.revoke',
    ]);
    expect(await database.ledger.verify()).toEqual([]);
    await Promise.all([accounts.close(), other.close()]);
    await database.close();
  });

  test('lost entries of the log are reported, and the changes after them', async () => {
    const { database, sql, accounts, account, id, key, made } = await room();
    const other = made();
    const seen: string[] = [];
    let isAway = true;
    const onLost = async (): Promise<void> => {
      if (isAway) throw new Error('the store is away');
    };
    const feed = new ChangeFeed({ sql, clock: systemClock, onFailure: () => {}, onLost });
    feed.subscribe((change) => other.forget(change));
    feed.subscribe(({ action }) => seen.push(action));
    await accounts.createAccount({ name: 'Second' });
    await feed.poll();
    await other.authenticate(key);
    // A failover loses the newest entry, and the next change gets its id.
    await sql.query({
      sql: 'DELETE FROM audit WHERE id = (SELECT MAX(id) FROM audit)',
      params: [],
    });
    await accounts.keysOf(null).revoke(id, 'admin');
    await feed.poll();
    expect(seen).toEqual([]);
    isAway = false;
    await feed.poll();
    expect(seen).toEqual([LOST.action]);
    const refused = await other.authenticate(key).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: 'invalid_api_key' });
    await accounts.updateAccount(account.id, { status: 'suspended' }, 'admin');
    await feed.poll();
    expect(seen).toEqual([LOST.action, 'account.suspend']);
    await Promise.all([accounts.close(), other.close()]);
    await database.close();
  });
}
