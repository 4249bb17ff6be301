import { afterAll, describe, expect, test } from 'bun:test';
import { CORRUPTIONS, soundLedger } from './planted-faults.fixture.ts';
import { removeFiles } from './sqlite/sqlite.fixture.ts';
import { COMPUTED_LAWS, LAWS } from './verify.ts';

afterAll(removeFiles);

describe('verify', () => {
  for (const { fault, sql, breaches } of CORRUPTIONS) {
    test(`reports when ${fault}`, async () => {
      const database = await soundLedger();
      expect(await database.ledger.verify()).toEqual([]);
      for (const guard of [
        'PRAGMA foreign_keys = OFF',
        'PRAGMA ignore_check_constraints = ON',
        'DROP INDEX receipt_of_request',
        sql,
      ]) {
        await database.sql.query({ sql: guard, params: [] });
      }
      const found = (await database.ledger.verify()).map((breach) => [
        breach.invariant,
        breach.subject,
      ]);
      expect(found).toEqual(breaches.map((breach) => [...breach]));
      await database.close();
    });
  }

  test('has a planted fault for every law', () => {
    const planted = new Set(CORRUPTIONS.flatMap(({ breaches }) => breaches.map(([law]) => law)));
    // Leaves out the invariants of stored holds, which `stored-hold-laws.test.ts` tests.
    const checked = [...LAWS, ...COMPUTED_LAWS].filter(({ holds }) => holds !== 'stored');
    const laws = checked.map(({ name }) => name);
    expect(laws.filter((law) => !planted.has(law))).toEqual([]);
  });
});
