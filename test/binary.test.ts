/**
 * Tests the single binary, one file that contains the runtime, the console and the store's threads.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBinary, TARGETS } from '../bin/binary.ts';
import packageJson from '../package.json' with { type: 'json' };
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';

const ROOT = join(import.meta.dir, '..');
const MOST_BYTES = 120_000_000;

let folder: string;
let program: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-binary-'));
  const here = TARGETS.find((target) => target === `linux-${process.arch}`);
  program = await buildBinary(here ?? 'linux-x64', folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command of the binary in an empty environment and returns what it prints. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { stdout, stderr } = Bun.spawnSync([program, ...args], { cwd: folder, env });
  return `${stdout}${stderr}`;
}

const post = ({ url, key }: GatewayProcess, path: string, body: object): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('is small and knows its version', () => {
  expect(statSync(program).size).toBeLessThan(MOST_BYTES);
  expect(run(['--version'])).toBe(`${packageJson.version}\n`);
});

test('sells, shows the console, and backs up the ledger in a thread', async () => {
  await using gateway = await startGateway({ program });
  const messages = [{ role: 'user', content: 'Hello!' }];
  const chat = await post(gateway, '/v1/chat/completions', { model: 'gen-v4-pro', messages });
  expect(await chat.json()).toMatchObject({ usage: { cost_currency: 'CNY' } });
  const page = await (await fetch(`${gateway.url}/console/login`)).text();
  const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  const encoded = await fetch(`${gateway.url}${script}`, { headers: { 'accept-encoding': 'br' } });
  expect(encoded.status).toBe(200);
  const env = {
    MODELGATE_ADMIN_TOKEN: gateway.adminToken,
    MODELGATE_LISTEN: new URL(gateway.url).host,
  };
  expect(run(['ledger', 'verify'], env)).toContain('The ledger is sound');
  const copy = run(['backup'], env).trim();
  expect(readFileSync(copy).subarray(0, 15).toString()).toBe('SQLite format 3');
  expect(gateway.stderr()).not.toContain('"level":50');
});

test('starts its own process again with what the runtime needs, and no second process', async () => {
  await using gateway = await startGateway({ program });
  const environment = readFileSync(`/proc/${gateway.pid}/environ`, 'utf8').split('\0');
  const launchers = ['bin/modelgate', 'bin/bun']
    .map((name) => readFileSync(join(ROOT, name), 'utf8'))
    .join('');
  const exports = [...launchers.matchAll(/^export (\w+)=/gm)].map(([, name]) => `${name}=`);
  expect(exports).toHaveLength(5);
  for (const each of exports) expect(environment.some((it) => it.startsWith(each))).toBe(true);
  const children = readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/children`, 'utf8');
  expect(children).toBe('');
  expect(await gateway.stop()).toBe(0);
});

test('says that it draws no images, and charges nothing', async () => {
  await using gateway = await startGateway({ program });
  const image = await post(gateway, '/v1/images/generations', { model: 'img-3', prompt: 'sea' });
  expect(image.status).toBe(503);
  expect(await image.json()).toMatchObject({
    error: { code: 'image_library_missing', message: expect.stringContaining('npm package') },
  });
  expect(image.headers.get('x-cost')).toBe(null);
});
