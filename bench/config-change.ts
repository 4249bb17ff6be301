/**
 * `npm run bench -- config-change`: how late running requests are while the price of one of 1,000
 * models with 5,000 routes changes, in a gateway with `config: database`. Health checks show how
 * long the event loop is blocked, short requests what a caller notices. `--postgres` starts a
 * PostgreSQL server; with it, `--follow` changes the price on another node. Prints JSON lines.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateKey } from '../src/accounts/api-key.ts';
import { systemClock } from '../src/clock.ts';
import { startServer } from '../src/ledger/postgres/postgres.fixture.ts';
import { Children, freePort } from './children.ts';
import { Connection, type PreparedAsk, prepare } from './load/connection.ts';
import { shortAsk } from './measures/measure.ts';
import { percentile } from './spread.ts';

const ROOT = join(import.meta.dir, '..');
/** Long enough for an administrator's token. */
const ADMIN_TOKEN = 'mga_of_the_benchmark_of_a_change_of_the_configuration';
const MODELS = 1_000;
/** The routes of a model on each of its two channels. */
const ROUTES = { direct: 3, economical: 2 } as const;
const UPSTREAMS = 20;
const WARM_UP_CALLS = 3_000;
const WARM_UP_CHANGES = 3;
/** The pause between two requests of a caller, so that the callers alone cause no queue. */
const PAUSE_MS = 1;
/** How long requests are watched before each change, and after it. */
const QUIET_MS = 500;
const AFTER_MS = 200;
/** In this time, another node follows a change. */
const FOLLOW_MS = 3_000;

const now = systemClock.monotonicMs;

type Node = { readonly port: number; readonly key: string };

export async function benchConfigChange(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      changes: { type: 'string', default: '20' },
      postgres: { type: 'boolean', default: false },
      follow: { type: 'boolean', default: false },
    },
  });
  if (values.follow && !values.postgres) throw new Error('--follow needs --postgres');
  const folder = join(ROOT, '.tmp', `config-change-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const server = values.postgres ? await startServer(true) : null;
  try {
    await using children = new Children(folder);
    const database = server?.urlOf('postgres') ?? 'sqlite';
    const nodes = await startNodes(children, folder, database, values.follow ? 2 : 1);
    await measure(nodes, Number(values.changes), values.follow ? FOLLOW_MS : AFTER_MS);
  } finally {
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startNodes(
  children: Children,
  folder: string,
  database: string,
  count: number,
): Promise<readonly Node[]> {
  const mockPort = freePort();
  const mock = join(import.meta.dir, 'mock/mock-upstream.ts');
  const argv = [process.execPath, mock, String(mockPort)];
  const upstream = children.start({ name: 'mock-upstream', argv, core: null });
  await children.ready(upstream, `http://127.0.0.1:${mockPort}/open-streams`);
  const file = join(folder, 'modelgate.yaml');
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify(settings(mockPort)));
  const key = generateKey(systemClock).reveal();
  const nodes: Node[] = [];
  for (let at = 0; at < count; at++) {
    const name = `node-${at}`;
    const port = freePort();
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
      },
      core: null,
    });
    await children.ready(started, `http://127.0.0.1:${port}/readyz`);
    nodes.push({ port, key });
  }
  return nodes;
}

function settings(mockPort: number): object {
  const nameOf = (at: number): string => `u-${at % UPSTREAMS}`;
  const upstream = {
    ...{ protocol: 'openai', base_url: `http://127.0.0.1:${mockPort}/v1`, api_key: 'bench' },
    allow_private: true,
  };
  const channel = (count: number, first: number, model: string): object => ({
    price: { input: '1.00', output: '2.00', cache_read: '0.10' },
    routes: Array.from({ length: count }, (_, at) => ({ upstream: nameOf(first + at), model })),
  });
  const model = (at: number): object => {
    const there = at === 0 ? 'json' : `m-${at}`;
    return {
      ...{ kind: 'chat', maker: 'bench', context_window: 1_000_000, max_output: 128_000 },
      ...{ input: ['text'], output: ['text'], settlement: 'USD', default_channel: 'direct' },
      channels: {
        direct: channel(ROUTES.direct, at, there),
        economical: channel(ROUTES.economical, at + ROUTES.direct, there),
      },
    };
  };
  const entries = <Value>(count: number, entry: (at: number) => [string, Value]): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => entry(at)));
  return {
    config: 'database',
    upstreams: entries(UPSTREAMS, (at) => [nameOf(at), upstream]),
    models: entries(MODELS, (at) => [`gen-${at}`, model(at)]),
  };
}

/** Changes prices on the last node, and watches requests on the first. */
async function measure(nodes: readonly Node[], changes: number, afterMs: number): Promise<void> {
  const [watched, changed] = [nodes[0], nodes.at(-1)];
  if (watched === undefined || changed === undefined) throw new Error('no node runs');
  const request = await chatCaller(watched);
  for (let at = 0; at < WARM_UP_CALLS; at++) await request();
  // Opened only now, because the server closes a connection that is idle for long.
  const callers = { health: await healthCaller(watched), request };
  let revision = 1;
  const found = { quiet: NOTHING(), change: NOTHING(), changeMs: [] as number[] };
  for (let at = 0; at < WARM_UP_CHANGES + changes; at++) {
    const isMeasured = at >= WARM_UP_CHANGES;
    const quiet = await during(callers, systemClock.sleep(QUIET_MS));
    const startMs = now();
    const made = changePrice(changed, revision, at);
    const change = await during(
      callers,
      made.then(() => systemClock.sleep(afterMs)),
    );
    const changeMs = now() - startMs - afterMs;
    revision = await made;
    if (!isMeasured) continue;
    add(found.quiet, quiet);
    add(found.change, change);
    found.changeMs.push(changeMs);
  }
  console.log(JSON.stringify({ changes, changeMs: summary(found.changeMs) }));
  for (const caller of ['health', 'request'] as const) {
    for (const when of ['quiet', 'change'] as const) {
      const { all, longest } = found[when][caller];
      console.log(
        JSON.stringify({ caller, when, latencyMs: summary(all), longestMs: summary(longest) }),
      );
    }
  }
}

type Caller = () => Promise<number>;
type Callers = Readonly<Record<'health' | 'request', Caller>>;
type Latencies = { readonly all: number[]; readonly longest: number[] };

const NOTHING = (): Readonly<Record<keyof Callers, Latencies>> => ({
  health: { all: [], longest: [] },
  request: { all: [], longest: [] },
});

/** Calls with each caller, one request after another, until the promise resolves. */
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
  into: ReturnType<typeof NOTHING>,
  found: Readonly<Record<keyof Callers, readonly number[]>>,
): void {
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

/** Changes the price of one model, and returns the new revision. */
async function changePrice({ port }: Node, revision: number, at: number): Promise<number> {
  const price = { input: `1.${String(at % 100).padStart(2, '0')}1` };
  const models = { [`gen-${at + 1}`]: { channels: { direct: { price } } } };
  const response = await fetch(`http://127.0.0.1:${port}/admin/v1/config`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${ADMIN_TOKEN}`,
      'if-match': `"${revision}"`,
    },
    body: JSON.stringify({ document: { models } }),
  });
  const answer = await response.json();
  if (response.status !== 200) throw new Error(`the change failed: ${JSON.stringify(answer)}`);
  return Number(answer.revision);
}
