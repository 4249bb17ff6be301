/**
 * `npm run bench -- config-change`: measures how much running requests are delayed while the price
 * of one of 1,000 models with 5,000 routes changes. `--way` selects how the price changes: `patch`,
 * `put`, `import` and `restore` change settings in the database; `file` saves a configuration file.
 * The latency of health checks shows how long the event loop is blocked, the latency of short
 * requests shows the delay for a caller, and the turns of the event loop show the gateway's own
 * work. `--postgres` starts a PostgreSQL server; with it, `--follow` changes the price on another
 * node. Prints JSON lines.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateKey } from '../../src/accounts/api-key.ts';
import { systemClock } from '../../src/clock.ts';
import { startServer } from '../../src/ledger/postgres/postgres.fixture.ts';
import { Children, freePort } from '../children.ts';
import { Connection, type PreparedAsk, prepare } from '../load/connection.ts';
import { shortAsk } from '../measures/measure.ts';
import { percentile } from '../spread.ts';
import { TURNS_FILE, type Turns } from './turn-probe.ts';
import { ADMIN_TOKEN, type AdminCall, changeBy, fileOf, WAYS, type Way } from './ways.ts';

const ROOT = join(import.meta.dir, '../..');
const WARM_UP_CALLS = 3_000;
const WARM_UP_CHANGES = 3;
/**
 * The pause of each caller between two requests. It prevents a queue that the callers' load alone
 * would create.
 */
const PAUSE_MS = 1;
/** How long requests are measured before each change. */
const QUIET_MS = 500;
const AFTER_MS = 200;
/**
 * How long requests are measured after a change that does not apply at once. Such a change applies
 * only when the node has read the changed file or has followed another node.
 */
const FOLLOW_MS = 3_000;
const LOOK_EVERY_MS = 5;

const now = systemClock.monotonicMs;

type Node = {
  readonly port: number;
  readonly key: string;
  readonly pid: number;
  /** The path of the file to which the process writes the longest turns of its event loop. */
  readonly turns: string;
};

export async function benchConfigChange(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      changes: { type: 'string', default: '20' },
      postgres: { type: 'boolean', default: false },
      follow: { type: 'boolean', default: false },
      way: { type: 'string', default: 'patch' },
    },
  });
  if (values.follow && !values.postgres) throw new Error('--follow needs --postgres');
  const way = WAYS.find((each) => each === values.way);
  if (way === undefined) throw new Error(`--way is one of ${WAYS.join(', ')}`);
  const folder = join(ROOT, '.tmp', `config-change-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const server = values.postgres ? await startServer(true) : null;
  try {
    await using children = new Children(folder);
    const database = server?.urlOf('postgres') ?? 'sqlite';
    const mockPort = await startUpstream(children);
    const file = join(folder, 'modelgate.yaml');
    writeFileSync(file, fileOf(way, mockPort, 0));
    const nodes = await startNodes(children, { folder, file, database }, values.follow ? 2 : 1);
    const [watched, changed] = [nodes[0], nodes.at(-1)];
    if (watched === undefined || changed === undefined) throw new Error('no node runs');
    const make = changeBy(way, { file, mockPort, call: adminCalls(changed) });
    const afterMs = values.follow || way === 'file' ? FOLLOW_MS : AFTER_MS;
    await measure(watched, make, { way, changes: Number(values.changes), afterMs });
  } finally {
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startUpstream(children: Children): Promise<number> {
  const port = freePort();
  const mock = join(import.meta.dir, '../mock/mock-upstream.ts');
  const argv = [process.execPath, mock, String(port)];
  const upstream = children.start({ name: 'mock-upstream', argv, core: null });
  await children.ready(upstream, `http://127.0.0.1:${port}/open-streams`);
  return port;
}

type Installation = { readonly folder: string; readonly file: string; readonly database: string };

async function startNodes(
  children: Children,
  { folder, file, database }: Installation,
  count: number,
): Promise<readonly Node[]> {
  const key = generateKey(systemClock).reveal();
  const nodes: Node[] = [];
  for (let at = 0; at < count; at++) {
    const name = `node-${at}`;
    const port = freePort();
    const turns = join(folder, `${name}-turns.json`);
    const started = children.start({
      name,
      argv: [join(ROOT, 'bin/modelgate'), 'serve', '--config', file],
      env: {
        MODELGATE_LISTEN: `127.0.0.1:${port}`,
        MODELGATE_PUBLIC_URL: `http://127.0.0.1:${port}`,
        MODELGATE_DATA_DIR: join(folder, name),
        MODELGATE_DATABASE: database,
        MODELGATE_NODE_NAME: name,
        MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN,
        MODELGATE_INIT_KEY: key,
        MODELGATE_INIT_CREDIT: '1000000 USD',
        BUN_OPTIONS: `--preload ${join(import.meta.dir, 'turn-probe.ts')}`,
        [TURNS_FILE]: turns,
      },
      core: null,
    });
    await children.ready(started, `http://127.0.0.1:${port}/readyz`);
    nodes.push({ port, key, pid: started.pid, turns });
  }
  return nodes;
}

type Plan = { readonly way: Way; readonly changes: number; readonly afterMs: number };

/**
 * Makes the changes one after another. Measures the requests of a node before and during each
 * change.
 */
async function measure(
  watched: Node,
  make: (change: number) => Promise<void>,
  { way, changes, afterMs }: Plan,
): Promise<void> {
  const request = await chatCaller(watched);
  for (let at = 0; at < WARM_UP_CALLS; at++) await request();
  // Opens the health check's connection only after the warm-up, because the server closes idle
  // connections.
  const callers = { health: await healthCaller(watched), request };
  const found = { quiet: NOTHING(), change: NOTHING(), changeMs: [] as number[] };
  for (let at = 1; at <= WARM_UP_CHANGES + changes; at++) {
    await longestTurns(watched);
    const quiet = await during(callers, systemClock.sleep(QUIET_MS));
    const quietTurns = await longestTurns(watched);
    const startMs = now();
    const change = await during(
      callers,
      make(at).then(() => systemClock.sleep(afterMs)),
    );
    const changeMs = now() - startMs - afterMs;
    const changeTurns = await longestTurns(watched);
    if (at <= WARM_UP_CHANGES) continue;
    add(found.quiet, quiet, quietTurns);
    add(found.change, change, changeTurns);
    found.changeMs.push(changeMs);
  }
  print({ way, changes, ...(way === 'file' ? {} : { changeMs: summary(found.changeMs) }) });
  for (const when of ['quiet', 'change'] as const) {
    const { turnCpu, turnTook } = found[when];
    print({ longestTurn: when, cpuMs: summary(turnCpu), tookMs: summary(turnTook) });
  }
  for (const caller of ['health', 'request'] as const) {
    for (const when of ['quiet', 'change'] as const) {
      const { all, longest } = found[when][caller];
      print({ caller, when, latencyMs: summary(all), longestMs: summary(longest) });
    }
  }
}

const print = (line: object): void => console.log(JSON.stringify(line));

/** Returns the longest turns of a node's event loop since the last call. */
async function longestTurns({ pid, turns }: Node): Promise<Turns> {
  rmSync(turns, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(turns)) await systemClock.sleep(LOOK_EVERY_MS);
  return JSON.parse(readFileSync(turns, 'utf8'));
}

type Caller = () => Promise<number>;
type Callers = Readonly<Record<'health' | 'request', Caller>>;
type Latencies = { readonly all: number[]; readonly longest: number[] };

type Found = Readonly<Record<keyof Callers, Latencies>> & {
  readonly turnCpu: number[];
  readonly turnTook: number[];
};

const NOTHING = (): Found => ({
  health: { all: [], longest: [] },
  request: { all: [], longest: [] },
  turnCpu: [],
  turnTook: [],
});

/**
 * Runs the caller of health checks and the caller of chat requests in parallel until the promise
 * resolves. Each caller sends its next request after the answer to its previous one. Returns the
 * latencies.
 */
async function during(callers: Callers, until: Promise<unknown>) {
  let isOver = false;
  const over = until.then(() => {
    isOver = true;
  });
  const callsOf = async (caller: Caller): Promise<readonly number[]> => {
    const latencies: number[] = [];
    while (!isOver) {
      latencies.push(await caller());
      await systemClock.sleep(PAUSE_MS);
    }
    return latencies;
  };
  const [health, request] = await Promise.all([
    callsOf(callers.health),
    callsOf(callers.request),
    over,
  ]);
  return { health, request };
}

function add(
  into: Found,
  found: Readonly<Record<keyof Callers, readonly number[]>>,
  turns: Turns,
): void {
  into.turnCpu.push(turns.cpuMs);
  into.turnTook.push(turns.tookMs);
  for (const caller of ['health', 'request'] as const) {
    into[caller].all.push(...found[caller]);
    into[caller].longest.push(Math.max(...found[caller]));
  }
}

function summary(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort();
  const at = (percent: number): number => Math.round(percentile(sorted, percent) * 100) / 100;
  return { count: sorted.length, p50: at(50), p99: at(99), most: at(100) };
}

async function healthCaller({ port }: Node): Promise<Caller> {
  const head = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
  return caller(port, { bytes: Buffer.from(head), expectEvents: null });
}

async function chatCaller({ port, key }: Node): Promise<Caller> {
  const headers = { authorization: `Bearer ${key}` };
  const target = { port, path: '/v1/chat/completions', headers, watchPid: null };
  return caller(port, prepare(target, shortAsk('gen-0')));
}

async function caller(port: number, ask: PreparedAsk): Promise<Caller> {
  const connection = await Connection.open(port);
  return async () => (await connection.call(ask)).totalMs;
}

/**
 * Returns a function that sends requests to a node as its administrator. Each request names the
 * newest revision in `if-match`, because the node refuses a change that is based on an older
 * revision.
 */
function adminCalls({ port }: Node): AdminCall {
  let revision = 1;
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/admin/v1/config${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${ADMIN_TOKEN}`,
        'if-match': `"${revision}"`,
      },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.status !== 200) throw new Error(`the change failed: ${JSON.stringify(answer)}`);
    revision = Number(answer.revision);
  };
}
