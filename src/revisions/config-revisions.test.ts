import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import type { Database } from '../ledger/database.ts';
import { removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import type { SqlExecutor, SqlRow } from '../store/sql.ts';
import { ConfigRevisions, documentText } from './config-revisions.ts';
import { engines, SMALL } from './revisions.fixture.ts';

setDefaultTimeout(180_000);
afterAll(removeFiles);

const newRevision = (base: number, document: typeof SMALL) => ({
  ...{ base, document, text: documentText(document), actor: 'admin', note: '' },
  ...({ origin: 'change', changes: null, detail: {} } as const),
});

describe.each(Object.entries(engines))('revisions on %s', (_engine, open) => {
  async function withStore(work: (database: Database) => Promise<void>): Promise<void> {
    const database = await open();
    await work(database);
    await database.close();
  }

  /** Returns an executor that records every row of the store's answers. */
  function recording(sql: SqlExecutor) {
    const rows: SqlRow[] = [];
    const recorded: SqlExecutor = {
      query: async (statement) => {
        const found = await sql.query(statement);
        rows.push(...found);
        return found;
      },
      transaction: (statements, audit) => sql.transaction(statements, audit),
    };
    const sent = () => rows.splice(0).map((row) => row['document'] !== null);
    return { recorded, sent };
  }

  test('a document that is known is not read again', () =>
    withStore(async ({ sql }) => {
      const { recorded, sent } = recording(sql);
      const own = new ConfigRevisions(recorded, systemClock);
      const other = new ConfigRevisions(sql, systemClock);
      expect(await own.newest()).toBeNull();
      await own.add(newRevision(0, SMALL));
      expect(await own.newest()).toMatchObject({ revision: 1, document: SMALL });
      expect(sent()).toEqual([false]);

      const changed = { ...SMALL, fx: { 'USD/CNY': '7.5' } };
      await other.add(newRevision(1, changed));
      expect(await own.newest()).toMatchObject({ revision: 2, document: changed });
      expect((await own.newest())?.document).toEqual(changed);
      expect(sent()).toEqual([true, false]);
    }));

  test('a revision that was refused is not taken for the newest', () =>
    withStore(async ({ sql }) => {
      const revisions = new ConfigRevisions(sql, systemClock);
      await revisions.add(newRevision(0, SMALL));
      expect(await revisions.add(newRevision(0, { models: {} }))).toBeNull();
      expect((await revisions.newest())?.document).toEqual(SMALL);
    }));
});
