/** Tests the account list with every database engine. */

import { afterAll, describe, expect, test } from 'bun:test';
import type { Database } from '../ledger/database.ts';
import { NOTHING_HELD } from '../ledger/nothing-held.fixture.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { AccountDirectory } from './account-directory.ts';
import { AccountStore } from './account-store.ts';
import { stoppedClock } from './store.fixture.ts';

/** Timeout of a test. It is long because the first test that uses PostgreSQL starts the server. */
const SLOW_MS = 180_000;

type Found = { readonly store: SqlExecutor; readonly page: AccountDirectory };

afterAll(removeFiles);
describe('SQLite', () => directoryConformance(() => openFile(newFile())));
describe('PostgreSQL', () => directoryConformance(openPostgresForTest));

async function directory(store: SqlExecutor, names: readonly string[]): Promise<Found> {
  const clock = stoppedClock(Date.parse('2026-11-21T12:00:00Z'));
  const accounts = new AccountStore(store, clock, NOTHING_HELD);
  for (const [index, name] of names.entries()) {
    const id = `acc_${index}`;
    const account = { id, name, allowExchange: true, createdAtMs: 0, revision: 'r' };
    const action = 'account.create' as const;
    const entry = { atMs: 0, actor: 'admin', action, subject: id, detail: {} };
    await accounts.insertAccount(account, entry, false);
  }
  return { store, page: new AccountDirectory(store, clock, NOTHING_HELD) };
}

function directoryConformance(open: () => Promise<Database>): void {
  const law = (name: string, names: readonly string[], judge: (found: Found) => Promise<void>) =>
    test(
      name,
      async () => {
        const database = await open();
        try {
          await judge(await directory(database.sql, names));
        } finally {
          await database.close();
        }
      },
      SLOW_MS,
    );

  law(
    'finds an account by any part of its name, case-insensitively, or by its id',
    ['Ada', 'Bee & Co', 'ADAM', '50%_off!', 'École Zürich', '北京 Lab'],
    async ({ page }) => {
      const found = async (search: string | null) =>
        (await page.page(search, { limit: 10, after: null })).items.map(({ name }) => name);
      expect(await found(null)).toHaveLength(6);
      expect(await found('ad')).toEqual(['Ada', 'ADAM']);
      expect(await found('acc_1')).toEqual(['Bee & Co']);
      expect(await found('%')).toEqual(['50%_off!']);
      expect(await found('_off!')).toEqual(['50%_off!']);
      for (const text of ['École', 'école', 'ÉCOLE ZÜRICH'])
        expect(await found(text)).toEqual(['École Zürich']);
      expect(await found('COLE ZüR')).toEqual(['École Zürich']);
      expect(await found('北京 lab')).toEqual(['北京 Lab']);
      expect(await found('nobody')).toEqual([]);
    },
  );

  law('pages through the results of a search', ['a1', 'b', 'a2', 'a3'], async ({ page }) => {
    const first = await page.page('a', { limit: 2, after: null });
    expect([first.items.map(({ name }) => name), first.next]).toEqual([['a1', 'a2'], 'acc_2']);
    const second = await page.page('a', { limit: 2, after: first.next });
    expect([second.items.map(({ name }) => name), second.next]).toEqual([['a3'], null]);
  });

  law(
    'lists each account with its wallets and its number of keys that are not revoked',
    ['a', 'b'],
    async ({ store, page }) => {
      const run = (sql: string) => store.query({ sql, params: [] });
      await run(`UPDATE wallet SET balance = 7 WHERE account_id = 'acc_0' AND currency = 'CNY'`);
      for (const [id, status] of [
        ['k1', 'active'],
        ['k2', 'disabled'],
        ['k3', 'revoked'],
      ]) {
        const revokedAt = status === 'revoked' ? 1 : null;
        await store.query({
          sql: `INSERT INTO api_key (id, account_id, name, hash, prefix, last4, status, created_at_ms, revoked_at_ms, limits, revision)
            VALUES (?, 'acc_0', 'k', ?, 'p', 'l4l4', ?, 0, ?, '{}', 'r')`,
          params: [
            id ?? '',
            new TextEncoder().encode((id ?? '').padEnd(32)),
            status ?? '',
            revokedAt,
          ],
        });
      }
      const [a, b] = (await page.page(null, { limit: 10, after: null })).items;
      expect(a?.keys).toBe(2);
      expect(b?.keys).toBe(0);
      expect(a?.wallets).toMatchObject([
        { currency: 'USD', balance: 0n },
        { currency: 'CNY', balance: 7n, held: 0n, floor: 0n },
      ]);
    },
  );
}
