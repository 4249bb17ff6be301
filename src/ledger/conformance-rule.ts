/** One statement of the law: a test on a store of its own, which must be sound when it is done. */
import { expect, test } from 'bun:test';
import { furnish } from './books.fixture.ts';
import type { Database } from './database.ts';

/** Opens an empty store; what it returns is closed by the test that asked. */
export type Open = () => Promise<Database>;

/** Runs `statement` on a furnished store, then every law of the books. */
export function rule(open: Open, name: string, statement: (database: Database) => Promise<void>) {
  test(name, async () => {
    const database = await open();
    try {
      await furnish(database);
      await statement(database);
      expect(await database.ledger.verify()).toEqual([]);
    } finally {
      await database.close();
    }
  });
}
