/** Tests that acknowledged commits survive and that slow queries do not end a node's lease. */
import { expect, test } from 'bun:test';
import postgres from 'postgres';
import { eventually } from '../../../test/support/eventually.ts';
import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import {
  applied,
  credit,
  EPOCH,
  failureOf,
  furnish,
  hold,
} from '../../ledger/conformance/ledger.fixture.ts';
import { openPostgres } from '../../ledger/postgres/open-postgres.ts';
import {
  newTestDatabase,
  openTestUrl,
  startServer,
} from '../../ledger/postgres/postgres.fixture.ts';
import { PostgresLink } from './postgres-link.ts';

const SLOW_MS = 180_000;
/**
 * Time limits of a node's queries. `promptMs` is for lease renewals and pings. `answerMs` is for
 * all others and exceeds the time of a slow query.
 */
const QUICK = { answerMs: 2 * SLOW_MS, promptMs: 3_000 };
/** Takes a lock. If another transaction holds it, waits until it is released. */
const LOCK = 'SELECT pg_advisory_xact_lock(1)::text';
/** The number of connections that a node uses for plain SQL. */
const PLAIN_LINKS = 3;

test(
  'flushes each commit, whatever the database is set to',
  async () => {
    const url = await newTestDatabase();
    const database = await openTestUrl(url);
    const set = `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`;
    await database.sql.query({ sql: set, params: [] });
    await database.close();
    const options = { url: new Secret(url), clock: systemClock, statementMs: 0, lockMs: 0 };
    const link = new PostgresLink(options);
    const shown = await link.ask(5_000, (client) => client.unsafe('SHOW synchronous_commit'));
    expect(shown[0]?.['synchronous_commit']).toBe('on');
    await link.close();
  },
  SLOW_MS,
);

async function warningsOf(address: string): Promise<string[]> {
  const warnings: string[] = [];
  const warn = (risk: string): void => void warnings.push(risk);
  const database = await openPostgres({ url: new Secret(address), clock: systemClock, warn });
  await database.close();
  return warnings;
}

test.each([
  [false, [expect.stringContaining('fsync = off')]],
  [true, []],
])(
  'warns at the start about a server that can lose commits (durable: %p)',
  async (isDurable, warnings) => {
    const server = await startServer(isDurable);
    try {
      expect(await warningsOf(server.urlOf('postgres'))).toEqual(warnings);
    } finally {
      server.stop();
    }
  },
  2 * SLOW_MS,
);

test(
  'warns at the start about a standby if none is synchronous',
  async () => {
    const server = await startServer(true);
    const connected = { max: 1, fetch_types: false };
    const url = server.urlOf('postgres');
    // The server counts any replication connection as a standby.
    const standby = postgres(url, { ...connected, connection: { replication: 'true' } });
    const admin = postgres(url, connected);
    try {
      await standby.unsafe('IDENTIFY_SYSTEM');
      expect(await warningsOf(url)).toEqual([expect.stringContaining('no synchronous one')]);
      await admin.unsafe("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await admin.unsafe('SELECT pg_reload_conf()');
      await eventually(
        'the server has read its settings',
        () => admin.unsafe('SHOW synchronous_standby_names'),
        ([row]) => row?.['synchronous_standby_names'] === 'standby',
      );
      expect(await warningsOf(url)).toEqual([]);
    } finally {
      await Promise.all([standby.end({ timeout: 0 }), admin.end({ timeout: 0 })]);
      server.stop();
    }
  },
  2 * SLOW_MS,
);

test(
  'a renewal is given up long before the lease ends, whatever else waits',
  async () => {
    const url = await newTestDatabase();
    const node = await openTestUrl(url, QUICK);
    await furnish(node);
    const other = postgres(url, { max: 1 });
    let reports: readonly Promise<unknown>[] = [];
    await other.begin(async (begun) => {
      await begun.unsafe(LOCK);
      const report = { sql: LOCK, params: [] };
      reports = Array.from({ length: 6 }, () => node.sql.query(report));
      await eventually(
        'reports occupy all connections for plain SQL',
        () => begun.unsafe("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"),
        (waiting) => waiting.length === PLAIN_LINKS,
      );
      // The renewal of the lease has its own connection, which slow reports do not block.
      expect(await node.ledger.renew(EPOCH, 60_000)).toEqual({ isLive: true, nodes: 1 });
      expect(await node.ping()).toBeUndefined();
    });
    await Promise.all(reports);

    await other.begin(async (begun) => {
      await begun.unsafe('SELECT epoch FROM node WHERE epoch = $1 FOR UPDATE', [EPOCH]);
      const failure = await failureOf(node.ledger.renew(EPOCH, 60_000));
      expect(failure).toMatchObject({ code: 'store_unavailable' });
    });
    expect((await node.ledger.renew(EPOCH, 60_000)).isLive).toBe(true);
    await node.close();
    await other.end();
  },
  SLOW_MS,
);

test(
  'a hold on one node and a wallet command on another cannot take the same id',
  async () => {
    const url = await newTestDatabase();
    const [one, two] = [await openTestUrl(url), await openTestUrl(url)];
    await furnish(one);
    await one.ledger.apply([credit('c1', 100n)]);
    const [held, ordered] = await Promise.all([
      one.ledger.apply([hold('req_1', 10n)]),
      failureOf(two.ledger.apply([credit('req_1', 10n)])),
    ]);
    expect(held).toEqual([applied(10n, 90n)]);
    expect(ordered).toMatchObject({ code: 'invalid_value', param: 'id' });
    expect(await two.ledger.verify()).toEqual([]);
    await one.close();
    await two.close();
  },
  SLOW_MS,
);
