/**
 * The compared subjects: no gateway, the minimal relay, Modelgate with everything enabled, and a
 * peer.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKey } from '../src/accounts/api-key.ts';
import { systemClock } from '../src/clock.ts';
import { modelName, parseModelName } from './behavior.ts';
import { type Child, type Children, freePort } from './children.ts';
import type { Dialect } from './mock/mock-bytes.ts';
import { portkeyCommand, portkeyHeaders } from './portkey.ts';
import { processTree, readRssBytes } from './process-cost.ts';

export const SUBJECTS = ['direct', 'bare-relay', 'modelgate', 'portkey'] as const;
export type SubjectName = (typeof SUBJECTS)[number];

const ROOT = join(import.meta.dir, '..');
const BARE_RELAY = join(import.meta.dir, 'bare-relay.ts');
/** Memory at rest, before the first request. */
const REST_MS = 500;
const MB = 1024 * 1024;
const DIALECTS: readonly Dialect[] = ['chat', 'messages'];

export type Subject = {
  readonly name: SubjectName;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for `direct`, which has no process between caller and upstream. */
  readonly child: Child | null;
  readonly idleRssMb: number;
};

export type Ground = {
  readonly children: Children;
  /** A folder of this round, on the project's disk. */
  readonly folder: string;
  readonly mockPort: number;
  readonly core: number | null;
  /** Every model of the measures, by the mock upstream's name. */
  readonly models: readonly string[];
};

/** @throws Error when the subject fails to start. */
export async function startSubject(name: SubjectName, ground: Ground): Promise<Subject> {
  if (name === 'direct') {
    return { name, port: ground.mockPort, headers: {}, child: null, idleRssMb: 0 };
  }
  const port = freePort();
  const { argv, env, headers, readyPath } = setUp(name, port, ground);
  const child = ground.children.start({ name, argv, env, core: ground.core });
  await ground.children.ready(child, `http://127.0.0.1:${port}${readyPath}`);
  await systemClock.sleep(REST_MS);
  return { name, port, headers, child, idleRssMb: readRssBytes(processTree(child.pid)) / MB };
}

type SetUp = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** A URL that returns 200 when the subject is ready. */
  readonly readyPath: string;
};

function setUp(name: Exclude<SubjectName, 'direct'>, port: number, ground: Ground): SetUp {
  switch (name) {
    case 'bare-relay': {
      const argv = [process.execPath, BARE_RELAY, String(port), String(ground.mockPort)];
      return { argv, env: {}, headers: {}, readyPath: '/open-streams' };
    }
    case 'portkey':
      return {
        argv: portkeyCommand(port),
        env: {},
        headers: portkeyHeaders(ground.mockPort),
        readyPath: '/',
      };
    case 'modelgate':
      return modelgate(port, ground);
  }
}

/** As in production: key, balance, holds, durable settlement and logs, all enabled. */
function modelgate(port: number, ground: Ground): SetUp {
  const key = generateKey(systemClock).reveal();
  const dataFolder = join(ground.folder, 'modelgate-data');
  mkdirSync(dataFolder, { recursive: true });
  const configFile = join(ground.folder, 'modelgate.yaml');
  // JSON is valid YAML.
  writeFileSync(configFile, JSON.stringify(modelgateConfig(port, ground), null, 2));
  return {
    argv: [join(ROOT, 'bin', 'modelgate'), 'serve', '--config', configFile],
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
    // The mock stays silent until its connection is closed.
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
    upstreams: { chat: upstream('openai', '/v1'), messages: upstream('anthropic', '') },
    models: Object.fromEntries(models),
  };
}

/** One route; a periodically failing model also has a reliable route with a tiny weight. */
function routesOf(name: string, upstream: Dialect): readonly object[] {
  const behavior = parseModelName(name);
  if (behavior.kind !== 'flaky') return [{ upstream, model: name, weight: 1 }];
  return [
    { upstream, model: name, weight: 1_000_000 },
    { upstream, model: modelName({ kind: 'json' }), weight: 1 },
  ];
}

/**
 * The model name for a subject: Modelgate's callers use its own names, which it replaces in the
 * upstream request, and which determine the upstream's protocol.
 */
export function modelOf(
  subject: SubjectName,
  upstreamModel: string,
  upstreamDialect: Dialect = 'chat',
): string {
  if (subject !== 'modelgate') return upstreamModel;
  return upstreamDialect === 'chat' ? `gen-${upstreamModel}` : `gen-messages-${upstreamModel}`;
}
