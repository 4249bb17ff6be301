/** One statement of the law: a test on a store of its own, which must be sound when it is done. */
import { expect, test } from 'bun:test';
import type { Database } from '../database.ts';
import { furnish } from './ledger.fixture.ts';

/** The first to ask for a PostgreSQL server waits for it to start, on a machine that may be busy. */
const SERVER_START_MS = 60_000;

/** Opens an empty store; what it returns is closed by the test that asked. */
export type Open = () => Promise<Database>;

/** Runs `statement` on a furnished store, then every law of the books. */
export function rule(open: Open, name: string, statement: (database: Database) => Promise<void>) {
  const judge = async () => {
    const database = await open();
    try {
      await furnish(database);
      await statement(database);
      expect(await database.ledger.verify()).toEqual([]);
    } finally {
      await database.close();
    }
  };
  test(name, judge, SERVER_START_MS);
}
