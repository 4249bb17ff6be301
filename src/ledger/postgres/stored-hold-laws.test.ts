/** Plants faults into the rows of holds, which only PostgreSQL stores. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { credit, extend, furnish, hold, settle } from '../conformance/ledger.fixture.ts';
import { COMPUTED_LAWS, HOLD_METER_LAW, LAWS } from '../verify.ts';
import { openPostgresForTest } from './postgres.fixture.ts';

setDefaultTimeout(180_000);

const SETTLED_LAW = 'a hold is settled if and only if a receipt states its amount and rate';
const HELD_LAW = "a wallet's held amount is the sum of its pending holds and assignments";
const LEASE_LAW = 'no assignment outlives its lease';
const METER_LAW = "a meter's held amount is the sum of the metered amounts of its pending holds";
const GROWTH_LAW = 'a hold is the granted amount plus its extensions';

/**
 * Faults to plant, with the invariants and rows that `verify` must report. h1 is settled. h2 is
 * pending and extended.
 */
const FAULTS: readonly {
  readonly fault: string;
  readonly sql: string;
  readonly breaches: readonly (readonly [law: string, subject: string])[];
}[] = [
  {
    fault: 'a hold is released without its money',
    sql: "UPDATE hold SET state = 'void' WHERE id = 'h2'",
    breaches: [
      [HELD_LAW, 'alice USD'],
      [METER_LAW, 'alice'],
      [METER_LAW, 'key_alice'],
    ],
  },
  {
    fault: 'a receipt states another hold',
    sql: "UPDATE receipt SET held = 61 WHERE request_id = 'h1'",
    breaches: [[SETTLED_LAW, 'h1']],
  },
  {
    fault: 'a settled hold is pending again',
    sql: "UPDATE hold SET state = 'pending', own = 0, metered = 60 WHERE id = 'h1'",
    breaches: [
      [SETTLED_LAW, 'h1'],
      [METER_LAW, 'alice'],
      [METER_LAW, 'key_alice'],
    ],
  },
  {
    fault: 'a pending hold counts for nothing',
    sql: "UPDATE hold SET metered = 0 WHERE id = 'h2'",
    breaches: [
      [METER_LAW, 'alice'],
      [METER_LAW, 'key_alice'],
      [HOLD_METER_LAW, 'h2'],
    ],
  },
  {
    fault: 'money is assigned to a process that never had a lease',
    sql: "INSERT INTO assignment VALUES ('alice', 'USD', 'never', 5, 0, 1, 0)",
    breaches: [
      [HELD_LAW, 'alice USD'],
      [LEASE_LAW, 'alice USD'],
    ],
  },
  {
    fault: 'an extension is lost',
    sql: "DELETE FROM extension WHERE id = 'x1'",
    breaches: [[GROWTH_LAW, 'h2']],
  },
];

describe('verify', () => {
  for (const { fault, sql, breaches } of FAULTS) {
    test(`reports when ${fault}`, async () => {
      const database = await openPostgresForTest();
      await furnish(database);
      const { ledger } = database;
      await ledger.apply([credit('c1', 1_000n), hold('h1', 60n), settle('h1', 24n)]);
      await ledger.apply([hold('h2', 30n), extend('x1', 'h2', 10n)]);
      expect(await ledger.verify()).toEqual([]);
      await database.sql.query({ sql, params: [] });
      const found = (await ledger.verify()).map((each) => [each.invariant, each.subject]);
      expect(found.toSorted()).toEqual(breaches.map((each) => [...each]).toSorted());
      await database.close();
    });
  }

  test('has a planted fault for every law of stored holds', () => {
    const planted = new Set(FAULTS.flatMap(({ breaches }) => breaches.map(([law]) => law)));
    const laws = [...LAWS, ...COMPUTED_LAWS].filter(({ holds }) => holds === 'stored');
    expect(laws.map(({ name }) => name).filter((law) => !planted.has(law))).toEqual([]);
  });
});
