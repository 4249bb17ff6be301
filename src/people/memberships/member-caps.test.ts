import { afterAll, describe, expect, test } from 'bun:test';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { daysAt } from '../../money/calendar.ts';
import { cappedAfter } from './member-caps.ts';
import { memberCapConformance } from './member-caps-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => {
  memberCapConformance(() => openFile(newFile()));
});
describe('PostgreSQL', () => {
  memberCapConformance(() => openPostgresForTest());
});

test('SQLite looks for members with caps without reading the keys of others', async () => {
  const { sql, close } = await openFile(newFile());
  const looked = cappedAfter({ accountId: '', personId: '' }, daysAt(0), 10);
  const plan = await sql.query({ ...looked, sql: `EXPLAIN QUERY PLAN ${looked.sql}` });
  const steps = plan.map(({ detail }) => String(detail));
  expect(steps[0]).toContain('SEARCH member_cap USING PRIMARY KEY');
  expect(steps.find((step) => step.includes('api_key'))).toContain('api_key_of_creator');
  expect(steps).not.toContain('USE TEMP B-TREE FOR ORDER BY');
  await close();
});
