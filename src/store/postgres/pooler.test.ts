/**
 * Tests the check of a pooler when the gateway starts. A server without the required settings
 * stands in for a pooler.
 */
import { expect, test } from 'bun:test';
import postgres from 'postgres';
import { systemClock as clock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { applied, credit, furnish, hold } from '../../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import { openPostgres } from '../../ledger/postgres/open-postgres.ts';
import { newTestDatabase } from '../../ledger/postgres/postgres.fixture.ts';
import { whyNotOpened } from './pooler.ts';

const open = (url: string, direct: string): Promise<Database> =>
  openPostgres({ url: new Secret(url), direct: new Secret(direct), clock });

const failureOf = (opening: Promise<Database>): Promise<string> =>
  opening.then(
    () => 'opened',
    (thrown) => String(thrown),
  );

/**
 * Runs SQL as an operator would. Changes role settings only for this database, because other tests
 * share the server.
 */
async function run(url: string, text: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const sql = postgres(url, { max: 1 });
  await sql.unsafe(text.replaceAll('ROLE postgres', `ROLE postgres IN DATABASE ${name}`));
  await sql.end();
}

test('a start names the settings that connections through the pooler lack, and sells with them', async () => {
  const url = await newTestDatabase();
  await run(
    url,
    `ALTER ROLE postgres SET client_min_messages = 'warning';
     ALTER ROLE postgres SET synchronous_commit = 'off'`,
  );
  const failure = await failureOf(open(url, url));
  expect(failure).toContain(
    'The database could not be opened through the pooler: its connections have ' +
      'statement_timeout = 0, idle_in_transaction_session_timeout = 0, synchronous_commit = off, ' +
      'client_min_messages = warning',
  );
  await run(url, failure.slice(failure.indexOf('ALTER ROLE')));
  const database = await open(url, url);
  await furnish(database);
  await database.ping();
  expect(await database.ledger.apply([credit('c1', 70n)])).toEqual([applied(70n, 70n)]);
  expect((await database.ledger.hold(hold('h1', 30n))).status).toBe('applied');
  // A pooled connection uses no named prepared statements.
  const [named] = await database.sql.query({
    sql: 'SELECT COUNT(*) AS n FROM pg_prepared_statements WHERE $1::bigint = 1',
    params: [1],
  });
  expect(named).toEqual({ n: 0n });
  expect(await database.ledger.verify()).toEqual([]);
  await database.close();
});

test('a pooler of another database is refused', async () => {
  const failure = await failureOf(open(await newTestDatabase(), await newTestDatabase()));
  expect(failure).toMatch(/`database` and `database_direct` are two databases/);
});

test('a pooler that refuses settings is recognized by its code', () => {
  const refused = Object.assign(new postgres.PostgresError('unsupported startup parameter'), {
    code: '08P01',
  });
  expect(whyNotOpened(refused)).toMatch(/Set `database_direct` to the address of the server/);
  expect(whyNotOpened(new Error('no route'))).toBe('no route');
});
