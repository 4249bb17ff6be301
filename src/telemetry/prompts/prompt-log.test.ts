import { afterAll, beforeAll } from 'bun:test';
import type { Database } from '../../ledger/database.ts';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { promptConformance } from './prompt-log-conformance.fixture.ts';

let postgres: Database;
const sqlites: Database[] = [];

beforeAll(async () => {
  postgres = await openPostgresForTest();
}, 180_000);
afterAll(async () => {
  await postgres.close();
  for (const database of sqlites) await database.close();
  removeFiles();
});

promptConformance('SQLite', async () => {
  const database = await openFile(newFile());
  sqlites.push(database);
  return database.sql;
});
promptConformance('PostgreSQL', async () => {
  const tables = ['prompt_record', 'prompt_logging'];
  await postgres.sql.transaction(
    tables.map((table) => ({ sql: `DELETE FROM ${table}`, params: [] })),
  );
  return postgres.sql;
});
