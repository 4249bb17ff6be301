/**
 * Runs the programs of the guides exactly as written, if their clients come from a package
 * registry. These are Python programs, JavaScript programs with the Agents SDK, and the
 * configurations of Codex.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCodex } from '../support/clients/codex.ts';
import { blocksOf, WRITTEN_ADDRESS } from '../support/clients/guide-blocks.ts';
import {
  INSTALL_LIMIT_MS,
  nodeClients,
  pythonClients,
} from '../support/clients/installed-clients.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';

let gateway: GatewayProcess;
let folder: string;
let packages: string;
beforeAll(async () => {
  packages = join(await pythonClients(), 'packages');
  folder = mkdtempSync(join(tmpdir(), 'modelgate-clients-'));
  symlinkSync(join(await nodeClients(), 'node_modules'), join(folder, 'node_modules'));
  gateway = await startGateway();
}, INSTALL_LIMIT_MS);
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: readonly string[]) {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PYTHONPATH: packages,
      KEY: gateway.key,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, stdout, stderr };
}

const PROGRAMS = [
  { language: 'python', command: 'python3', file: 'guide.py' },
  { language: 'js', command: 'node', file: 'guide.mjs' },
] as const;

describe.each(PROGRAMS)('$language programs run', ({ language, command, file }) => {
  const named = blocksOf(language).map(({ where, text }) => [where, text] as const);
  test('there are some', () => expect(named.length).toBeGreaterThan(0));
  test.each(named)('%s', async (_where, text) => {
    writeFileSync(join(folder, file), text.replaceAll(WRITTEN_ADDRESS, gateway.url));
    const { code, stdout, stderr } = await run([command, file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim()).not.toBe('');
  });
});

describe('Codex runs with each configuration', () => {
  const named = blocksOf('toml').map(({ where, text }) => [where, text] as const);
  test('there are some', () => expect(named).toHaveLength(2));
  test.each(named)('%s', async (_where, text) => {
    const { url, key } = gateway;
    const config = text.replaceAll(WRITTEN_ADDRESS, url);
    using done = await runCodex({
      url,
      key,
      model: 'of-the-configuration',
      prompt: 'Hello there',
      config,
      args: ['--strict-config'],
    });
    expect([done.code, done.errors]).toEqual([0, []]);
    expect(done.message).toContain('Hello there');
  });
});
