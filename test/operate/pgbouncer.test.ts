/** Tests nodes behind PgBouncer in transaction mode, with the file deploy/pgbouncer.ini. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import postgres from 'postgres';
import { systemClock } from '../../src/clock.ts';
import { Secret } from '../../src/config/secret.ts';
import { ledgerConformance } from '../../src/ledger/conformance/ledger-conformance.fixture.ts';
import { openPostgres, type PostgresLimits } from '../../src/ledger/postgres/open-postgres.ts';
import {
  NOTHING_ASSIGNED,
  newTestDatabase,
  testServer,
} from '../../src/ledger/postgres/postgres.fixture.ts';
import { eventually } from '../support/eventually.ts';
import { nothingHeld } from '../support/gateways/crash-loop.ts';
import { startNodes } from '../support/gateways/gateway-nodes.ts';
import type { GatewayProcess } from '../support/gateways/gateway-process.ts';
import { faultsOf, withoutKeys } from '../support/history/history.ts';
import {
  type Load,
  mixedClients,
  openClients,
  startLoad,
  tally,
} from '../support/history/history-load.ts';
import { recordsOfServer } from '../support/history/ledger-records.ts';
import { admin, breaches } from '../support/history/ledger-views.ts';
import { between, printedSeed, seededRandom } from '../support/random.ts';
import { startPacedUpstream } from '../support/upstreams/paced-upstream.ts';
import { ask, CHAT, hello } from '../support/wire.ts';
import { startPgbouncer } from './pgbouncer.ts';

setDefaultTimeout(300_000);

const ONE_DATABASE = 'modelgate = host=10.0.0.5 port=5432 dbname=modelgate';
const LIMITS =
  " connect_query='SET statement_timeout = 10000; SET idle_in_transaction_session_timeout = 10000'";
const REVOKED_KEYS = 5;
/**
 * The maximum average time of a revocation, in ms. A revocation waits until the other node returns
 * the part of the balance that is assigned to it. If the notification does not reach that node, it
 * returns the money only at its next heartbeat, after up to 2 s.
 */
const HEARD_WITHIN_MS = 400;
const POOL_SIZE = 2;
/**
 * How long all connections of the pool are occupied. It is longer than a lease, so that the nodes
 * must renew their leases in this time.
 */
const FULL_MS = 11_000;
const KILLS = 5;

const closing = new AsyncDisposableStack();
afterAll(() => closing.disposeAsync());

/**
 * Tries to open the store. Returns `opened`, or the part of the error message after "be opened".
 */
async function refusal(url: string, direct: string | null): Promise<string> {
  const options = { url: new Secret(url), direct: direct === null ? null : new Secret(direct) };
  const opened = openPostgres({ ...options, clock: systemClock });
  return await opened.then(
    async (database) => {
      await database.close();
      return 'opened';
    },
    (thrown) => String(thrown).replace(/^.*?be opened/, ''),
  );
}

describe('a start names what is wrong with a pooler', () => {
  test('that it does not know of, or that is of another database', async () => {
    const database = await newTestDatabase();
    await using pooler = await startPgbouncer(database);
    const remedy = /pooler\. Set `database_direct` to the address of the server itself/;
    expect(await refusal(pooler.url, null)).toMatch(remedy);
    expect(await refusal(pooler.url, pooler.url)).toMatch(remedy);
    expect(await refusal(pooler.url, await newTestDatabase())).toMatch(/are two databases/);
    expect(await refusal(pooler.url, database)).toBe('opened');
    await pooler.kill9();
    expect(await refusal(pooler.url, database)).toMatch(/^ through the pooler: .*ECONNREFUSED/);
  });

  test('that drops settings, until the server has them', async () => {
    const database = await newTestDatabase();
    const dropped = 'statement_timeout,lock_timeout,client_min_messages';
    await using pooler = await startPgbouncer(database, {
      [LIMITS]: '',
      'server_login_retry = 1': `server_login_retry = 1\nserver_lifetime = 0
        ignore_startup_parameters = ${dropped},idle_in_transaction_session_timeout,synchronous_commit`,
    });
    expect(await refusal(pooler.url, null)).toMatch(
      /is 0 on a connection .* Set `database_direct`/,
    );
    const why = await refusal(pooler.url, database);
    expect(why).toMatch(/its connections have statement_timeout = 0, idle_in_transaction_/);
    const remedy = why.slice(why.indexOf('ALTER ROLE'));
    expect(remedy).toContain("ALTER ROLE postgres SET statement_timeout = '10s';");
    const name = new URL(database).pathname.slice(1);
    const sql = postgres(database, { max: 1 });
    // Changes the settings as the message advises, but only for this database, because other tests
    // share the server.
    await sql.unsafe(remedy.replaceAll('ROLE postgres', `ROLE postgres IN DATABASE ${name}`));
    await sql.end();
    await eventually(
      'the pooler has new connections',
      () => refusal(pooler.url, database),
      (found) => found === 'opened',
    );
  });
});

describe('the ledger through PgBouncer', () => {
  const pooler = (async () => {
    const { urlOf, port } = await testServer();
    const edits = {
      [ONE_DATABASE]: `* = host=127.0.0.1 port=${port}`,
      // Each test has its own database. PgBouncer closes idle connections after one second, so that
      // the next test can open connections.
      'server_login_retry = 1': 'server_login_retry = 1\nserver_idle_timeout = 1',
    };
    return closing.use(await startPgbouncer(urlOf('postgres'), edits));
  })();
  const open = async (limits: Partial<PostgresLimits> = {}) => {
    const direct = await newTestDatabase();
    const { pathname } = new URL(direct);
    const url = new Secret(Object.assign(new URL((await pooler).url), { pathname }).href);
    return await openPostgres({ url, direct: new Secret(direct), clock: systemClock, limits });
  };
  ledgerConformance(
    () => open(),
    'stored',
    () => open({ share: NOTHING_ASSIGNED }),
  );
});

/** Waits until `count` more requests have ended. */
const ended = (load: Load, count: number) => {
  const begun = load.history.length;
  return eventually(
    'load',
    () => load.history.length - begun,
    (ended) => ended >= count,
    60_000,
  );
};

/**
 * Uses a new key on both nodes, and then revokes it on one node. Returns how long the revocation
 * took, in ms.
 */
async function revoke([one, other]: readonly [GatewayProcess, GatewayProcess]) {
  const [client] = await openClients(one, { USD: '10' }, 1);
  if (client === undefined) throw new Error('no client');
  for (const node of [one, other, one, other, one, other])
    expect((await ask({ ...node, ...client }, CHAT, hello.chat)).status).toBe(200);
  const askedMs = performance.now();
  expect((await admin(one, 'DELETE', `/keys/${client.keyId}`)).status).toBe(200);
  const tookMs = performance.now() - askedMs;
  expect((await ask({ ...other, ...client }, CHAT, hello.chat)).status).toBe(401);
  return { keyId: client.keyId, tookMs };
}

/** Takes each connection of the pool as soon as it is free, and occupies it for `FULL_MS`. */
async function fillPool(url: string): Promise<void> {
  const sql = postgres(url, { max: POOL_SIZE, prepare: false });
  const half = `SELECT pg_sleep(${FULL_MS / 2_000})`;
  const taken = Array.from({ length: POOL_SIZE }, () =>
    sql.begin(async (begun) => {
      await begun.unsafe(half);
      await begun.unsafe(half);
    }),
  );
  await Promise.all(taken);
  await sql.end();
}

const isReady = async ({ url }: GatewayProcess): Promise<boolean> =>
  (await fetch(`${url}/readyz`)).ok;

test('two nodes sell through a pool that is full, killed and started: no charge is lost', async () => {
  const seed = printedSeed('pgbouncer');
  const random = seededRandom(seed);
  const database = await newTestDatabase();
  const size = { 'default_pool_size = 20': `default_pool_size = ${POOL_SIZE}` };
  const pooler = closing.use(await startPgbouncer(database, size));
  const upstream = await startPacedUpstream();
  closing.defer(upstream.stop);
  const env = { MODELGATE_DATABASE_DIRECT: database };
  const fleet = closing.use(await startNodes(2, { config: upstream.config(), env }, pooler.url));
  const [one, other] = fleet.nodes;
  if (one === undefined || other === undefined) throw new Error('two nodes');

  const revoked: Awaited<ReturnType<typeof revoke>>[] = [];
  for (let each = 0; each < REVOKED_KEYS; each++) revoked.push(await revoke([one, other]));
  const tookMs = revoked.reduce((sum, each) => sum + each.tookMs, 0) / REVOKED_KEYS;
  expect(tookMs).toBeLessThan(HEARD_WITHIN_MS);

  const urls = fleet.nodes.map(({ url }) => url);
  const load = startLoad({ seed, clients: await mixedClients(one), urls: () => urls });
  await ended(load, 200);
  const before = load.history.length;
  const full = fillPool(pooler.url);
  await eventually(
    'it is not ready',
    () => isReady(one),
    (ready) => !ready,
    FULL_MS,
  );
  await full;
  await eventually(
    'it is ready',
    () => isReady(one),
    (ready) => ready,
    FULL_MS,
  );
  const meanwhile = tally(load.history.slice(before));
  await ended(load, 200);
  for (let kill = 0; kill < KILLS; kill++) {
    await pooler.kill9();
    await Bun.sleep(between(random, 10, 1_500));
    await pooler.start();
    await ended(load, between(random, 20, 60));
  }
  const history = await load.stop();
  await nothingHeld(one);
  expect(await breaches(one)).toEqual([]);
  const strangers = revoked.map(({ keyId }) => keyId);
  const records = withoutKeys(await recordsOfServer(database), strangers);
  console.log({ tookMs, meanwhile, all: tally(history) });
  expect(faultsOf(history, records)).toEqual([]);
  // No node lost its lease, because a renewal does not need a connection of the pool.
  for (const { stderr } of fleet.nodes) expect(stderr()).not.toContain('the node has a new lease');
});
