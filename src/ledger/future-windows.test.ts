import { expect, test } from 'bun:test';
import postgres from 'postgres';
import { AT_MS, credit, furnish, hold, settle } from './conformance/ledger.fixture.ts';
import { resetFutureWindows } from './future-windows.ts';
import { newTestDatabase, openTestUrl } from './postgres/postgres.fixture.ts';

/** Opens a database with a charge that was written 40 days ahead. */
async function openAhead() {
  const url = await newTestDatabase();
  const database = await openTestUrl(url, { attemptMs: 30_000, deadlineMs: 60_000 });
  await furnish(database);
  const atMs = AT_MS + 40 * 86_400_000;
  const charge = [credit('c1', 100n), hold('h1', 4n), { ...settle('h1', 4n), atMs }];
  await database.ledger.apply(charge);
  return { url, database };
}

test('a reset counts a charge that is written at the same time', async () => {
  const { url, database } = await openAhead();
  const { ledger, sql } = database;
  await ledger.apply([hold('h2', 5n)]);
  const client = postgres(url, { max: 1 });
  const waiting = `SELECT COUNT(*)::int AS n FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  const [charging, resetting] = await client.begin(async (begun) => {
    const isWaiting = async (count: number): Promise<void> => {
      while (Number((await begun.unsafe(waiting))[0]?.['n']) < count);
    };
    // The charge has changed the meters, and waits before its commit.
    await begun.unsafe('LOCK TABLE uncounted IN EXCLUSIVE MODE');
    const charge = ledger.apply([settle('h2', 5n)]);
    await isWaiting(1);
    const reset = resetFutureWindows(sql, 'admin', AT_MS);
    await isWaiting(2);
    return [[charge], [reset]] as const;
  });
  expect(await charging[0]).toMatchObject([{ status: 'applied' }]);
  expect(await resetting[0]).toBe(2);
  const meters = {
    sql: 'SELECT DISTINCT in_day, in_month FROM spend_meter WHERE total > 0',
    params: [],
  };
  expect(await sql.query(meters)).toEqual([{ in_day: 9n, in_month: 9n }]);
  expect(await ledger.verify()).toEqual([]);
  await client.end();
  await database.close();
}, 180_000);

test('a reset locks accounts before their meters, as charges do', async () => {
  const { url, database } = await openAhead();
  const { sql } = database;
  const client = postgres(url, { max: 1 });
  let isOver = false;
  const resetting = await client.begin(async (begun) => {
    await begun.unsafe('SELECT 1 FROM wallet FOR NO KEY UPDATE');
    const reset = resetFutureWindows(sql, 'admin', AT_MS).finally(() => {
      isOver = true;
    });
    const waiting = `SELECT COUNT(*)::int AS n FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while (!isOver && (await begun.unsafe(waiting))[0]?.['n'] === 0);
    expect(isOver).toBe(false);
    // The charge that has locked the account can lock the meters.
    await begun.unsafe('SELECT 1 FROM spend_meter FOR NO KEY UPDATE NOWAIT');
    return [reset] as const;
  });
  expect(await resetting[0]).toBe(2);
  await client.end();
  await database.close();
}, 180_000);
