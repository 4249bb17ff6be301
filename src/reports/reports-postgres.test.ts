import { afterAll, beforeAll } from 'bun:test';
import { eventually } from '../../test/support/eventually.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { statement } from '../store/sql.ts';
import { monthsConformance } from './monthly-statements-conformance.fixture.ts';
import { imageSumsConformance } from './operator/image-sums-conformance.fixture.ts';
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
imageSumsConformance('PostgreSQL', () => openPostgresForTest());
overrunsConformance(
  'PostgreSQL',
  () => openPostgresForTest(),
  async ({ sql }) =>
    await eventually(
      'the account is surrendered',
      async () =>
        await sql.query(statement`SELECT epoch FROM assignment WHERE account_id = ${'alice'}`),
      (rows) => rows.length === 0,
    ),
);
