/**
 * For tests: PostgreSQL freezes for a while under load, and one of two nodes is killed during the
 * freeze. No charge may be lost, no answer may be sent that cannot be charged, and the ledger must
 * be complete afterwards.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { join } from 'node:path';
import { faultProxy } from '../../../src/ledger/postgres/fault-proxy.fixture.ts';
import {
  newTestDatabase,
  startServer,
  type TestServer,
} from '../../../src/ledger/postgres/postgres.fixture.ts';
import { eventually } from '../eventually.ts';
import { type Fault, faultsOf, type Invocation } from '../history/history.ts';
import {
  askOnce,
  type Client,
  type Load,
  mixedClients,
  ofStream,
  openClients,
  startLoad,
} from '../history/history-load.ts';
import { recordsOfServer } from '../history/ledger-records.ts';
import { breaches } from '../history/ledger-views.ts';
import {
  type OpenStream,
  openStream,
  type PacedUpstream,
  startPacedUpstream,
} from '../upstreams/paced-upstream.ts';
import { nothingHeld } from './crash-loop.ts';
import { freeze, residentMiB } from './frozen-process.ts';
import { type GatewayNodes, startNode, startNodes } from './gateway-nodes.ts';
import type { GatewayProcess } from './gateway-process.ts';

/** The number of streams on each of the two nodes. They end while the store is frozen. */
export const STREAMS = 4;
/**
 * The number of requests that end before the freeze. After them, the nodes have cached the keys of
 * all clients of the load.
 */
const LOAD_BEFORE = 100;
/**
 * The number of clients that send no request before the freeze, so that no node has cached the keys
 * of these clients.
 */
const STRANGERS = 4;
/**
 * The time limit for the nodes to answer again after the freeze: a heartbeat, and a margin for a
 * busy machine.
 */
const AGAIN_WITHIN_MS = 30_000;
/**
 * How much longer than planned the store may be frozen until everyone is answered. Only requests
 * that wait for the store reach this limit, however slow the machine is.
 */
const MORE_FROZEN_MS = 60_000;

export type FreezeReport = {
  readonly history: readonly Invocation[];
  /** The part of `history` that started during or after the freeze. */
  readonly meanwhile: readonly Invocation[];
  /**
   * Whether everyone was answered while the store was frozen: the streams that ran, each client of
   * the load, and the clients that no node knew, whose keys had to be looked up in the store.
   */
  readonly isAnsweredWhileFrozen: boolean;
  /**
   * The number of settlements in the spool of each node: `steady` is the surviving node, and
   * `killed` the node that was killed.
   */
  readonly spooled: { readonly steady: number; readonly killed: number };
  /** The growth of the surviving node's memory during the freeze, in MiB. */
  readonly grownMiB: number;
  readonly breaches: unknown;
  readonly faults: readonly Fault[];
};

export async function frozenStore(seed: number, frozenMs: number): Promise<FreezeReport> {
  await using stack = new AsyncDisposableStack();
  const upstream = await startPacedUpstream();
  stack.defer(upstream.stop);
  const server = await startServer(true);
  stack.defer(server.stop);
  const config = upstream.config();
  const fleet = stack.use(await startNodes(2, { config }, server.urlOf('postgres')));
  return await underLoad({ seed, frozenMs, upstream, server, fleet });
}

/**
 * Tests a node that stops while its store is unavailable. Ends a stream, stops the node, and lets
 * the store accept connections again after `backAfterMs`.
 */
export async function stoppedWithoutStore(backAfterMs: number) {
  await using stack = new AsyncDisposableStack();
  const upstream = await startPacedUpstream();
  stack.defer(upstream.stop);
  const database = await newTestDatabase();
  const address = new URL(database);
  const proxy = await faultProxy(address.hostname, Number(address.port));
  stack.defer(proxy.close);
  address.host = `127.0.0.1:${proxy.port}`;
  const node = stack.use(await startNode(address.href, { config: upstream.config() }));
  const [open] = await openStreams(node, await openClients(node, { USD: '10' }, 1));
  if (open === undefined) throw new Error('one stream');

  proxy.refuse(true);
  upstream.release();
  const history = [await finished(open)];
  const stopping = node.stop();
  await Bun.sleep(backAfterMs);
  const spooled = { before: spooledBy(node), after: 0 };
  proxy.refuse(false);
  const exitCode = await stopping;
  spooled.after = spooledBy(node);
  return { spooled, exitCode, faults: faultsOf(history, await recordsOfServer(database)) };
}

type Stage = {
  readonly seed: number;
  readonly frozenMs: number;
  readonly upstream: PacedUpstream;
  readonly server: TestServer;
  readonly fleet: GatewayNodes;
};

async function underLoad(stage: Stage): Promise<FreezeReport> {
  const { seed, frozenMs, upstream, server, fleet } = stage;
  const [steady, killed] = fleet.nodes;
  if (steady === undefined || killed === undefined) throw new Error('two nodes');
  const clients = await openClients(steady, { USD: '10' }, 2 * STREAMS);
  const open = [
    ...(await openStreams(steady, clients.slice(0, STREAMS))),
    ...(await openStreams(killed, clients.slice(STREAMS))),
  ];
  const unknown = await openClients(steady, { USD: '10' }, STRANGERS);
  const loading = await mixedClients(steady);
  const load = startLoad({ seed, clients: loading, urls: () => [steady.url] });
  await eventually(
    'load',
    () => load.history.length,
    (length) => length > LOAD_BEFORE,
  );
  const beforeMiB = residentMiB(steady.pid);

  const thaw = freeze(pidOf(server));
  const frozenAtMs = Date.now();
  upstream.release();
  const asking = Promise.all(unknown.map((client) => askOnce(steady.url, client)));
  const ending = Promise.all(open.map(finished));
  const answering = loading.map(({ keyId }) =>
    eventually(
      'a client is answered',
      () => load.history.filter(({ invokedAtMs }) => invokedAtMs >= frozenAtMs),
      (since) => since.some((each) => each.keyId === keyId && each.end.as !== 'unknown'),
      frozenMs + MORE_FROZEN_MS,
    ),
  );
  const isAnswered = Promise.all([asking, ending, ...answering, Bun.sleep(frozenMs)]).then(
    () => true,
    () => false,
  );
  const late = Bun.sleep(frozenMs + MORE_FROZEN_MS).then(() => false);
  const thawing = Promise.race([isAnswered, late]).finally(thaw);
  const ended = await ending;
  const spooled = { steady: spooledBy(steady), killed: spooledBy(killed) };
  await killed.kill9();
  const isAnsweredWhileFrozen = await thawing;
  const grownMiB = residentMiB(steady.pid) - beforeMiB;

  await servesAgain(load, steady);
  const { folder } = killed;
  await using again = await startNode(fleet.database, { folder, config: upstream.config() });
  if (spooledBy(again) > 0) throw new Error('the node serves before its settlements are recorded');
  const history = [...(await load.stop()), ...ended, ...(await asking)];
  await nothingHeld(steady);
  return {
    ...{ history, isAnsweredWhileFrozen, spooled, grownMiB },
    meanwhile: history.filter(({ invokedAtMs }) => invokedAtMs >= frozenAtMs),
    breaches: await breaches(steady),
    faults: faultsOf(history, await recordsOfServer(fleet.database)),
  };
}

function pidOf({ pid }: TestServer): number {
  if (pid === null) throw new Error('only a server of our own can be frozen');
  return pid;
}

/** Waits until the node answers requests again and its spool is empty. */
async function servesAgain(load: Load, node: GatewayProcess): Promise<void> {
  const sinceMs = Date.now();
  await eventually(
    'answers again',
    () => load.history.findLast(({ end }) => end.as === 'ok')?.invokedAtMs ?? 0,
    (invokedAtMs) => invokedAtMs > sinceMs,
    AGAIN_WITHIN_MS,
  );
  await eventually(
    'the spool is empty',
    () => spooledBy(node),
    (count) => count === 0,
    AGAIN_WITHIN_MS,
  );
}

/** Returns the number of settlements in a node's spool. */
function spooledBy({ dataDir }: GatewayProcess): number {
  const file = new SqliteFile(join(dataDir, 'spool.db'), { readonly: true });
  try {
    return Number(file.query<{ n: number }, []>('SELECT COUNT(*) AS n FROM spooled').get()?.n);
  } finally {
    file.close();
  }
}

/** Opens streams, each with its own key, because a history identifies requests by their keys. */
async function openStreams(node: GatewayProcess, clients: readonly Client[]) {
  return await Promise.all(
    clients.map(async (client) => ({ client, stream: await openStream({ ...node, ...client }) })),
  );
}

/**
 * Waits for the end of a stream, which must be successful.
 * @returns the request as a record of the history.
 */
async function finished({ client, stream }: { client: Client; stream: OpenStream }) {
  const acknowledged = ofStream(await stream.rest());
  if (acknowledged === null) throw new Error(`${stream.requestId} has no end mark`);
  const invocation: Invocation = {
    ...{ endpoint: 'chat', model: 'scripted-chat', streamed: true, keyId: client.keyId },
    invokedAtMs: stream.invokedAtMs,
    endedAtMs: Date.now(),
    end: { as: 'ok', requestId: stream.requestId, ...acknowledged },
  };
  return invocation;
}
