/**
 * Defines tests of one rule of the ledger. Each test runs on its own store. At its end, all
 * invariants of the ledger are checked.
 */
import { expect, test } from 'bun:test';
import type { Database } from '../database.ts';
import { furnish } from './ledger.fixture.ts';

/**
 * The timeout of a test. The first test on PostgreSQL also waits for the start of the server, which
 * takes long on a busy machine.
 */
const SERVER_START_MS = 180_000;

/** Opens an empty store, which the test must close. */
export type Open = () => Promise<Database>;

/**
 * Defines a test that runs `statement` on a store filled by `furnish`, and then checks all
 * invariants of the ledger.
 */
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
