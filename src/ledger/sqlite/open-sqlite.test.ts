import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statement } from '../../store/sql.ts';
import {
  applied,
  credit,
  failureOf,
  furnish,
  hold,
  refund,
  settle,
} from '../conformance/ledger.fixture.ts';
import { ledgerConformance } from '../conformance/ledger-conformance.fixture.ts';
import { newFile, openFile, removeFiles } from './sqlite.fixture.ts';

const PAGE_BYTES = 4096;

afterAll(removeFiles);

describe('SQLite', () => {
  ledgerConformance(() => openFile(newFile()), 'in memory');

  test('acknowledged commands are there when the file is opened again', async () => {
    const file = newFile();
    const first = await openFile(file);
    await furnish(first);
    await first.ledger.apply([credit('c1', 100n), hold('h1', 60n), settle('h1', 40n)]);
    await first.ledger.apply([hold('h2', 60n)]);
    expect((await first.ledger.wallets('alice'))[0]).toMatchObject({ balance: 60n, held: 60n });
    await first.close();
    // A hold without a checkpoint ends when its process ends.
    const second = await openFile(file);
    expect(await second.ledger.wallets('alice')).toMatchObject([
      { currency: 'USD', balance: 60n, held: 0n },
      { currency: 'CNY', balance: 0n, held: 0n },
    ]);
    await second.close();
  });

  test('a closed store has released its file, and leaves no log behind', async () => {
    const file = newFile();
    const database = await openFile(file);
    await database.ledger.verify();
    await database.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    const reader = new SqliteFile(file, { readonly: true });
    expect(reader.query('SELECT COUNT(*) AS count FROM checkpoint').get()).toEqual({ count: 0 });
    reader.close();
  });

  test('verifies one snapshot, while others write', async () => {
    const database = await openFile(newFile());
    await furnish(database);
    const { ledger, sql, close } = database;
    await ledger.apply([credit('c1', 100n)]);
    const verifying = ledger.verify();
    // When this question is answered, the store has made the snapshot.
    await sql.query(statement`SELECT 1`);
    await sql.query(statement`UPDATE audit SET actor = 'nobody' WHERE id = 1`);
    expect(await verifying).toEqual([]);
    expect(await ledger.verify()).toHaveLength(1);
    await close();
  });

  test('refunded money can be held, also if its receipt was written after the refund was asked', async () => {
    const database = await openFile(newFile());
    await furnish(database);
    const { ledger, close } = database;
    await ledger.apply([credit('c1', 100n)]);
    await ledger.hold(hold('h1', 60n));
    const refunding = ledger.apply([refund('f1', 'h1', 10n)]);
    const settling = ledger.settle(settle('h1', 40n));
    const [[refunded], settled] = await Promise.all([refunding, settling]);
    expect([refunded?.status, settled.status]).toEqual(['applied', 'applied']);
    expect(await ledger.hold(hold('h2', 70n))).toEqual(applied(70n, 0n));
    await close();
  });

  test('a full disk fails the whole commit, changes nothing, and is recoverable', async () => {
    const database = await openFile(newFile());
    await furnish(database);
    const { ledger, sql, close } = database;
    await ledger.apply([credit('c1', 1_000_000n)]);
    const limit = (pages: string) =>
      sql.query({ sql: `PRAGMA max_page_count = ${pages}`, params: [] });
    const ids = Array.from({ length: 100 }, (_, each) => `h${each}`);
    await ledger.apply(ids.map((id) => hold(id, 10n)));
    await limit('1');
    const settling = async () =>
      await Promise.allSettled(ids.map((id) => ledger.settle(settle(id, 7n))));
    // Settlements that still fit into the file's free pages are written. All others fail and write
    // nothing.
    const tried = await settling();
    const failed = tried.filter(({ status }) => status === 'rejected');
    expect(failed.length).toBeGreaterThan(50);
    for (const each of failed) {
      expect(each).toMatchObject({ reason: { code: 'store_unavailable' } });
    }
    // From now on, holds are refused. Unwritten charges stay deducted until they can be written.
    const left = BigInt(failed.length);
    expect((await ledger.wallets('alice'))[0]).toMatchObject({
      balance: 1_000_000n - (100n - left) * 7n,
      held: left * 7n,
    });
    expect(await failureOf(ledger.apply([hold('more', 1n)]))).toMatchObject({
      code: 'store_unavailable',
    });
    await limit('1073741823');
    for (const settled of await settling()) {
      expect(['applied', 'already_applied']).toContain(
        settled.status === 'fulfilled' ? settled.value.status : 'rejected',
      );
    }
    expect((await ledger.wallets('alice'))[0]).toMatchObject({ balance: 999_300n, held: 0n });
    expect((await ledger.apply([hold('more', 1n)]))[0]?.status).toBe('applied');
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

  test('keeps its files from other users, also files of an earlier version', async () => {
    const file = newFile();
    const modes = () =>
      [file, `${file}-wal`, `${file}.pid`].map((path) => statSync(path).mode & 0o777);
    const first = await openFile(file);
    await furnish(first);
    expect(modes()).toEqual([0o600, 0o600, 0o600]);
    await first.close();
    chmodSync(file, 0o644);
    const second = await openFile(file);
    await second.ledger.apply([credit('c1', 1n)]);
    expect(modes()).toEqual([0o600, 0o600, 0o600]);
    await second.close();
  });

  test('says that a file is damaged, and which folder has backups', async () => {
    const file = newFile();
    writeFileSync(file, '*'.repeat(65_536));
    const message = await openFile(file).catch((thrown: unknown) => String(thrown));
    expect(message).toContain(`The database ${file} is damaged`);
    expect(message).toContain(join(dirname(file), 'backups'));
  });

  test('logs damage that shows only in use', async () => {
    const file = newFile();
    const database = await openFile(file);
    await furnish(database);
    const { ledger, sql, close } = database;
    await ledger.apply(Array.from({ length: 200 }, (_, each) => credit(`c${each}`, 1n)));
    const run = (text: string) => sql.query({ sql: text, params: [] });
    await run('PRAGMA wal_checkpoint(TRUNCATE)');
    await run('PRAGMA shrink_memory');
    writeFileSync(file, readFileSync(file).fill(0x2a, PAGE_BYTES));
    expect(await failureOf(run('SELECT * FROM entry'))).toMatchObject({
      code: 'store_unavailable',
      cause: { message: expect.stringContaining('is damaged') },
    });
    await close();
  });

  test('creates a missing folder', async () => {
    const database = await openFile(newFile().replace('modelgate.db', 'data/deep/modelgate.db'));
    expect(await database.ping()).toBeUndefined();
    await database.close();
  });
});
