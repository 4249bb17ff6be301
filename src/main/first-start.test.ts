import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Accounts } from '../accounts/accounts.ts';
import { generateKey } from '../accounts/api-key.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { systemClock } from '../clock.ts';
import { ConfigError } from '../config/problem.ts';
import type { Database } from '../ledger/database.ts';
import { NOTHING_HELD } from '../ledger/nothing-held.fixture.ts';
import { openSqlite } from '../ledger/sqlite/open-sqlite.ts';
import { type FirstStart, type FirstStartDeps, firstStart } from './first-start.ts';
import { configFor, newFolder, removeFolders } from './gateway.fixture.ts';

let folder: string;
let database: Database;
let accounts: Accounts;

beforeEach(async () => {
  folder = newFolder();
  database = await openSqlite({ file: join(folder, 'books.db'), clock: systemClock });
  accounts = new Accounts({
    inMemory: NOTHING_HELD,
    sql: database.sql,
    clock: systemClock,
    onLastUsedFailure: () => {},
  });
});
afterEach(async () => {
  await accounts.close();
  await database.close();
});
afterAll(removeFolders);

async function start(
  env: Record<string, string> = {},
  parts: Partial<FirstStartDeps> = {},
): Promise<FirstStart | null> {
  const config = configFor(folder, env);
  const catalogue = loadCatalogue(config, 0);
  const { ledger } = database;
  return await firstStart({ accounts, ledger, catalogue, config, clock: systemClock, ...parts });
}

async function balance(currency: string): Promise<bigint | undefined> {
  const { items } = await accounts.listAccounts();
  const wallets = await database.ledger.wallets(items[0]?.id ?? '');
  return wallets.find((wallet) => wallet.currency === currency)?.balance;
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
}

test('a fresh install has an account, a key that works and demo credit', async () => {
  const first = await start();
  const caller = await accounts.authenticate(first?.key.reveal() ?? '');
  expect(caller.keyName).toBe('first key');
  expect(first?.given).toBe(false);
  expect(first?.credit).toMatchObject({ currency: 'USD', source: 'demo' });
  expect(await balance('USD')).toBe(10_000_000_000n);
});

test('a second start creates nothing and does not show the key', async () => {
  await start();
  expect(await start()).toBeNull();
  expect((await accounts.listAccounts()).items).toHaveLength(1);
  expect((await accounts.keysOf(null).list()).items).toHaveLength(1);
  expect(await balance('USD')).toBe(10_000_000_000n);
});

test('does not recreate a revoked first key', async () => {
  await start();
  const { items } = await accounts.keysOf(null).list();
  await accounts.keysOf(null).revoke(items[0]?.id ?? '');
  expect(await start()).toBeNull();
});

test('uses the key and the credit from the environment', async () => {
  const key = generateKey(systemClock).reveal();
  const env = { MODELGATE_INIT_KEY: key, MODELGATE_INIT_CREDIT: '100.5 CNY' };
  const first = await start(env);
  expect(first?.key.reveal()).toBe(key);
  expect(first?.given).toBe(true);
  expect(first?.credit).toMatchObject({ currency: 'CNY', source: 'top_up' });
  expect(await balance('CNY')).toBe(100_500_000_000n);
  expect((await accounts.authenticate(key)).keyName).toBe('first key');
});

test.each([
  '100',
  'USD',
  '100 EUR',
  '100 usd',
  '-1 USD',
  '0 USD',
  '1e3 USD',
  '1 USD 2',
  '1.0000000001 USD',
])('the credit "%s" is refused before anything is made, with how to write it', async (credit) => {
  const thrown = await failure(start({ MODELGATE_INIT_CREDIT: credit }));
  expect(thrown).toBeInstanceOf(ConfigError);
  expect(String(thrown)).toBe(
    `ConfigError: environment MODELGATE_INIT_CREDIT: "${credit}" is not an amount; write one such as "100 USD"`,
  );
  expect((await accounts.listAccounts()).items).toEqual([]);
});

test('refuses an invalid key before creating anything, without printing it', async () => {
  const thrown = await failure(start({ MODELGATE_INIT_KEY: 'sk-other-service-key' }));
  expect(thrown).toBeInstanceOf(ConfigError);
  expect(String(thrown)).toContain('environment MODELGATE_INIT_KEY: is not a well-formed key');
  expect(String(thrown)).not.toContain('sk-other');
  expect((await accounts.listAccounts()).items).toEqual([]);
});

test('continues a start that was interrupted before the credit', async () => {
  const ledger = { apply: () => Promise.reject(new Error('power cut')) };
  expect(String(await failure(start({}, { ledger })))).toContain('power cut');
  expect(await start()).not.toBeNull();
  expect((await accounts.listAccounts()).items).toHaveLength(1);
  expect(await balance('USD')).toBe(10_000_000_000n);
});

test('credits once when a start was interrupted after the credit', async () => {
  const broken: FirstStartDeps['accounts'] = {
    keysOf: (account) => accounts.keysOf(account),
    createAccount: (account) => accounts.createAccount(account),
    createKey: () => Promise.reject(new Error('power cut')),
  };
  expect(String(await failure(start({}, { accounts: broken })))).toContain('power cut');
  expect(await balance('USD')).toBe(10_000_000_000n);
  const first = await start();
  expect((await accounts.authenticate(first?.key.reveal() ?? '')).keyName).toBe('first key');
  expect(await balance('USD')).toBe(10_000_000_000n);
});
