import { afterAll, beforeAll } from 'bun:test';
import type { Database } from '../ledger/database.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { monthsConformance } from './monthly-statements-conformance.fixture.ts';
import { imageSumsConformance } from './operator/image-sums-conformance.fixture.ts';
import { overrunsConformance } from './overruns-conformance.fixture.ts';
import { reportsConformance } from './reports-conformance.fixture.ts';
import { lateReportsConformance } from './reports-late-conformance.fixture.ts';
import { histogramConformance } from './request-histogram-conformance.fixture.ts';

let database: Database;

beforeAll(async () => {
  database = await openFile(newFile());
});
afterAll(async () => {
  await database.close();
  removeFiles();
});

reportsConformance('SQLite', () => database);
histogramConformance('SQLite', () => database);
monthsConformance('SQLite', () => database);
lateReportsConformance('SQLite', () => openFile(newFile()));
imageSumsConformance('SQLite', () => openFile(newFile()));
overrunsConformance('SQLite', () => openFile(newFile()));
