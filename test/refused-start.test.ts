/** What keeps the gateway from starting, and what its operator reads then. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breaches } from './books.ts';
import { runModelgate, shippedConfig, startGateway } from './gateway-process.ts';
import { ask, CHAT, hello } from './wire.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-refused-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const serve = async (config: string, env: Readonly<Record<string, string>> = {}) => {
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, config);
  const data = { MODELGATE_DATA_DIR: join(folder, 'data'), PORT: '0' };
  return await runModelgate(['serve', '--config', path], { ...data, ...env });
};

/** The line of the shipped file, as edited, that has this text. */
const lineOf = (config: string, text: string): number =>
  config.slice(0, config.indexOf(text)).split('\n').length;

test.each<[Record<string, string>, string, string]>([
  [
    {
      'max_output: 384000\n    input: [text]\n    settlement: CNY\n    default_channel: direct\n    channels:\n      direct:\n        price: { input: "1.32"':
        'max_outptu: 384000\n    input: [text]\n    settlement: CNY\n    default_channel: direct\n    channels:\n      direct:\n        price: { input: "1.32"',
    },
    'max_outptu',
    'max_output',
  ],
  [{ 'input: "1.32"': 'input: 1.32' }, 'input: 1.32', 'in quotes'],
  [{ 'input: "1.32"': 'input: "-1.32"' }, 'input: "-1.32"', 'no sign'],
  [{ '"7.1000"': 'seven' }, 'seven', '7.1000'],
  [{ 'stream_default: negotiate': 'stream_default: maybe' }, 'stream_default: maybe', 'negotiate'],
  [
    { '\nimages: { store: local, url_ttl: 60m': '\nimages: { store: local, url_ttl: soon' },
    'url_ttl: soon',
    '60m',
  ],
  [{ 'upstream: builtin, model: img-3 ': 'upstream: bultin, model: img-3 ' }, 'bultin', 'builtin'],
])(
  'a configuration with a mistake is refused with its line and the remedy: %j',
  async (edits, at, remedy) => {
    const config = shippedConfig(edits);
    const { code, stdout, stderr } = await serve(config);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`modelgate.yaml:${lineOf(config, at)}`);
    expect(stderr).toContain(remedy);
    expect(stderr).not.toContain('    at ');
  },
);

test.each([
  [{ PORT: 'http' }, 'PORT'],
  [{ MODELGATE_INIT_CREDIT: 'much' }, 'MODELGATE_INIT_CREDIT'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
])('a wrong environment variable is refused by its name: %j', async (env, name) => {
  const { code, stderr } = await serve(shippedConfig(), env);
  expect(code).toBe(1);
  expect(stderr).toContain(name);
});

test('a file that is not there is refused by its name', async () => {
  const { code, stderr } = await runModelgate(['serve', '--config', join(folder, 'none.yaml')], {});
  expect(code).toBe(1);
  expect(stderr).toContain('none.yaml');
});

test('a private upstream address is refused unless it is allowed', async () => {
  const private_ =
    '\nupstreams:\n  home: { protocol: openai, base_url: "http://127.0.0.1:9/v1" }\n';
  const { code, stderr } = await serve(shippedConfig({ '\nupstreams:\n': private_ }));
  expect(code).toBe(1);
  expect(stderr).toContain('allow_private');
});

test('a second process on the same data folder is refused, and the first goes on', async () => {
  await using gateway = await startGateway();
  const env = { MODELGATE_DATA_DIR: gateway.dataDir, PORT: '0' };
  const { code, stdout, stderr } = await runModelgate(
    ['serve', '--config', gateway.configPath],
    env,
  );
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain(gateway.dataDir);
  expect((await ask(gateway, CHAT, hello.chat)).status).toBe(200);
  expect(await breaches(gateway)).toEqual([]);
});

test('a port in use is refused by its number', async () => {
  await using gateway = await startGateway();
  const { port } = new URL(gateway.url);
  const { code, stderr } = await serve(shippedConfig(), { PORT: port });
  expect(code).toBe(1);
  expect(stderr).toContain(port);
});

test('check says the same of a file without starting anything', async () => {
  const path = join(folder, 'checked.yaml');
  writeFileSync(path, shippedConfig());
  const good = await runModelgate(['check', '--config', path], {});
  expect([good.code, good.stderr]).toEqual([0, '']);
  expect(good.stdout).toContain('8 models');
  writeFileSync(
    path,
    shippedConfig({
      'default_channel: direct\n    channels:\n      direct:\n        price: { input: "0.30"':
        'default_channel: stable\n    channels:\n      direct:\n        price: { input: "0.30"',
    }),
  );
  const bad = await runModelgate(['check', '--config', path], {});
  expect(bad.code).toBe(1);
  expect(bad.stderr).toContain('checked.yaml:');
  expect(bad.stderr).toContain('stable');
});
