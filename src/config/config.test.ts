// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { type Config, loadConfig } from './config.ts';
import type { Environment } from './document/references.ts';
import { SMALL_FILE } from './file.fixture.ts';
import { ConfigError } from './problem.ts';
import { Secret } from './secret.ts';

let folder = '';
let file = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-config-'));
  file = join(folder, 'my.yaml');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Loads the small file. `settings` are additional lines before the file's content. */
function load(settings: readonly string[] = [], env: Environment = {}): Config {
  writeFileSync(file, `${settings.join('\n')}\n${SMALL_FILE}`);
  return loadConfig({ path: file, env });
}

const source = (config: Config, setting: string): string =>
  Object.values(config.sources.get(setting) ?? { none: 'none' }).join(' from ');

describe('which file', () => {
  test('--config wins over MODELGATE_CONFIG, which wins over the shipped file', () => {
    writeFileSync(file, SMALL_FILE);
    const other = join(folder, 'other.yaml');
    writeFileSync(other, SMALL_FILE);
    const env = { MODELGATE_CONFIG: other };
    expect(loadConfig({ path: file, env }).file).toBe(file);
    expect(loadConfig({ path: null, env }).file).toBe(other);
    expect(loadConfig({ path: null, env: { MODELGATE_CONFIG: '' } }).file).toBe(
      resolve(import.meta.dir, '../../modelgate.yaml'),
    );
    expect(source(loadConfig({ path: file, env }), 'file')).toBe(`${file} from flag --config`);
    expect(source(loadConfig({ path: null, env }), 'file')).toBe(
      `${other} from environment MODELGATE_CONFIG`,
    );
  });

  test('reports why a file cannot be read', () => {
    const missing = join(folder, 'missing.yaml');
    expect(() => loadConfig({ path: missing, env: {} })).toThrow(ConfigError);
    expect(() => loadConfig({ path: missing, env: {} })).toThrow(
      `${missing}: cannot be read: ENOENT`,
    );
  });

  test('refuses a file in another encoding, whose texts would be garbled', () => {
    writeFileSync(file, Buffer.from(SMALL_FILE.replace('maker: gen', 'maker: gén'), 'latin1'));
    expect(() => loadConfig({ path: file, env: {} })).toThrow(`${file}: is not UTF-8`);
  });

  test('a problem names the file relative to the current folder', () => {
    expect(() => load(['listen: nowhere'])).toThrow(`${file}:1: listen: write HOST:PORT`);
  });
});

describe('the environment', () => {
  const LISTEN = ['listen: 10.0.0.1:1000'];

  test.each<[Environment, string, number, string]>([
    [{}, '10.0.0.1', 1000, 'FILE:1'],
    [{ HOST: '0.0.0.0' }, '0.0.0.0', 1000, 'environment HOST'],
    [{ HOST: '::' }, '::', 1000, 'environment HOST'],
    [{ PORT: '80' }, '10.0.0.1', 80, 'environment PORT'],
    [{ HOST: 'h', PORT: '80' }, 'h', 80, 'environment HOST and PORT'],
    [
      { HOST: 'h', PORT: '80', MODELGATE_LISTEN: '[::1]:9' },
      '::1',
      9,
      'environment MODELGATE_LISTEN',
    ],
    [{ HOST: '', PORT: '', MODELGATE_LISTEN: '' }, '10.0.0.1', 1000, 'FILE:1'],
  ])('%j decides where to listen', (env, host, port, from) => {
    const config = load(LISTEN, env);
    expect(config.listen).toEqual({ host, port });
    expect(config.sources.get('listen')?.source).toBe(from.replace('FILE', file));
  });

  test.each([{ PORT: 'abc' }, { PORT: '99999' }, { HOST: 'http://h' }])('refuses %j', (env) => {
    const [name = ''] = Object.keys(env);
    expect(() => load(LISTEN, env)).toThrow(
      `environment ${name}: listen: HOST must be a name or an address, such as 0.0.0.0, and PORT a number from 0 to 65535`,
    );
  });

  test('PORT works without an address in the file', () => {
    expect(load([], { PORT: '80' }).listen).toEqual({ host: '127.0.0.1', port: 80 });
  });

  test('wins over the file in all that it may set', () => {
    const settings = ['public_url: http://a.example', 'data_dir: ./a', 'log: { level: info }'];
    const config = load(settings, {
      MODELGATE_PUBLIC_URL: 'https://b.example/x/',
      MODELGATE_DATA_DIR: './b',
      MODELGATE_DATABASE: 'postgres://u:pw@pool/x',
      MODELGATE_DATABASE_DIRECT: 'postgres://u:pw@db/x',
      LOG_LEVEL: 'warn',
    });
    expect(config.public_url).toBe('https://b.example/x');
    expect(config.data_dir).toBe(resolve('b'));
    expect(config.database instanceof Secret && config.database.reveal()).toBe(
      'postgres://u:pw@pool/x',
    );
    expect(config.database_direct?.reveal()).toBe('postgres://u:pw@db/x');
    expect(config.log.level).toBe('warn');
    expect(source(config, 'log.level')).toBe('warn from environment LOG_LEVEL');
    expect(source(config, 'database')).toBe('*** from environment MODELGATE_DATABASE');
    expect(source(config, 'database_direct')).toBe(
      '*** from environment MODELGATE_DATABASE_DIRECT',
    );
  });

  test('reports an invalid variable by name, together with problems of the file', () => {
    const load2 = () =>
      load(['drain: 1'], { PORT: 'many', LOG_LEVEL: 'loud', MODELGATE_PUBLIC_URL: 'x' });
    expect(load2).toThrow(
      [
        'environment PORT: listen: HOST must be a name or an address, such as 0.0.0.0, and PORT a number from 0 to 65535',
        'environment MODELGATE_PUBLIC_URL: public_url: write an http or https address without credentials, "?" and "#"',
        'environment LOG_LEVEL: log.level: "loud" is not one of debug, info, warn, error, silent',
        `${file}:1: drain: unknown key`,
      ].join('\n'),
    );
  });

  test('does not set an administrator token that can be guessed', () => {
    expect(() => load([], { MODELGATE_ADMIN_TOKEN: 'admin' })).toThrow(
      'environment MODELGATE_ADMIN_TOKEN: must have at least 16 characters and no spaces',
    );
  });

  test('is the only source for what does not belong in a file', () => {
    const config = load([], {
      MODELGATE_ADMIN_TOKEN: 'token-of-16-chars',
      MODELGATE_INIT_KEY: 'sk',
      MODELGATE_INIT_CREDIT: '100 USD',
    });
    expect(config.admin_token?.reveal()).toBe('token-of-16-chars');
    expect(config.init.key?.reveal()).toBe('sk');
    expect(config.init.credit).toBe('100 USD');
    expect(source(config, 'init.credit')).toBe('100 USD from environment MODELGATE_INIT_CREDIT');
    const fromFile = load([], { MODELGATE_ADMIN_TOKEN: 'token-of-16-chars\n' });
    expect(fromFile.admin_token?.reveal()).toBe('token-of-16-chars');
    expect(load([], { MODELGATE_ADMIN_TOKEN: ' \n' }).admin_token).toBeNull();
    expect(load().admin_token).toBeNull();
    expect(load().init).toEqual({ key: null, credit: null });
    expect(load().sources.has('admin_token')).toBe(false);
  });
});

describe('where each value came from', () => {
  test('is a default, a line of the file, or a variable, in readable form', () => {
    const config = load(['limits:', '  drain: 90s', 'public_url: http://a.example']);
    expect(source(config, 'limits.drain')).toBe(`90s from ${file}:2`);
    expect(source(config, 'limits.keep_alive')).toBe('15s from default');
    expect(source(config, 'images.url_ttl')).toBe('60m from default');
    expect(source(config, 'public_url')).toBe(`http://a.example from ${file}:3`);
    expect(source(config, 'fx.USD/CNY')).toBe(`7.1000 from ${file}:4`);
    expect(source(config, 'upstreams.builtin.tokens_per_second')).toBe('120 from default');
    expect(source(config, 'models')).toBe(`gen-x, img-x from ${file}:6`);
  });

  test("reads OpenTelemetry's own variables; its headers are decoded and never shown", () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=hush%2C1, x-team = a=b ',
      OTEL_SERVICE_NAME: 'gate',
    };
    const { tracing, sources } = load(
      ['tracing: { endpoint: "http://other:1", sample: 0.25 }'],
      env,
    );
    expect(tracing).toEqual({
      endpoint: 'http://collector:4318',
      headers: { 'api-key': new Secret('hush,1'), 'x-team': new Secret('a=b') },
      sample: 0.25,
      service_name: 'gate',
    });
    expect(tracing.headers['api-key']?.reveal()).toBe('hush,1');
    expect(tracing.headers['x-team']?.reveal()).toBe('a=b');
    expect(JSON.stringify([...sources, tracing])).not.toContain('hush');
    expect(sources.get('tracing.headers.api-key')).toEqual({
      value: '***',
      source: 'environment OTEL_EXPORTER_OTLP_HEADERS',
    });
  });

  test.each(['no-equals', 'a=%', 'a=%ff', '=b'])('rejects malformed headers: %s', (text) => {
    expect(() => load([], { OTEL_EXPORTER_OTLP_HEADERS: text })).toThrow(
      'OTEL_EXPORTER_OTLP_HEADERS',
    );
  });

  test('by default traces are off and requests are logged', () => {
    const { tracing, log } = load();
    expect(tracing).toEqual({ endpoint: null, headers: {}, sample: 1, service_name: 'modelgate' });
    expect(log).toEqual({ level: 'info', requests: true });
    expect(() => load(['tracing: { sample: 1.5 }'])).toThrow('from 0 (none) to 1 (all)');
    expect(() => load(['tracing: { endpoint: "collector:4317" }'])).toThrow('http or https');
  });

  test('an unset secret is shown as none', () => {
    expect(source(load(), 'console.secret')).toBe('- from default');
  });

  test('an exported file is refused until its secrets are written into it', () => {
    expect(() => load(['alerts: { webhook_secret: "***" }'])).toThrow(
      `${file}:1: alerts.webhook_secret: is ***, which stands for a stored secret`,
    );
  });

  test('no secret appears in the sources or in the printed configuration', () => {
    const config = load(
      [
        'database: postgres://u:hush1@db/x',
        'images: { store: s3, bucket: b, endpoint: "https://s3.example", access_key_id: id, secret_access_key: hush2 }',
      ],
      { KEY: 'hush3', MODELGATE_ADMIN_TOKEN: 'hush4-hush4-hush4', MODELGATE_INIT_KEY: 'hush5' },
    );
    writeFileSync(
      file,
      SMALL_FILE.replace(
        'upstreams: {',
        'upstreams: { net: { protocol: openai, base_url: "https://x.example", api_key: "${KEY}", headers: { x-token: hush6 } }, free: { protocol: openai, base_url: "https://x.example", api_key: none },',
      ),
    );
    const net = loadConfig({ path: file, env: { KEY: 'hush3' } });
    for (const each of [config, net]) {
      const { upstreams, ...rest } = each;
      expect(JSON.stringify([...each.sources])).not.toContain('hush');
      expect(JSON.stringify(rest)).not.toContain('hush');
      expect(inspect(rest, { depth: 9 })).not.toContain('hush');
      expect(
        String(Object.values(upstreams).map((it) => ('api_key' in it ? it.api_key : ''))),
      ).not.toContain('hush');
    }
    expect(net.upstreams['net']).toMatchObject({
      api_key: new Secret('hush3'),
      allow_private: false,
    });
    expect(source(net, 'upstreams.net.headers')).toStartWith('*** from');
    expect(source(net, 'upstreams.free.api_key')).toStartWith('none from');
    expect(net.upstreams['free']).toMatchObject({ api_key: null });
  });
});
