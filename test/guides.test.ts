/**
 * Runs the guides exactly as written: checks the configurations, and executes the programs and curl
 * commands.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import {
  type Block,
  blocksOf,
  GUIDES,
  guides,
  guideText,
  WRITTEN_ADDRESS,
} from './support/clients/guide-blocks.ts';
import {
  type GatewayProcess,
  runModelgate,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { at } from './support/wire.ts';

const ROOT = join(import.meta.dir, '..');
const named = (chosen: readonly Block[]): [string, Block][] =>
  chosen.map((block) => [block.where, block]);

let gateway: GatewayProcess;
/** The folder in which the guides' programs run. It contains the libraries that they import. */
let folder: string;
beforeAll(async () => {
  gateway = await startGateway();
  folder = mkdtempSync(join(tmpdir(), 'modelgate-guides-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: readonly string[]) {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, KEY: gateway.key },
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

const here = (text: string): string => text.replaceAll(WRITTEN_ADDRESS, gateway.url);

const SERVICE_ACCOUNT_KEY = JSON.stringify({
  type: 'service_account',
  client_email: 'gate@project.example',
  private_key: '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n',
});

describe('configurations are valid', () => {
  test.each(named(blocksOf('yaml')))('%s', async (_where, { text }) => {
    const path = join(folder, 'guide.yaml');
    writeFileSync(path, text);
    const names = [...text.matchAll(/\$\{(\w+)\}/g)].map((found) => found[1] ?? '');
    const env = {
      ...Object.fromEntries(names.map((name) => [name, 'a-key-of-the-test'])),
      GOOGLE_CREDENTIALS: SERVICE_ACCOUNT_KEY,
    };
    const { code, stderr } = await runModelgate(['check', '--config', path], env);
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('programs run', () => {
  test.each(named(blocksOf('ts')))('%s', async (_where, { text }) => {
    const path = join(folder, 'guide.ts');
    writeFileSync(path, here(text));
    const { code, stdout, stderr } = await run([process.execPath, path]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim()).not.toBe('');
  });
});

describe('curl lines are answered', () => {
  const lines = blocksOf('sh').filter(({ text }) => text.startsWith('curl '));
  test.each(named(lines))('%s', async (_where, { text }) => {
    const { code, stdout } = await run(['bash', '-c', here(text)]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).not.toHaveProperty('error');
  });
});

test('the index lists every guide, and there is one of each kind', () => {
  expect(blocksOf('yaml')).toHaveLength(7);
  expect(blocksOf('ts').length).toBeGreaterThan(8);
  for (const guide of guides)
    if (guide !== 'README.md') expect(guideText('README.md')).toContain(`(${guide})`);
});

test('links between pages resolve', () => {
  for (const guide of guides)
    for (const [, target = ''] of guideText(guide).matchAll(/\]\(([\w./-]+\.md)\)/g))
      expect([guide, readFileSync(join(GUIDES, target), 'utf8') === '']).toEqual([guide, false]);
});

test('models in the guides exist in the shipped catalogue', () => {
  const known = Object.keys(Object(at(load(shippedConfig()), 'models')));
  for (const guide of guides)
    for (const [model] of guideText(guide).matchAll(/\b(?:gen|img)-[a-z0-9][\w-]*/g))
      expect([guide, known]).toEqual([guide, expect.arrayContaining([model])]);
});
