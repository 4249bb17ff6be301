/** Tests that a commit counts only after the synchronous standby has confirmed it. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import postgres from 'postgres';
import { eventually } from '../../../test/support/eventually.ts';
import { credit, furnish } from '../conformance/ledger.fixture.ts';
import { openTestUrl, startServer, type TestServer } from './postgres.fixture.ts';

const SLOW_MS = 180_000;

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
}, SLOW_MS);
afterAll(() => server.stop());

/** Sets the name of the synchronous standby. With a name that does not exist, commits wait. */
async function setStandby(name: string): Promise<void> {
  const sql = postgres(server.urlOf('postgres'), { max: 1 });
  await sql.unsafe('SET synchronous_commit = local');
  await sql.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await sql.unsafe('SELECT pg_reload_conf()');
  await eventually(
    'the server has read its settings',
    () => sql.unsafe('SHOW synchronous_standby_names'),
    ([row]) => row?.['synchronous_standby_names'] === name,
  );
  await sql.end();
}

/** Returns the id of a server process, other than `not`, whose batch waits for the standby. */
async function waitingBatch(admin: postgres.Sql, not = 0): Promise<number> {
  const [row] = await eventually(
    'a batch waits for the standby',
    () =>
      admin.unsafe<{ pid: number }[]>(
        `SELECT pid FROM pg_stat_activity
         WHERE wait_event = 'SyncRep' AND query LIKE '%books_apply%' AND pid <> ${not}`,
      ),
    (rows) => rows.length === 1,
  );
  return row?.pid ?? 0;
}

test(
  'a commit that stopped waiting for the standby is repeated, and the repetition waits as well',
  async () => {
    const database = await openTestUrl(server.urlOf('postgres'), { attemptMs: 20_000 });
    await furnish(database);
    const admin = postgres(server.urlOf('postgres'), { max: 1 });
    await setStandby('nobody');
    const asked = database.ledger.apply([credit('c1', 100n)]);
    const first = await waitingBatch(admin);
    // When the batch is canceled, the server commits it, warns, and reports success.
    await admin.unsafe(`SELECT pg_cancel_backend(${first})`);
    // The retried batch finds the first commit, which so far is only on the primary. It must not be
    // answered until the standby has confirmed that commit.
    await waitingBatch(admin, first);
    expect(await Promise.race([asked, 'no answer'])).toBe('no answer');
    await setStandby('');
    expect((await asked)[0]).toMatchObject({ status: 'already_applied' });
    expect((await database.ledger.wallets('alice'))[0]).toMatchObject({ balance: 100n });
    expect(await database.ledger.verify()).toEqual([]);
    await admin.end();
    await database.close();
  },
  SLOW_MS,
);
