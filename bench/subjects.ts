/**
 * The compared subjects: no gateway, the bare relay, Modelgate with everything enabled, Modelgate
 * at another commit, and other vendors' gateways.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKey } from '../src/accounts/api-key.ts';
import { systemClock } from '../src/clock.ts';
import { modelName, parseModelName } from './behavior.ts';
import { type Child, type Children, freePort } from './children.ts';
import type { Dialect } from './mock/mock-bytes.ts';
import { isPeer, PEERS, peerSetUp, type SetUp } from './peers.ts';
import { processTree, readRssBytes } from './process-cost.ts';

export const SUBJECTS = ['direct', 'bare-relay', 'modelgate', ...PEERS] as const;
/** The name of a subject. `base` is Modelgate at the commit that this checkout is compared with. */
export type SubjectName = (typeof SUBJECTS)[number] | 'base';

const ROOT = join(import.meta.dir, '..');
const BARE_RELAY = join(import.meta.dir, 'bare-relay.ts');
/** How long to wait after a subject is ready before its memory at rest is read. */
const REST_MS = 500;
const MB = 1024 * 1024;
const DIALECTS: readonly Dialect[] = ['chat', 'messages'];

export type Subject = {
  readonly name: SubjectName;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The subject's process; null for `direct`, in which callers reach the upstream without a
   * gateway.
   */
  readonly child: Child | null;
  /**
   * Milliseconds from the process's start until it is ready, and its memory at rest. Both are 0 for
   * `direct`.
   */
  readonly readyMs: number;
  readonly restRssMb: number;
};

export type Ground = {
  readonly children: Children;
  /** The folder for the data of this round, on the project's disk. */
  readonly folder: string;
  readonly mockPort: number;
  readonly core: number | null;
  /** The names of the mock upstream's models that the measures call. */
  readonly models: readonly string[];
  /** The folder with the checkout of `base`; null without a comparison. */
  readonly baseFolder: string | null;
};

/** @throws Error when the subject fails to start. */
export async function startSubject(name: SubjectName, ground: Ground): Promise<Subject> {
  if (name === 'direct') {
    return { name, port: ground.mockPort, headers: {}, child: null, readyMs: 0, restRssMb: 0 };
  }
  const port = freePort();
  const { argv, env, headers, readyPath } = setUp(name, port, ground);
  const startMs = systemClock.monotonicMs();
  const child = ground.children.start({ name, argv, env, core: ground.core });
  await ground.children.ready(child, `http://127.0.0.1:${port}${readyPath}`);
  const readyMs = systemClock.monotonicMs() - startMs;
  await systemClock.sleep(REST_MS);
  const restRssMb = readRssBytes(processTree(child.pid)) / MB;
  return { name, port, headers, child, readyMs, restRssMb };
}

function setUp(name: Exclude<SubjectName, 'direct'>, port: number, ground: Ground): SetUp {
  if (isPeer(name)) return peerSetUp(name, port, ground.mockPort, ground.models, ground.folder);
  switch (name) {
    case 'bare-relay': {
      const argv = [process.execPath, BARE_RELAY, String(port), String(ground.mockPort)];
      return { argv, env: {}, headers: {}, readyPath: '/open-streams' };
    }
    case 'modelgate':
    case 'base':
      return modelgateSetUp(name, port, ground);
  }
}

/**
 * Returns how to start Modelgate as in production: with keys, a balance, holds, durable settlements
 * and logs.
 */
export function modelgateSetUp(name: 'modelgate' | 'base', port: number, ground: Ground): SetUp {
  const root = name === 'base' ? (ground.baseFolder ?? ROOT) : ROOT;
  const key = generateKey(systemClock).reveal();
  const dataFolder = join(ground.folder, `${name}-data`);
  mkdirSync(dataFolder, { recursive: true });
  const configFile = join(ground.folder, `${name}.yaml`);
  // The file is written as JSON, which is valid YAML.
  writeFileSync(configFile, JSON.stringify(modelgateConfig(port, ground), null, 2));
  return {
    argv: [join(root, 'bin', 'modelgate'), 'serve', '--config', configFile],
    env: {
      MODELGATE_LISTEN: `127.0.0.1:${port}`,
      MODELGATE_DATA_DIR: dataFolder,
      MODELGATE_INIT_KEY: key,
      MODELGATE_INIT_CREDIT: '1000000 USD',
    },
    headers: { authorization: `Bearer ${key}` },
    readyPath: '/readyz',
  };
}

function modelgateConfig(port: number, ground: Ground): object {
  const price = { input: '1.00', output: '2.00', cache_read: '0.10' };
  const model = (routes: readonly object[]): object => ({
    kind: 'chat',
    maker: 'bench',
    context_window: 1_000_000,
    max_output: 128_000,
    input: ['text'],
    output: ['text'],
    settlement: 'USD',
    default_channel: 'direct',
    channels: { direct: { price, routes } },
  });
  const upstream = (protocol: string, path: string): object => ({
    protocol,
    base_url: `http://127.0.0.1:${ground.mockPort}${path}`,
    api_key: 'bench',
    allow_private: true,
    // With this setting, the gateway aborts a request as soon as the caller disconnects. That suits
    // the mock upstream, which stops sending when its connection closes.
    quirks: { on_disconnect: 'abort' },
  });
  const models = ground.models.flatMap((name) =>
    DIALECTS.map((dialect) => [
      modelOf('modelgate', name, dialect),
      model(routesOf(name, dialect)),
    ]),
  );
  return {
    listen: `127.0.0.1:${port}`,
    public_url: `http://127.0.0.1:${port}`,
    // All callers of a measure have the same address.
    limits: { requests_per_address: 20_000 },
    upstreams: { chat: upstream('openai', '/v1'), messages: upstream('anthropic', '') },
    models: Object.fromEntries(models),
  };
}

/**
 * Returns the routes of a model. A model that fails periodically has a second route, which never
 * fails. Its priority is lower, so requests reach it only by failover, even if it is faster.
 */
function routesOf(name: string, upstream: Dialect): readonly object[] {
  const behavior = parseModelName(name);
  if (behavior.kind !== 'flaky') return [{ upstream, model: name, weight: 1 }];
  return [
    { upstream, model: name, priority: 1 },
    { upstream, model: modelName({ kind: 'json' }), priority: 2 },
  ];
}

/**
 * Returns the model name that callers of a subject send. Modelgate sells the mock upstream's models
 * under names with the prefix `gen-`, or `gen-messages-` for the upstream that speaks Messages.
 * Other gateways forward the name unchanged.
 */
export function modelOf(
  subject: SubjectName,
  upstreamModel: string,
  upstreamDialect: Dialect = 'chat',
): string {
  if (subject !== 'modelgate' && subject !== 'base') return upstreamModel;
  return upstreamDialect === 'chat' ? `gen-${upstreamModel}` : `gen-messages-${upstreamModel}`;
}
