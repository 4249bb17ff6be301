/**
 * Tests mistakes that prevent the gateway from starting, and the messages that the operator gets.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runModelgate, shippedConfig, startGateway } from './support/gateways/gateway-process.ts';
import { breaches } from './support/history/ledger-views.ts';
import { ask, CHAT, hello } from './support/wire.ts';

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

/** Returns the number of the line in the configuration that contains this text. */
const lineOf = (config: string, text: string): number =>
  config.slice(0, config.indexOf(text)).split('\n').length;

type Mistake = readonly [right: string, wrong: string, remedy: string];

async function expectRefused(mistakes: readonly Mistake[]): Promise<void> {
  const config = shippedConfig(Object.fromEntries(mistakes));
  const { code, stdout, stderr } = await serve(config);
  expect([code, stdout]).toEqual([1, '']);
  const lines = stderr.split('\n');
  for (const [, wrong, remedy] of mistakes) {
    const line = lines.find((each) =>
      each.includes(`modelgate.yaml:${lineOf(config, wrong.trimStart())}: `),
    );
    expect(line).toContain(remedy);
  }
  expect(stderr).not.toContain('    at ');
}

test('refuses an invalid configuration, with the line and remedy of every mistake', async () => {
  await expectRefused([
    [
      'context_window: 1000000\n    max_output: 384000\n    input: [text]\n    settlement: CNY\n    default_channel: direct\n    channels:\n      direct:\n        price: { input: "1.32"',
      'context_windwo: 1000000\n    max_output: 384000\n    input: [text]\n    settlement: CNY\n    default_channel: direct\n    channels:\n      direct:\n        price: { input: "1.32"',
      'context_window',
    ],
    ['input: "0.80"', 'input: 0.80', 'in quotes'],
    ['input: "0.30"', 'input: "-0.30"', 'no sign'],
    ['"7.1000"', 'seven', '7.1000'],
    ['stream_default: negotiate', 'stream_default: maybe', 'negotiate'],
    ['\nimages: { store: local, url_ttl: 60m', '\nimages: { store: local, url_ttl: soon', '60m'],
  ]);
});

test('refuses a route to an unknown upstream and suggests the nearest name', async () => {
  await expectRefused([
    ['upstream: builtin, model: img-3 ', 'upstream: bultin, model: img-3 ', 'builtin'],
  ]);
});

test.each([
  [{ PORT: 'http' }, 'PORT'],
  [{ MODELGATE_INIT_CREDIT: 'much' }, 'MODELGATE_INIT_CREDIT'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
])('a wrong environment variable is refused by its name: %j', async (env, name) => {
  const { code, stderr } = await serve(shippedConfig(), env);
  expect(code).toBe(1);
  expect(stderr).toContain(name);
});

test('refuses a missing file by its name', async () => {
  const { code, stderr } = await runModelgate(['serve', '--config', join(folder, 'none.yaml')], {});
  expect(code).toBe(1);
  expect(stderr).toContain('none.yaml');
});

test('refuses a private upstream address unless it is allowed', async () => {
  const private_ =
    '\nupstreams:\n  home: { protocol: openai, base_url: "http://127.0.0.1:9/v1" }\n';
  const { code, stderr } = await serve(shippedConfig({ '\nupstreams:\n': private_ }));
  expect(code).toBe(1);
  expect(stderr).toContain('allow_private');
});

test('refuses a second process on the same data folder, and the first keeps running', async () => {
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

test('refuses a port in use by its number', async () => {
  await using gateway = await startGateway();
  const { port } = new URL(gateway.url);
  const { code, stderr } = await serve(shippedConfig(), { PORT: port });
  expect(code).toBe(1);
  expect(stderr).toContain(port);
});

test('names the variable with an address that is not one of this machine', async () => {
  const { code, stderr } = await serve(shippedConfig(), { MODELGATE_LISTEN: '203.0.113.7:8787' });
  expect(code).toBe(1);
  expect(stderr).toContain('Name an address of this machine');
  expect(stderr).toContain('in MODELGATE_LISTEN.');
  expect(stderr).not.toContain('Stop the other process');
});

test('refuses a port of the metrics that is in use, names the setting, and creates no key yet', async () => {
  await using gateway = await startGateway();
  const { host } = new URL(gateway.url);
  const own = shippedConfig({ '\nupstreams:\n': `\nmetrics: { listen: "${host}" }\nupstreams:\n` });
  const data = join(folder, 'no metrics');
  const { code, stderr } = await serve(own, { MODELGATE_DATA_DIR: data });
  expect(code).toBe(1);
  expect(existsSync(join(data, 'modelgate.db'))).toBe(false);
  expect(stderr).toContain(`Cannot listen on ${host}`);
  expect(stderr).toContain('or name another address in metrics.listen.');
});

test('says that the database is damaged, and how to restore it', async () => {
  const data = join(folder, 'damaged');
  mkdirSync(data);
  writeFileSync(join(data, 'modelgate.db'), '*'.repeat(65_536));
  const { code, stderr } = await serve(shippedConfig(), { MODELGATE_DATA_DIR: data });
  expect(code).toBe(1);
  expect(stderr).toContain(`The database ${join(data, 'modelgate.db')} is damaged`);
  expect(stderr).toContain(
    `\`modelgate restore\` with the newest file of ${join(data, 'backups')}`,
  );
  expect(stderr).not.toContain('Repeat the request');
});

test('`check` reports the same mistakes without starting anything', async () => {
  const path = join(folder, 'checked.yaml');
  writeFileSync(path, shippedConfig());
  const good = await runModelgate(['check', '--config', path], {});
  expect([good.code, good.stderr]).toEqual([0, '']);
  expect(good.stdout).toContain('9 models');
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
  const scripted = await runModelgate(['check', '--json', '--config', path], {});
  const message = bad.stderr.trimEnd();
  expect(JSON.parse(scripted.stderr)).toEqual({ error: { code: 'failed', message } });
});

test('refuses SQLite in a data folder that belongs to PostgreSQL, and changes nothing', async () => {
  const moved = join(folder, 'moved');
  mkdirSync(moved);
  const path = join(moved, 'installation');
  writeFileSync(path, `${'ab'.repeat(32)}\n`);
  const env = { MODELGATE_DATA_DIR: moved };
  const { code, stdout, stderr } = await serve(shippedConfig(), env);
  expect([code, stdout, readdirSync(moved)]).toEqual([1, '', ['installation']]);
  expect(stderr).toContain('belongs to installation abababababab in PostgreSQL');
  expect(stderr).toContain(`delete ${path}`);
});

test('warns about a misspelled variable, and not about those of other programs', async () => {
  const env = {
    MODELGATE_DATABSE: 'postgres://nowhere/modelgate',
    MODELGATE_API_KEY: 'sk-mg-of-a-client',
    MODELGATE_PORT: 'tcp://10.0.0.7:80',
  };
  await using gateway = await startGateway({ env });
  const logged = gateway.stderr() + gateway.stdout();
  expect(logged).toContain('Did you mean MODELGATE_DATABASE?');
  expect(logged.match(/Did you mean/g)).toHaveLength(1);
});
