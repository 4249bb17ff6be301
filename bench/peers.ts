/**
 * Other vendors' gateways. They are installed on request into the benchmark's own folder, so that
 * the product does not depend on them.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const PEERS = ['portkey', 'litellm'] as const;
export type PeerName = (typeof PEERS)[number];

export const isPeer = (name: string): name is PeerName => PEERS.some((peer) => peer === name);

const FOLDER = join(import.meta.dir, '.peers');
const PORTKEY = join(FOLDER, 'portkey');
const PORTKEY_ENTRY = 'node_modules/@portkey-ai/gateway/build/start-server.js';
const LITELLM = join(FOLDER, 'litellm');
const LITELLM_ENTRY = 'bin/litellm';

export const PEER_VERSIONS: Readonly<Record<PeerName, string>> = {
  portkey: '1.15.2',
  litellm: '1.106.0',
};

const PORTKEY_MANIFEST = {
  private: true,
  description: 'A peer for the benchmarks of Modelgate; installed by `npm run bench -- --peers`.',
  dependencies: { '@portkey-ai/gateway': PEER_VERSIONS.portkey },
  // Portkey's own version range allows a newer version of this package, with which Portkey answers
  // each stream with status 500.
  overrides: { '@hono/node-server': '1.13.5' },
};

/** Describes how to start a subject that listens on a port and forwards to the mock upstream. */
export type SetUp = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** A path that returns 200 when the subject is ready. */
  readonly readyPath: string;
};

/**
 * Installs the peer's pinned version from its package registry, unless it is already installed.
 * @throws Error when the installation fails.
 */
export async function installPeer(peer: PeerName): Promise<void> {
  const home = join(FOLDER, peer);
  const version = PEER_VERSIONS[peer];
  const done = join(home, `installed-${version}`);
  if (existsSync(done)) return;
  mkdirSync(home, { recursive: true });
  switch (peer) {
    case 'portkey':
      writeFileSync(join(home, 'package.json'), JSON.stringify(PORTKEY_MANIFEST, null, 2));
      await run(home, ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund']);
      break;
    case 'litellm':
      await run(home, ['python3', '-m', 'venv', '.']);
      await run(home, ['bin/pip', 'install', '--quiet', `litellm[proxy]==${version}`]);
  }
  writeFileSync(done, '');
}

async function run(cwd: string, argv: readonly string[]): Promise<void> {
  const child = Bun.spawn([...argv], { cwd, stdout: 'ignore', stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${argv.join(' ')} failed in ${cwd}`);
}

/**
 * Returns how to start a peer.
 * @param models every model that callers may name.
 * @param folder the folder of this run, for a configuration file.
 * @throws Error when Node, which Portkey runs on, is not on the PATH.
 */
export function peerSetUp(
  peer: PeerName,
  port: number,
  upstreamPort: number,
  models: readonly string[],
  folder: string,
): SetUp {
  const upstream = `http://127.0.0.1:${upstreamPort}/v1`;
  switch (peer) {
    case 'portkey': {
      const node = Bun.which('node');
      if (node === null) throw new Error('Portkey runs on Node, which is not on the PATH');
      return {
        argv: [node, join(PORTKEY, PORTKEY_ENTRY), `--port=${port}`, '--headless'],
        env: {},
        headers: {
          authorization: 'Bearer bench',
          'x-portkey-provider': 'openai',
          'x-portkey-custom-host': upstream,
        },
        readyPath: '/',
      };
    }
    case 'litellm': {
      const config = join(folder, 'litellm.yaml');
      // The file is written as JSON, which is valid YAML.
      writeFileSync(config, JSON.stringify(litellmConfig(upstream, models)));
      const argv = [join(LITELLM, LITELLM_ENTRY), '--config', config, '--port', String(port)];
      return {
        argv: [...argv, '--host', '127.0.0.1', '--num_workers', '1', '--telemetry', 'False'],
        env: {
          // LiteLLM uses the price table of its package. By default, it would download a newer one.
          LITELLM_LOCAL_MODEL_COST_MAP: 'True',
          LITELLM_LOG: 'ERROR',
          // LiteLLM listens only on the loopback and, like Portkey, requires no key.
          LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true',
        },
        headers: { authorization: 'Bearer bench' },
        readyPath: '/health/liveliness',
      };
    }
  }
}

/** Returns the configuration of LiteLLM, without key check, database and billing. */
const litellmConfig = (upstream: string, models: readonly string[]): object => ({
  model_list: models.map((name) => ({
    model_name: name,
    litellm_params: { model: `openai/${name}`, api_base: upstream, api_key: 'bench' },
  })),
});
