import { beforeEach, describe, expect, test } from 'bun:test';
import type { ManualClock } from '../clock.fixture.ts';
import { Secret } from '../config/secret.ts';
import { asGatewayError } from '../errors.ts';
import { NOTHING_HELD } from '../ledger/nothing-held.fixture.ts';
import { MAX_KEYS, MAX_NEW_KEYS } from './account.ts';
import { Accounts } from './accounts.ts';
import { generateKey } from './api-key.ts';
import { KNOWN_FOR_MS, UNKNOWN_FOR_MS } from './key-cache.ts';
import { NO_LIMITS } from './limits/limits.ts';
import { DEFAULT_SCOPES, scopeBits } from './scopes.ts';
import { MemoryStore, stoppedClock } from './store.fixture.ts';

let clock: ManualClock;
let store: MemoryStore;
let accounts: Accounts;
let lastUsedFailures: unknown[];

beforeEach(() => {
  clock = stoppedClock();
  store = new MemoryStore();
  lastUsedFailures = [];
  accounts = new Accounts({
    inMemory: NOTHING_HELD,
    sql: store,
    clock,
    onLastUsedFailure: (thrown) => lastUsedFailures.push(thrown),
  });
});

async function newKey(expiresAtMs: number | null = null) {
  const account = await accounts.createAccount({ name: 'Acme' });
  const { record, secret } = await accounts.createKey(account.id, { name: 'ci', expiresAtMs });
  return { account, record, key: secret.reveal() };
}

/** Returns the code, message and public fields of the error with which the promise rejects. */
async function refusal(promise: Promise<unknown>) {
  const thrown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (thrown === null) throw new Error('It was not refused.');
  const { code, status, message, param } = asGatewayError(thrown);
  return { code, status, message, param };
}

describe('authenticate', () => {
  test('knows the caller behind a key', async () => {
    const { account, record, key } = await newKey();
    expect(await accounts.authenticate(key)).toEqual({
      accountId: account.id,
      keyId: record.id,
      keyName: 'ci',
      allowExchange: true,
      priceList: null,
      limits: { key: NO_LIMITS, account: NO_LIMITS },
      scopes: scopeBits(DEFAULT_SCOPES),
    });
  });

  test('refuses a bad checksum without a query, and never echoes the key', async () => {
    const { key } = await newKey();
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const asked = store.asked;
    for (const presented of [
      wrong,
      'sk-mg-short',
      'sk-ant-api03-secretsecret',
      '',
      'x'.repeat(9999),
    ]) {
      const { code, status, message } = await refusal(accounts.authenticate(presented));
      expect({ code, status }).toEqual({ code: 'invalid_api_key', status: 401 });
      expect(presented === '' || !message.includes(presented)).toBe(true);
    }
    expect(store.asked).toBe(asked);
  });

  test('says whether a key is unknown, revoked or expired, or its account suspended', async () => {
    const { account, record, key } = await newKey(clock.nowMs() + 60_000);
    expect((await refusal(accounts.authenticate(generateKey(clock).reveal()))).message).toContain(
      'does not exist',
    );
    await accounts.updateAccount(account.id, { status: 'suspended' }, 'system');
    expect(await refusal(accounts.authenticate(key))).toMatchObject({
      code: 'not_allowed',
      status: 403,
    });
    clock.advance(60_000);
    expect(await refusal(accounts.authenticate(key))).toMatchObject({
      code: 'invalid_api_key',
      message: expect.stringContaining('expired on 20'),
    });
    await accounts.keysOf(null).revoke(record.id);
    expect(await refusal(accounts.authenticate(key))).toMatchObject({
      code: 'invalid_api_key',
      message: expect.stringContaining('revoked on 20'),
    });
  });

  test('queries the store once for a busy key, and again when the cache expires', async () => {
    const { key } = await newKey();
    await accounts.authenticate(key);
    const asked = store.asked;
    clock.advance(KNOWN_FOR_MS - 1);
    await accounts.authenticate(key);
    expect(store.asked).toBe(asked);
    clock.advance(1);
    await accounts.authenticate(key);
    expect(store.asked).toBe(asked + 1);
  });

  test('caches an unknown key only briefly', async () => {
    const key = generateKey(clock).reveal();
    await refusal(accounts.authenticate(key));
    await refusal(accounts.authenticate(key));
    expect(store.asked).toBe(1);
    clock.advance(UNKNOWN_FOR_MS);
    await refusal(accounts.authenticate(key));
    expect(store.asked).toBe(2);
  });

  test('expires a cached key on time', async () => {
    const { key } = await newKey(clock.nowMs() + 1_000);
    await accounts.authenticate(key);
    clock.advance(1_000);
    expect((await refusal(accounts.authenticate(key))).message).toContain('expired');
  });

  test('refuses a revoked key at once, even when cached', async () => {
    const { record, key } = await newKey();
    await accounts.authenticate(key);
    await accounts.keysOf(null).revoke(record.id);
    expect((await refusal(accounts.authenticate(key))).message).toContain('revoked');
  });

  test('drops a lookup that read the row before the revocation', async () => {
    const { record, key } = await newKey();
    const held = store.holdNextQuery();
    const early = accounts.authenticate(key);
    await held.reached;
    await accounts.keysOf(null).revoke(record.id);
    held.release();
    await early;
    expect((await refusal(accounts.authenticate(key))).message).toContain('revoked');
  });

  test('suspends and restores an account at once', async () => {
    const { account, key } = await newKey();
    await accounts.authenticate(key);
    await accounts.updateAccount(account.id, { status: 'suspended' }, 'system');
    expect((await refusal(accounts.authenticate(key))).code).toBe('not_allowed');
    await accounts.updateAccount(account.id, { status: 'active' }, 'system');
    expect((await accounts.authenticate(key)).accountId).toBe(account.id);
  });

  test('returns 503 when the store fails, never 401, and retries', async () => {
    const { account, key } = await newKey();
    store.failure = new Error('disk I/O error at /secret/path');
    const { code, status, message } = await refusal(accounts.authenticate(key));
    expect({ code, status }).toEqual({ code: 'store_unavailable', status: 503 });
    expect(message).not.toContain('disk');
    store.failure = null;
    expect((await accounts.authenticate(key)).accountId).toBe(account.id);
  });
});

describe('knownCaller', () => {
  const known = (headers: Record<string, string>) =>
    accounts.knownCaller(new Headers(headers), () => null);

  test('returns the caller of a cached key, as authenticateRequest does', async () => {
    const { key } = await newKey();
    const headers = { authorization: `Bearer ${key}` };
    expect(known(headers)).toBeNull();
    const caller = await accounts.authenticateRequest(new Headers(headers), () => null);
    expect(known(headers)).toEqual(caller);
    expect(known({ 'x-api-key': key })).toEqual(caller);
    expect(known({ 'x-api-key': `${key} ` })).toEqual(caller);
    expect(known({ 'api-key': key })).toEqual(caller);
  });

  test('leaves two keys and unknown keys to authenticateRequest', async () => {
    const { key } = await newKey();
    await accounts.authenticate(key);
    const other = generateKey(clock).reveal();
    await refusal(accounts.authenticate(other));
    expect(known({ authorization: `Bearer ${key}`, 'x-api-key': other })).toBeNull();
    expect(known({ authorization: `Bearer ${other}` })).toBeNull();
    expect(known({ authorization: 'Bearer junk' })).toBeNull();
  });

  test('refuses what authenticateRequest refuses', async () => {
    const { record, key } = await newKey();
    await accounts.authenticate(key);
    await accounts.keysOf(null).revoke(record.id);
    await refusal(accounts.authenticate(key));
    expect(() => known({ authorization: `Bearer ${key}` })).toThrow('revoked');
    expect(() => known({})).toThrow('Authorization: Bearer');
  });
});

describe('authenticateRequest', () => {
  const bearer = (key: string) => ['authorization', `Bearer ${key}`] as const;
  const xApiKey = (key: string) => ['x-api-key', key] as const;
  const ask = (...headers: (readonly [string, string])[]) =>
    accounts.authenticateRequest(
      new Headers(headers.map(([name, value]) => [name, value])),
      () => null,
    );

  test('accepts either header', async () => {
    const { account, key } = await newKey();
    for (const headers of [
      bearer(key),
      xApiKey(key),
      ['authorization', `bearer  ${key} `] as const,
    ]) {
      expect((await ask(headers)).accountId).toBe(account.id);
    }
  });

  test('returns 401 that names both headers without a key', async () => {
    const { status, message } = await refusal(ask());
    expect(status).toBe(401);
    expect(message).toContain('Authorization: Bearer');
    expect(message).toContain('x-api-key');
    expect((await refusal(ask(['authorization', 'Basic abc']))).message).toContain('Bearer KEY');
  });

  test('uses the valid key of two, in either order', async () => {
    const { account, key } = await newKey();
    const unknown = generateKey(clock).reveal();
    for (const other of ['sk-ant-leftover', unknown]) {
      expect((await ask(bearer(other), xApiKey(key))).accountId).toBe(account.id);
      expect((await ask(bearer(key), xApiKey(other))).accountId).toBe(account.id);
    }
    expect((await refusal(ask(bearer('junk'), xApiKey(unknown)))).status).toBe(401);
  });

  test('accepts two keys of one account, and refuses keys of two accounts', async () => {
    const first = await newKey();
    const second = await newKey();
    const sibling = await accounts.createKey(first.account.id, { name: 'sibling' });
    const both = await ask(bearer(first.key), xApiKey(sibling.secret.reveal()));
    expect(both.keyId).toBe(first.record.id);
    const { status, message } = await refusal(ask(bearer(first.key), xApiKey(second.key)));
    expect(status).toBe(401);
    expect(message).toContain('different accounts');
    const google = await refusal(ask(bearer(first.key), ['x-goog-api-key', second.key]));
    expect(google.message).toContain('x-goog-api-key');
  });

  test('returns 503 for two keys when the store fails, because the payer is unknown', async () => {
    const { key } = await newKey();
    await accounts.authenticate(key);
    store.failure = new Error('locked');
    const other = generateKey(clock).reveal();
    expect((await refusal(ask(bearer(key), xApiKey(other)))).status).toBe(503);
    expect((await ask(bearer(key), xApiKey('junk'))).keyName).toBe('ci');
  });
});

describe('keys', () => {
  test('are shown once, and never stored or listed with their secret', async () => {
    const { account, key } = await newKey();
    const listed = await accounts.keysOf(account.id).list();
    const rows = await store.query({ sql: 'SELECT * FROM api_key', params: [] });
    const masked = `${key.slice(0, 10)}...${key.slice(-4)}`;
    expect(listed.items.map((it) => it.masked)).toEqual([masked]);
    expect(Bun.inspect([listed, rows])).not.toContain(key.slice(6, 40));
  });

  test('can be supplied, when well formed and unused', async () => {
    const account = await accounts.createAccount({ name: 'first' });
    const secret = generateKey(clock);
    // The first request presents the key before it exists, so the cache stores it as unknown. The
    // creation of the key must remove this cache entry.
    await refusal(accounts.authenticate(secret.reveal()));
    await accounts.createKey(account.id, { name: 'init', secret });
    expect((await accounts.authenticate(secret.reveal())).keyName).toBe('init');
    expect(await refusal(accounts.createKey(account.id, { name: 'again', secret }))).toMatchObject({
      code: 'conflict',
      param: 'secret',
    });
    const weak = accounts.createKey(account.id, { name: 'weak', secret: new Secret('hunter2') });
    expect(await refusal(weak)).toMatchObject({ code: 'invalid_value', param: 'secret' });
  });

  test('are refused with bad names, past expiries and unknown accounts', async () => {
    const { id } = await accounts.createAccount({ name: 'Acme' });
    for (const name of ['', '   ', 'x'.repeat(101), 'a\nb']) {
      expect(await refusal(accounts.createKey(id, { name }))).toMatchObject({ param: 'name' });
    }
    for (const expiresAtMs of [clock.nowMs(), Number.NaN]) {
      const key = accounts.createKey(id, { name: 'late', expiresAtMs });
      expect(await refusal(key)).toMatchObject({ param: 'expires_at' });
    }
    expect(await refusal(accounts.createKey('acc_none', { name: 'x' }))).toMatchObject({
      code: 'not_found',
    });
  });

  test('keep the time of the first revocation; unknown ids are not found', async () => {
    const { record } = await newKey();
    const first = await accounts.keysOf(null).revoke(record.id);
    clock.advance(5_000);
    expect(await accounts.keysOf(null).revoke(record.id)).toEqual(first);
    expect((await refusal(accounts.keysOf(null).revoke('key_none'))).code).toBe('not_found');
    expect((await refusal(accounts.keysOf(null).get('key_none'))).code).toBe('not_found');
  });

  test('are limited in number per account', async () => {
    const { account, record } = await newKey();
    const insert = `INSERT INTO api_key (id, account_id, name, hash, prefix, last4, created_at_ms)
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      SELECT 'key_' || i, ?, 'bulk', randomblob(32), 'sk-mg-bulk', 'bulk', 0 FROM n`;
    await store.query({ sql: insert, params: [MAX_KEYS, account.id] });
    const create = () => accounts.createKey(account.id, { name: 'one more' });
    expect((await refusal(create())).code).toBe('conflict');
    await accounts.keysOf(null).revoke(record.id);
    expect((await create()).record.name).toBe('one more');
  });
});

test('an account creates a limited number of keys within a day, revoked ones included', async () => {
  const { account } = await newKey();
  const insert = `INSERT INTO api_key (id, account_id, name, hash, prefix, last4, status, created_at_ms)
    WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
    SELECT 'key_' || i, ?, 'bulk', randomblob(32), 'sk-mg-bulk', 'bulk', 'revoked', ? FROM n`;
  await store.query({ sql: insert, params: [MAX_NEW_KEYS, account.id, clock.nowMs()] });
  const create = () => accounts.createKey(account.id, { name: 'one more' });
  expect((await refusal(create())).message).toContain('within a day');
  clock.advance(24 * 3_600_000);
  expect((await create()).record.name).toBe('one more');
});

describe('lists', () => {
  test('come in pages, oldest first', async () => {
    for (const name of ['a', 'b', 'c']) {
      await accounts.createAccount({ name });
      clock.advance(1);
    }
    const first = await accounts.listAccounts({ limit: 2, after: null });
    expect(first.items.map((it) => it.name)).toEqual(['a', 'b']);
    const second = await accounts.listAccounts({ limit: 2, after: first.next });
    expect(second.items.map((it) => it.name)).toEqual(['c']);
    expect(second.next).toBeNull();
    for (const limit of [0, 1001, 1.5, Number.NaN]) {
      const page = accounts.listAccounts({ limit, after: null });
      expect(await refusal(page)).toMatchObject({ param: 'limit' });
    }
  });

  test('of keys cover one account or all', async () => {
    const first = await newKey();
    clock.advance(1);
    const second = await newKey();
    expect((await accounts.keysOf(first.account.id).list()).items).toEqual([first.record]);
    expect((await accounts.keysOf(null).list()).items).toEqual([first.record, second.record]);
  });
});

describe('the time of last use', () => {
  test('is stored to the minute, in the background', async () => {
    const { record, key } = await newKey();
    clock.advance(60_000);
    await accounts.authenticate(key);
    const usedAtMs = clock.nowMs() - (clock.nowMs() % 60_000);
    const asked = store.asked;
    for (let i = 0; i < 100; i++) await accounts.authenticate(key);
    expect(store.asked).toBe(asked);
    expect((await accounts.keysOf(null).get(record.id)).lastUsedAtMs).toBe(usedAtMs);
    await accounts.close();
    const [row] = await store.query({ sql: 'SELECT last_used_at_ms FROM api_key', params: [] });
    expect(row).toEqual({ last_used_at_ms: BigInt(usedAtMs) });
  });

  test('is never earlier than the creation of the key', async () => {
    clock.advance(60_000 - (clock.nowMs() % 60_000) + 30_000);
    const { account, record, key } = await newKey();
    clock.advance(1_000);
    await accounts.authenticate(key);
    const { items } = await accounts.keysOf(account.id).list();
    expect(items.map((it) => it.lastUsedAtMs)).toEqual([record.createdAtMs]);
    await accounts.close();
    expect((await accounts.keysOf(null).get(record.id)).lastUsedAtMs).toBe(record.createdAtMs);
  });

  test('is reported and retried when it cannot be written', async () => {
    const { record, key } = await newKey();
    await accounts.authenticate(key);
    store.failure = new Error('disk full');
    await accounts.close();
    expect(lastUsedFailures.map((it) => asGatewayError(it).code)).toEqual(['store_unavailable']);
    store.failure = null;
    expect((await accounts.keysOf(null).get(record.id)).lastUsedAtMs).not.toBeNull();
  });
});
