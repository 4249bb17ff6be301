import { afterAll, beforeAll } from 'bun:test';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { monthsConformance } from './monthly-statements-conformance.fixture.ts';
import { overrunsConformance } from './overruns-conformance.fixture.ts';
import { reportsConformance } from './reports-conformance.fixture.ts';
import { lateReportsConformance } from './reports-late-conformance.fixture.ts';
import { histogramConformance } from './request-histogram-conformance.fixture.ts';

let database: Database;

beforeAll(async () => {
  database = await openPostgresForTest();
}, 180_000);
afterAll(async () => {
  await database.close();
});

reportsConformance('PostgreSQL', () => database);
histogramConformance('PostgreSQL', () => database);
monthsConformance('PostgreSQL', () => database);
lateReportsConformance('PostgreSQL', () => openPostgresForTest());
overrunsConformance('PostgreSQL', () => openPostgresForTest());
