/**
 * Tests two versions on one database under load: this version, and a later one, which is built from
 * a copy of the sources with an additional migration. The earlier version cannot be a release,
 * because versions before schema 44 refuse a newer database.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { newTestDatabase } from '../../src/ledger/postgres/postgres.fixture.ts';
import { MIGRATIONS } from '../../src/store/migrations.ts';
import { eventually } from '../support/eventually.ts';
import { nothingHeld } from '../support/gateways/crash-loop.ts';
import { startNode, startNodes } from '../support/gateways/gateway-nodes.ts';
import {
  type GatewayProcess,
  shippedConfig,
  spawnModelgate,
  startGateway,
} from '../support/gateways/gateway-process.ts';
import { buildNextVersion, NEXT_VERSION } from '../support/gateways/next-version.ts';
import { startReadyProxy } from '../support/gateways/ready-proxy.ts';
import { faultsOf, type Invocation, orderFaults } from '../support/history/history.ts';
import { openClients, startLoad, tally } from '../support/history/history-load.ts';
import { recordsOfServer } from '../support/history/ledger-records.ts';
import { breaches } from '../support/history/ledger-views.ts';
import { printedSeed } from '../support/random.ts';
import { startPacedUpstream } from '../support/upstreams/paced-upstream.ts';
import { ask, CHAT, hello } from '../support/wire.ts';

const KNOWN = MIGRATIONS.at(-1)?.id ?? 0;
const NODES = 3;
const CLIENTS = 8;
/** The number of requests that are answered before the next node is replaced. */
const BETWEEN = 150;
/**
 * How long a stopping node still accepts requests while `/readyz` returns 503: several times the
 * proxy's polling interval of 0.1 s.
 */
const NOTICE = 'limits: { drain_notice: 1s }\n';
const log = { LOG_LEVEL: 'info' };

let folder: string;
let next: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-next-'));
  next = buildNextVersion(join(folder, 'next'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns the requests that failed. A 404 for an unknown model is expected, so it is not a failure.
 */
const failed = (history: readonly Invocation[]): readonly Invocation[] =>
  history.filter(
    ({ model, end }) =>
      end.as !== 'ok' &&
      !(model === 'nobody-sells-this' && end.as === 'refused' && end.status === 404),
  );

test('three nodes are upgraded one by one, and back, and no request fails', async () => {
  const upstream = await startPacedUpstream();
  const config = NOTICE + upstream.config();
  const fleet = await startNodes(NODES, { config, env: log });
  const proxy = startReadyProxy();
  const nodes = [...fleet.nodes];
  const [first] = nodes;
  if (first === undefined) throw new Error('no node');
  for (const { url } of nodes) await proxy.add(url);
  const load = startLoad({
    seed: printedSeed('rolling upgrade'),
    clients: await openClients(first, { USD: '10000', CNY: '10000' }, CLIENTS),
    urls: () => [proxy.url],
    leavesOneIn: null,
  });
  const replaced: string[] = [];
  const replaceAll = async (program: string | undefined): Promise<void> => {
    for (const [at, node] of nodes.entries()) {
      const before = load.history.length;
      await eventually(
        'load',
        () => load.history.length,
        (count) => count >= before + BETWEEN,
        60_000,
      );
      expect(await node.stop()).toBe(0);
      replaced.push(node.stdout() + node.stderr());
      const options = { config, env: log, folder: node.folder, ...(program && { program }) };
      const started = await startNode(fleet.database, options);
      await proxy.add(started.url);
      nodes[at] = started;
    }
  };
  try {
    await replaceAll(next);
    await replaceAll(undefined);
    const before = load.history.length;
    await eventually(
      'load',
      () => load.history.length,
      (count) => count >= before + BETWEEN,
      60_000,
    );
    const history = await load.stop();
    console.log(tally(history), Object.fromEntries(proxy.counts));
    expect(failed(history)).toEqual([]);
    // Each node of each version has answered requests.
    expect(proxy.counts.size).toBe(NODES * 3);
    // A node logs this message only if it was already running when the first node of the newer
    // version started.
    const says = 'a newer version has updated the database';
    const [last] = nodes;
    if (last === undefined) throw new Error('no node');
    expect(nodes.map(({ stdout, stderr }) => (stdout() + stderr()).includes(says))).toEqual([
      true,
      true,
      true,
    ]);
    expect(replaced.some((text) => text.includes(says))).toBe(false);
    await nothingHeld(last);
    expect(await breaches(last)).toEqual([]);
    const records = await recordsOfServer(fleet.database);
    expect(faultsOf(history, records)).toEqual([]);
    expect(orderFaults(history, records)).toEqual([]);
    const sql = postgres(fleet.database, { max: 1 });
    const written = await sql.unsafe(
      'SELECT node_version AS version, COUNT(*)::int AS receipts FROM receipt GROUP BY 1 ORDER BY 1',
    );
    await sql.end();
    console.log('receipts by version', [...written]);
    expect(written.map(({ version }) => version)).toEqual([NEXT_VERSION, null]);
  } finally {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await fleet[Symbol.asyncDispose]();
    await proxy.stop();
    upstream.stop();
  }
}, 600_000);

test('a node with SQLite is upgraded and goes back, with all its receipts', async () => {
  const config = shippedConfig();
  const sell = async (node: GatewayProcess): Promise<void> => {
    for (let times = 0; times < 5; times += 1)
      expect((await ask(node, CHAT, hello.chat)).status).toBe(200);
    expect(await breaches(node)).toEqual([]);
    expect(await node.stop()).toBe(0);
  };
  const first = await startGateway({ config });
  try {
    await sell(first);
    const { folder: kept, dataDir } = first;
    await sell(await startGateway({ config, folder: kept, program: next }));
    const back = await startGateway({ config, folder: kept, env: log });
    await sell(back);
    expect(back.stdout() + back.stderr()).toContain(`this one knows ${KNOWN}`);
    const file = new SqliteFile(join(dataDir, 'modelgate.db'), { readonly: true });
    const written = file
      .query('SELECT node_version AS version, COUNT(*) AS receipts FROM receipt GROUP BY 1')
      .all();
    file.close();
    expect(written).toEqual([
      { version: null, receipts: 10 },
      { version: NEXT_VERSION, receipts: 5 },
    ]);
  } finally {
    await first[Symbol.asyncDispose]();
  }
}, 120_000);

test('a start on PostgreSQL that is killed in the middle of its migration has changed nothing', async () => {
  const slow = buildNextVersion(join(folder, 'slow-postgres'), { postgres: 'SELECT pg_sleep(3);' });
  const config = shippedConfig();
  const database = await newTestDatabase();
  const node = await startNode(database, { config });
  const sql = postgres(database, { max: 1 });
  try {
    const env = { MODELGATE_DATABASE: database, MODELGATE_DATA_DIR: join(folder, 'killed') };
    const migrating = spawnModelgate(['migrate', '--config', node.configPath], env, [], slow);
    await eventually(
      'the step runs',
      () => sql`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`,
      ({ length }) => length > 0,
    );
    migrating.kill('SIGKILL');
    await migrating.exited;
    expect((await ask(node, CHAT, hello.chat)).status).toBe(200);
    expect([...(await sql`SELECT MAX(id)::int AS at FROM schema_migration`)]).toEqual([
      { at: KNOWN },
    ]);
    const again = spawnModelgate(['migrate', '--config', node.configPath], env, [], next);
    expect(await again.exited).toBe(0);
    expect([...(await sql`SELECT MAX(id)::int AS at FROM schema_migration`)]).toEqual([
      { at: KNOWN + 1 },
    ]);
    expect((await ask(node, CHAT, hello.chat)).status).toBe(200);
    expect(await breaches(node)).toEqual([]);
  } finally {
    await sql.end();
    await node[Symbol.asyncDispose]();
  }
}, 120_000);

test('a start on SQLite that is killed in the middle of its migration has changed nothing', async () => {
  const counting = `CREATE TABLE counted AS WITH RECURSIVE n (i) AS (
    SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000000) SELECT i FROM n;`;
  const slow = buildNextVersion(join(folder, 'slow-sqlite'), { sqlite: counting });
  const config = shippedConfig();
  const node = await startGateway({ config });
  try {
    expect((await ask(node, CHAT, hello.chat)).status).toBe(200);
    await node.stop();
    const path = join(node.dataDir, 'modelgate.db');
    const env = { MODELGATE_DATA_DIR: node.dataDir };
    const migrating = spawnModelgate(['migrate', '--config', node.configPath], env, [], slow);
    // While the migration runs, SQLite's write-ahead log grows.
    await eventually(
      'the step runs',
      () => Bun.file(`${path}-wal`).size,
      (size) => size > 5_000_000,
    );
    expect(migrating.exitCode).toBeNull();
    migrating.kill('SIGKILL');
    await migrating.exited;
    await using again = await startGateway({ config, folder: node.folder });
    expect((await ask(again, CHAT, hello.chat)).status).toBe(200);
    expect(await breaches(again)).toEqual([]);
    await again.stop();
    const file = new SqliteFile(path, { readonly: true });
    expect(file.query('SELECT MAX(id) AS at FROM schema_migration').all()).toEqual([{ at: KNOWN }]);
    file.close();
  } finally {
    await node[Symbol.asyncDispose]();
  }
}, 120_000);
