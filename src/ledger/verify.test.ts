import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { StoreFile } from '../store/sqlite/store-file.ts';
import type { Breach } from './ledger.ts';
import { BALANCE_BY_HAND, CORRUPTIONS, soundLedger } from './planted-faults.fixture.ts';
import { newFile, removeFiles } from './sqlite/sqlite.fixture.ts';
import { COMPUTED_LAWS, LAWS, verifyLedger } from './verify.ts';

afterAll(removeFiles);

const named = (breaches: readonly Breach[]) =>
  breaches.map(({ invariant, subject }) => [invariant, subject] as const);

describe('verify', () => {
  let store: StoreFile;

  beforeAll(async () => {
    const file = newFile();
    const database = await soundLedger(file);
    expect(await database.ledger.verify()).toEqual([]);
    await database.close();
    store = StoreFile.open(file, 0);
    // Each fault is planted in a transaction, which cannot change this setting.
    run('PRAGMA foreign_keys = OFF');
  });
  beforeEach(() => run('BEGIN'));
  afterEach(() => run('ROLLBACK'));
  afterAll(() => store.close());

  const run = (sql: string) => store.query({ sql, params: [] });
  const found = async () =>
    named(await verifyLedger({ query: async (sql) => store.query(sql) }, 'in memory'));

  for (const { fault, sql, breaches } of CORRUPTIONS) {
    test(`reports when ${fault}`, async () => {
      expect(await found()).toEqual([]);
      run('PRAGMA ignore_check_constraints = ON');
      run('DROP INDEX receipt_of_request');
      run(sql);
      expect(await found()).toEqual([...breaches]);
    });
  }

  test('is a command of the ledger', async () => {
    const database = await soundLedger(newFile());
    await database.sql.query({ sql: BALANCE_BY_HAND.sql, params: [] });
    expect(named(await database.ledger.verify())).toEqual([...BALANCE_BY_HAND.breaches]);
    await database.close();
  });

  test('has a planted fault for every law', () => {
    const planted = new Set(CORRUPTIONS.flatMap(({ breaches }) => breaches.map(([law]) => law)));
    // Leaves out the invariants of stored holds, which `stored-hold-laws.test.ts` tests.
    const checked = [...LAWS, ...COMPUTED_LAWS].filter(({ holds }) => holds !== 'stored');
    const laws = checked.map(({ name }) => name);
    expect(laws.filter((law) => !planted.has(law))).toEqual([]);
  });
});
