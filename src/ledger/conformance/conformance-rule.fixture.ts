/** One rule: a test on a store of its own, whose ledger must be sound afterwards. */
import { expect, test } from 'bun:test';
import type { Database } from '../database.ts';
import { furnish } from './ledger.fixture.ts';

/**
 * The first test that needs a PostgreSQL server waits for its start, on a machine that may be busy.
 */
const SERVER_START_MS = 60_000;

/** Opens an empty store. The test that opened it closes it. */
export type Open = () => Promise<Database>;

/** Runs `statement` on a furnished store, then every law of the ledger. */
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
