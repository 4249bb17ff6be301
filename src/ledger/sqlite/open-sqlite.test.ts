import { afterAll, describe, expect, test } from 'bun:test';
import { credit, failureOf, furnish, hold } from '../conformance/ledger.fixture.ts';
import { ledgerConformance } from '../conformance/ledger-conformance.fixture.ts';
import { newFile, openFile, removeFiles } from './sqlite.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => {
  ledgerConformance(() => openFile(newFile()));

  test('acknowledged commands are there when the file is opened again', async () => {
    const file = newFile();
    const first = await openFile(file);
    await furnish(first);
    await first.ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
    await first.close();
    const second = await openFile(file);
    expect(await second.ledger.wallets('alice')).toMatchObject([
      { currency: 'USD', balance: 100n, held: 60n },
      { currency: 'CNY', balance: 0n, held: 0n },
    ]);
    await second.close();
  });

  test('a full disk fails the whole commit, changes nothing, and is recoverable', async () => {
    const database = await openFile(newFile());
    await furnish(database);
    const { ledger, sql, close } = database;
    await ledger.apply([credit('c1', 1_000_000n)]);
    const limit = (pages: string) =>
      sql.query({ sql: `PRAGMA max_page_count = ${pages}`, params: [] });
    await limit('1');
    const holds = Array.from({ length: 500 }, (_, each) => hold(`h${each}`, 1n));
    expect(await failureOf(ledger.apply(holds))).toMatchObject({ code: 'store_unavailable' });
    expect((await ledger.wallets('alice'))[0]).toMatchObject({ balance: 1_000_000n, held: 0n });
    await limit('1073741823');
    expect((await ledger.apply(holds)).every(({ status }) => status === 'applied')).toBe(true);
    expect(await ledger.verify()).toEqual([]);
    await close();
  });

  test('a closed store refuses commands after finishing accepted ones', async () => {
    const database = await openFile(newFile());
    await furnish(database);
    const last = ['c1', 'c2', 'c3'].map((id) => database.ledger.apply([credit(id, 1n)]));
    await database.close();
    const statuses = (await Promise.all(last)).flat().map(({ status }) => status);
    expect(statuses).toEqual(['applied', 'applied', 'applied']);
    expect(await failureOf(database.ledger.apply([credit('c4', 1n)]))).toMatchObject({
      code: 'store_unavailable',
    });
    expect(await failureOf(database.ping())).toMatchObject({ code: 'store_unavailable' });
    await database.close();
  });

  test('creates a missing folder', async () => {
    const database = await openFile(newFile().replace('modelgate.db', 'data/deep/modelgate.db'));
    expect(await database.ping()).toBeUndefined();
    await database.close();
  });
});
