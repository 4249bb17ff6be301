/**
 * The Portkey gateway as a peer. It is installed on request into the benchmark's own folder, so
 * that the product never depends on it.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dir, '.peers', 'portkey');
const ENTRY = join(FOLDER, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');

export const PORTKEY_VERSION = '1.15.2';

const MANIFEST = {
  private: true,
  description: 'A peer for the benchmarks of Modelgate; installed by `npm run bench -- --peers`.',
  dependencies: { '@portkey-ai/gateway': PORTKEY_VERSION },
  // With the newer version that its range allows today, Portkey answers every stream with a 500.
  overrides: { '@hono/node-server': '1.13.5' },
};

export const portkeyInstalled = (): boolean => existsSync(ENTRY);

/** Does nothing if it is installed. @throws Error when npm fails. */
export async function installPortkey(): Promise<void> {
  if (portkeyInstalled()) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify(MANIFEST, null, 2));
  const install = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = Bun.spawn(install, { cwd: FOLDER, stdout: 'ignore', stderr: 'inherit' });
  if ((await npm.exited) !== 0 || !portkeyInstalled()) {
    throw new Error(`npm could not install the Portkey gateway in ${FOLDER}`);
  }
}

/** @throws Error when Node is not on the PATH. */
export function portkeyCommand(port: number): readonly string[] {
  const node = Bun.which('node');
  if (node === null) throw new Error('the Portkey gateway runs on Node, which is not on the PATH');
  return [node, ENTRY, `--port=${port}`, '--headless'];
}

/** The headers with which Portkey forwards a chat request to the mock upstream. */
export function portkeyHeaders(upstreamPort: number): Readonly<Record<string, string>> {
  return {
    authorization: 'Bearer bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
  };
}
