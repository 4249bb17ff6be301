/**
 * Tests several nodes on one PostgreSQL database. No failure of a node may lose an entry of the
 * ledger. The tests mostly wait for leases to expire, so they run concurrently.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { newTestDatabase } from '../src/ledger/postgres/postgres.fixture.ts';
import { eventually } from './support/eventually.ts';
import { crashLoop, nothingHeld, summary } from './support/gateways/crash-loop.ts';
import { type GatewayNodes, startNode, startNodes } from './support/gateways/gateway-nodes.ts';
import type { GatewayProcess } from './support/gateways/gateway-process.ts';
import { frozenStore, STREAMS, stoppedWithoutStore } from './support/gateways/store-failure.ts';
import {
  type End,
  faultsOf,
  type Invocation,
  orderFaults,
  withoutKeys,
} from './support/history/history.ts';
import {
  type Client,
  mixedClients,
  ofStream,
  openClients,
  startLoad,
  tally,
} from './support/history/history-load.ts';
import { recordsOfServer } from './support/history/ledger-records.ts';
import { admin, breaches, receiptOf } from './support/history/ledger-views.ts';
import { printedSeed } from './support/random.ts';
import {
  type OpenStream,
  openStream,
  type PacedUpstream,
  startPacedUpstream,
} from './support/upstreams/paced-upstream.ts';
import { ask, CHAT, get, hello, payloads } from './support/wire.ts';

/**
 * The time limit until a lost node's requests are settled. The lease expires after ten seconds, the
 * reaper runs some heartbeats later, and the rest is a margin for slow machines.
 */
const REAPED_WITHIN_MS = 60_000;
/**
 * The time limit within which the streams of a revoked key must end. The specified limit is one
 * second, but a busy machine takes longer.
 */
const ENDED_WITHIN_MS = 5_000;
const FROZEN_MS = 10_000;
/**
 * How long the store stays unavailable while a node stops. A node that does not wait for the store
 * exits earlier. A node may wait as long as the drain time, which is longer than this.
 */
const BACK_AFTER_MS = 4_000;
/**
 * The maximum growth of memory in MiB. The settlements that wait in memory are limited to a few
 * thousand, of some kilobytes each.
 */
const MAX_GROWTH_MIB = 150;

const started = new AsyncDisposableStack();
/** The time limit of a test. A test takes half a minute on an idle machine. */
const LIMIT_MS = 180_000;

let upstream: PacedUpstream;
let fleet: GatewayNodes;
beforeAll(async () => {
  upstream = await startPacedUpstream();
  started.defer(upstream.stop);
  fleet = started.use(await startNodes(3, { config: upstream.config() }));
});
afterAll(() => started.disposeAsync());

const three = (): readonly [GatewayProcess, GatewayProcess, GatewayProcess] => {
  const [a, b, c] = fleet.nodes;
  if (a === undefined || b === undefined || c === undefined) throw new Error('three nodes');
  return [a, b, c];
};
const oneClient = async (target: GatewayProcess): Promise<Client> => {
  const [client] = await openClients(target, { USD: '10' }, 1);
  if (client === undefined) throw new Error('no client');
  return client;
};
/**
 * The key ids of the clients that `stranger` opens. The requests of these clients are not in the
 * recorded history. So when the test compares the history with the database, it leaves out the
 * records of these keys.
 */
const strangers: string[] = [];
const stranger = async (target: GatewayProcess): Promise<Client> => {
  const client = await oneClient(target);
  strangers.push(client.keyId);
  return client;
};

/** Waits for the promise and returns its value. @throws Error after `limitMs`. */
async function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value> {
  const late = Bun.sleep(limitMs).then(() => Promise.reject(new Error(`not within ${limitMs} ms`)));
  return await Promise.race([promise, late]);
}

test('a key revoked on one node is refused by the others at once, and its streams end', async () => {
  const [a, b, c] = three();
  const { keyId, key } = await stranger(a);
  for (const { url } of fleet.nodes)
    expect((await ask({ url, key }, CHAT, hello.chat)).status).toBe(200);
  const streams = await Promise.all(fleet.nodes.map(({ url }) => openStream({ url, key })));
  expect((await admin(a, 'DELETE', `/keys/${keyId}`)).status).toBe(200);
  const revokedMs = performance.now();
  // The statement that places a hold also checks the key. So the other nodes refuse the key at
  // once, even before the change feed reports the revocation.
  const refused = await Promise.all([b, c].map(({ url }) => ask({ url, key }, CHAT, hello.chat)));
  expect(refused.map(({ status }) => status)).toEqual([401, 401]);
  const ends = await within(ENDED_WITHIN_MS, Promise.all(streams.map(({ rest }) => rest())));
  const tookMs = performance.now() - revokedMs;
  console.log(`streams of a revoked key ended after ${Math.round(tookMs)} ms`);
  for (const text of ends)
    expect(payloads(text).at(-1)).toMatchObject({ error: { code: 'invalid_api_key' } });
  await nothingHeld(a);
  const { requests } = await recordsOfServer(fleet.database);
  for (const { requestId } of streams)
    expect(requests.find((each) => each.requestId === requestId)).toMatchObject({ keyId });
  expect(await breaches(a)).toEqual([]);
});

/** Returns the entry of a history for a stream that the test opened itself and that ends now. */
const seen = ({ keyId }: Client, stream: OpenStream, end: End): Invocation => ({
  ...{ endpoint: 'chat', model: 'scripted-chat', streamed: true, keyId, end },
  invokedAtMs: stream.invokedAtMs,
  endedAtMs: Date.now(),
});

test.concurrent(
  'one node is killed and one paused under load: the third settles their holds, and late receipts correct them',
  async () => {
    const [killed, stopped, left] = three();
    const client = await oneClient(left);
    let urls: readonly string[] = fleet.nodes.map(({ url }) => url);
    const seed = printedSeed('three nodes');
    // The streams are opened before the load, which could delay the lookup of their key too much.
    const lost = await openStream({ ...killed, ...client });
    const late = await openStream({ ...stopped, ...client });
    const load = startLoad({ seed, clients: await mixedClients(left), urls: () => urls });
    lost.rest().catch(() => 'its node is killed');

    stopped.signal('SIGSTOP');
    const stoppedAtMs = Date.now();
    await killed.kill9();
    const awayMs = performance.now();
    urls = [left.url];
    for (const { requestId } of [lost, late]) {
      const receipt = await eventually(
        `${requestId} is resolved`,
        () => get({ ...left, ...client }, `/v1/generation?id=${requestId}`),
        ({ status }) => status === 200,
        REAPED_WITHIN_MS,
      );
      expect(receipt.at('data')).toMatchObject({ outcome: 'node_lost', cost_estimated: true });
    }
    console.log(
      `holds of absent nodes were resolved after ${Math.round(performance.now() - awayMs)} ms`,
    );

    const continuedAtMs = Date.now();
    stopped.signal('SIGCONT');
    await eventually(
      'it has a new lease',
      () => stopped.stderr(),
      (log) => log.includes('the node has a new lease'),
    );
    upstream.release();
    const acknowledged = ofStream(await late.rest());
    expect(acknowledged).not.toBeNull();
    const another = { ...stopped, ...(await stranger(left)) };
    expect((await ask(another, CHAT, hello.chat)).status).toBe(200);
    urls = [left.url, stopped.url];
    const before = load.history.length;
    await eventually(
      'both serve',
      () => load.history.length,
      (length) => length > before + 100,
    );

    const history = [
      ...(await load.stop()),
      seen(client, lost, { as: 'unknown', requestId: lost.requestId }),
    ];
    if (acknowledged !== null)
      history.push(seen(client, late, { as: 'ok', requestId: late.requestId, ...acknowledged }));
    await nothingHeld(left);
    expect(await breaches(left)).toEqual([]);
    const records = withoutKeys(await recordsOfServer(fleet.database), strangers);
    console.log(tally(history));
    expect(faultsOf(history, records)).toEqual([]);
    // Excludes requests that ran during the whole pause of a node. The paused node settles them
    // only after it has a new lease. Meanwhile, their clients may have sent further requests to the
    // other node, and these requests are settled first.
    const inOrder = history.filter(
      ({ invokedAtMs, endedAtMs }) => invokedAtMs > stoppedAtMs || endedAtMs < continuedAtMs,
    );
    expect(orderFaults(inOrder, records)).toEqual([]);
    const corrected = records.charges.filter(({ kind }) => kind === 'late');
    expect(corrected.map(({ requestId }) => requestId)).toContain(late.requestId);
    expect((await receiptOf({ ...left, ...client }, late.requestId)).status).toBe(200);
  },
  LIMIT_MS,
);

test.concurrent(
  'SIGKILL at random moments loses no acknowledged charge and charges nothing twice',
  async () => {
    const database = await newTestDatabase();
    const config = upstream.config();
    await using first = await startNode(database, { config });
    await first.stop();
    const report = await crashLoop({
      seed: printedSeed('crash loop on PostgreSQL'),
      ...{ nodes: 1, kills: 3, stops: 0, stopMs: 0 },
      start: () => startNode(database, { folder: first.folder, config }),
      records: () => recordsOfServer(database),
    });
    console.log(summary(report));
    expect(report.faults).toEqual([]);
    expect(report.tally['ok']).toBeGreaterThan(10);
    expect(report.tally['unknown']).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

const longestOf = (history: readonly Invocation[]): number =>
  Math.max(...history.map(({ invokedAtMs, endedAtMs }) => endedAtMs - invokedAtMs));

test.concurrent(
  'PostgreSQL freezes for ten seconds under load and a node is killed: nothing is lost, and every caller gets an answer',
  async () => {
    const report = await frozenStore(printedSeed('frozen store'), FROZEN_MS);
    const { history, meanwhile, spooled, grownMiB } = report;
    // No request waited for the store. The streams reported their cost, and the nodes could write
    // the settlements only to their spools.
    expect(report.isAnsweredWhileFrozen).toBe(true);
    expect(spooled.steady).toBeGreaterThanOrEqual(STREAMS);
    expect(spooled.killed).toBe(STREAMS);
    const statuses = new Set(meanwhile.map(({ end }) => (end.as === 'refused' ? end.status : 200)));
    expect(statuses).toContain(503);
    expect(statuses).not.toContain(401);
    expect(statuses).not.toContain(500);
    const longestMs = longestOf(meanwhile);
    console.log(tally(history), { longestMs, grownMiB, ...spooled });
    expect(grownMiB).toBeLessThan(MAX_GROWTH_MIB);
    expect(report.breaches).toEqual([]);
    expect(report.faults).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  'a node that is stopped while PostgreSQL is away waits for it, and writes its charges before it ends',
  async () => {
    const report = await stoppedWithoutStore(BACK_AFTER_MS);
    expect(report).toEqual({ spooled: { before: 1, after: 0 }, exitCode: 0, faults: [] });
  },
  LIMIT_MS,
);
