/**
 * `npm run bench -- nodes`: measures the cost of a request with 1, 2 and 4 gateways on one
 * PostgreSQL database. The loads are streams of eight seconds, and short requests. The key of the
 * short requests has no limits, high limits, or a limit so low that the gateway asks the database
 * about each request. Prints a line of JSON for each number of gateways and load, with the medians
 * of the rounds. All processes share the cores, so CPU time and ratios say more than rates.
 * `docs/operate/scaling.md` uses these figures.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { systemClock } from '../src/clock.ts';
import { startServer, type TestServer } from '../src/ledger/postgres/postgres.fixture.ts';
import { modelName } from './behavior.ts';
import { type Child, Children, freePort } from './children.ts';
import { drive, openConnections, prepare } from './load/connection.ts';
import { shortAsk, streamAsk } from './measures/measure.ts';
import type { Ask } from './plan.ts';
import { cpuBetweenMs, readCpu } from './process-cost.ts';
import { percentile } from './spread.ts';
import { type Ground, modelgateSetUp, modelOf } from './subjects.ts';

const MOCK = join(import.meta.dir, 'mock', 'mock-upstream.ts');
const SHORT = modelName({ kind: 'json' });
const EVENTS = 160;
const STREAM = modelName({ kind: 'sse', events: EVENTS, everyMs: 50 });
const WARM_UP_MS = 3_000;
const MEASURE_MS = 4_000;
const MAX_REQUESTS = 500_000;
const ADMIN_TOKEN = 'a-token-for-the-benchmark-of-nodes';
/**
 * `KNOWN_MS`: the time in which gateways notice each other. `ALONE_MS`: the time after which a
 * single gateway is sure that no other one runs.
 */
const KNOWN_MS = 5_000;
const ALONE_MS = 65_000;

type Load = {
  /** The limits of the key that sends the requests. */
  readonly limits: object;
  readonly ask: Ask;
  /** The number of concurrent requests, over all gateways. */
  readonly callers: number;
};
const short = shortAsk(modelOf('modelgate', SHORT));
const LOADS = {
  short: { limits: {}, ask: short, callers: 64 },
  large: {
    limits: { requests_per_minute: 100_000_000, tokens_per_minute: 1_000_000_000 },
    ask: short,
    callers: 64,
  },
  // The concurrency limit is just above the number of callers. It is so close to this number that
  // the gateways ask the database about each request, but high enough that no request is refused.
  exact: { limits: { concurrency: 65 }, ask: short, callers: 64 },
  stream: { limits: {}, ask: streamAsk(modelOf('modelgate', STREAM), EVENTS), callers: 200 },
} as const satisfies Record<string, Load>;
type LoadName = keyof typeof LOADS;
const NAMES = Object.keys(LOADS) as LoadName[];

type Figures = {
  readonly perSecond: number;
  readonly nodeUs: number;
  readonly serverUs: number;
  /**
   * The bytes that a request adds to PostgreSQL's write-ahead log (`walBytes`) and to the tables of
   * the database (`rowBytes`).
   */
  readonly walBytes: number;
  readonly rowBytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

type Fleet = {
  readonly nodes: readonly { readonly port: number; readonly child: Child }[];
  readonly server: TestServer;
  readonly keys: ReadonlyMap<LoadName, string>;
};

export async function benchNodes(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      counts: { type: 'string', default: '1,2,4' },
      rounds: { type: 'string', default: '3' },
      scale: { type: 'string', default: '1' },
    },
  });
  for (const count of values.counts.split(',').map(Number)) {
    for (const row of await measureCount(count, Number(values.rounds), Number(values.scale))) {
      console.log(JSON.stringify(row));
    }
  }
}

async function measureCount(count: number, rounds: number, scale: number): Promise<object[]> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-nodes-'));
  await using children = new Children(folder);
  const server = await startServer(true);
  try {
    const fleet = await startFleet(children, server, folder, count);
    await systemClock.sleep((count === 1 ? ALONE_MS : KNOWN_MS) * scale);
    const found = new Map(NAMES.map((name): [LoadName, Figures[]] => [name, []]));
    for (const name of NAMES) await run(fleet, name, WARM_UP_MS * scale);
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, rows] of found) rows.push(await measure(fleet, name, scale));
    }
    return [...found].map(([load, rows]) => ({ nodes: count, load, ...medians(rows) }));
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startFleet(
  children: Children,
  server: TestServer,
  folder: string,
  count: number,
): Promise<Fleet> {
  const mockPort = freePort();
  const mock = children.start({
    name: 'mock',
    argv: [process.execPath, MOCK, String(mockPort)],
    core: null,
  });
  await children.ready(mock, `http://127.0.0.1:${mockPort}/open-streams`);
  const nodes: { port: number; child: Child }[] = [];
  // The first gateway starts alone, to create the account.
  for (let each = 0; each < count; each += 1) {
    const port = freePort();
    const own = join(folder, String(each));
    mkdirSync(own);
    const ground: Ground = {
      ...{ children, folder: own, mockPort, core: null, models: [SHORT, STREAM], baseFolder: null },
    };
    const { argv, env, readyPath } = modelgateSetUp('modelgate', port, ground);
    const shared = {
      MODELGATE_DATABASE: server.urlOf('postgres'),
      MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    };
    const child = children.start({
      name: `node-${each}`,
      argv,
      env: { ...env, ...shared },
      core: null,
    });
    await children.ready(child, `http://127.0.0.1:${port}${readyPath}`);
    nodes.push({ port, child });
  }
  const keys = new Map<LoadName, string>();
  for (const name of NAMES) keys.set(name, await makeKey(nodes[0]?.port ?? 0, LOADS[name].limits));
  return { nodes, server, keys };
}

async function makeKey(port: number, limits: object): Promise<string> {
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/admin/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return (await answer.json()) as { data?: { id: string }[]; secret?: string };
  };
  const accounts = await ask('/accounts');
  const made = await ask('/keys', { account_id: accounts.data?.[0]?.id, name: 'bench', limits });
  if (made.secret === undefined) throw new Error('the key has no secret');
  return made.secret;
}

/** Sends requests to all gateways in closed loops, and returns their latencies. */
async function run({ nodes, keys }: Fleet, name: LoadName, forMs: number): Promise<number[]> {
  const { ask, callers } = LOADS[name];
  const loops = nodes.map(async ({ port }) => {
    const headers = { authorization: `Bearer ${keys.get(name)}` };
    const prepared = prepare({ port, path: '/v1/chat/completions', headers, watchPid: null }, ask);
    const connections = await openConnections(port, callers / nodes.length);
    const calls = await drive(connections, prepared, forMs, MAX_REQUESTS);
    for (const connection of connections) connection.close();
    return calls.map(({ totalMs }) => totalMs);
  });
  return (await Promise.all(loops)).flat();
}

async function measure(fleet: Fleet, name: LoadName, scale: number): Promise<Figures> {
  const { nodes, server } = fleet;
  const sql = postgres(server.urlOf('postgres'), { max: 1 });
  const written = async (): Promise<Record<'wal' | 'rows', number>> => {
    const [row] = await sql`SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal,
      pg_database_size(current_database())::float8 AS rows`;
    return { wal: Number(row?.['wal']), rows: Number(row?.['rows']) };
  };
  const pids = nodes.map(({ child }) => child.pid);
  const read = () => ({ nodes: pids.map(readCpu), server: readCpu(server.pid ?? 0) });
  const writtenBefore = await written();
  const before = read();
  const startMs = systemClock.monotonicMs();
  const latencies = Float64Array.from(await run(fleet, name, MEASURE_MS * scale)).sort();
  const lastedMs = systemClock.monotonicMs() - startMs;
  await systemClock.sleep(100);
  const after = read();
  const requests = latencies.length;
  const nodeMs = before.nodes.reduce((sum, cpu, at) => {
    const later = after.nodes[at];
    return later === undefined ? sum : sum + cpuBetweenMs(cpu, later);
  }, 0);
  const writtenAfter = await written();
  await sql.end();
  return {
    perSecond: (requests * 1_000) / lastedMs,
    nodeUs: (nodeMs * 1_000) / requests,
    serverUs: (cpuBetweenMs(before.server, after.server) * 1_000) / requests,
    walBytes: (writtenAfter.wal - writtenBefore.wal) / requests,
    rowBytes: (writtenAfter.rows - writtenBefore.rows) / requests,
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
  };
}

function medians(rounds: readonly Figures[]): Figures {
  const of = (figure: keyof Figures): number => {
    const sorted = Float64Array.from(rounds, (round) => round[figure]).sort();
    return Number(percentile(sorted, 50).toPrecision(4));
  };
  return {
    perSecond: of('perSecond'),
    nodeUs: of('nodeUs'),
    serverUs: of('serverUs'),
    walBytes: of('walBytes'),
    rowBytes: of('rowBytes'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
  };
}
