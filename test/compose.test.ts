/** Tests `compose.yaml`: the gateway knows every setting, and every secret is required. */
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../src/config/config.ts';
import { makeEnv, readCompose } from './support/compose.ts';

const ROOT = join(import.meta.dir, '..');
const CONFIG = join(ROOT, 'deploy/compose/modelgate.yaml');
const GATEWAYS = ['gateway-1', 'gateway-2'] as const;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const env = makeEnv('models.example');
const { services, volumes } = readCompose(env);

describe('secrets', () => {
  test.each(Object.keys(env))('without %s, nothing starts, and a sentence says so', (name) => {
    const { [name]: _, ...others } = env;
    const remedy =
      name === 'DOMAIN' ? 'Set it in .env' : 'Run deploy/compose/make-env DOMAIN > .env';
    expect(() => readCompose(others)).toThrow(`${name} is missing. ${remedy}`);
  });

  test('none has a default', () => {
    const withDefault = [...read('compose.yaml').matchAll(/\$\{(\w+):-/g)].map(([, name]) => name);
    expect(withDefault).not.toEqual([]);
    expect(withDefault.filter((name) => !name?.endsWith('_IMAGE'))).toEqual([]);
  });

  test('are others each time', () => {
    const again = makeEnv('models.example');
    const same = Object.keys(env).filter((name) => env[name] === again[name]);
    expect(same).toEqual(['DOMAIN']);
  });

  test('make-env needs the host name', () => {
    const { exitCode, stderr } = Bun.spawnSync([join(ROOT, 'deploy/compose/make-env')]);
    expect(exitCode).toBe(2);
    expect(stderr.toString()).toContain('usage: deploy/compose/make-env DOMAIN');
  });
});

describe.each(GATEWAYS)('%s', (name) => {
  const { environment = {}, ...service } = services[name] ?? { image: '' };

  test('gets only variables that the gateway or its configuration reads', () => {
    const known = ['environment.ts', 'config.ts'].map((file) => read(`src/config/${file}`)).join();
    const referenced = [...read('deploy/compose/modelgate.yaml').matchAll(/\$\{(\w+)\}/g)].map(
      ([, variable = '']) => variable,
    );
    for (const variable of referenced) expect(environment).toHaveProperty(variable);
    const unknown = Object.keys(environment).filter(
      (each) =>
        !known.includes(`'${each}'`) &&
        !referenced.includes(each) &&
        !service.entrypoint?.join().includes(`$${each}`),
    );
    expect(unknown).toEqual([]);
  });

  test('accepts its configuration', () => {
    const config = loadConfig({ path: CONFIG, env: environment });
    expect(config).toMatchObject({
      config: 'database',
      node_name: name,
      trusted_proxies: 1,
      public_url: 'https://models.example',
      images: { store: 's3', endpoint: 'http://minio:9000', bucket: 'images' },
      listen: { host: '0.0.0.0', port: 8787 },
      metrics: { listen: { host: '0.0.0.0', port: 9464 } },
    });
    expect(service.volumes).toContain(
      `./deploy/compose/modelgate.yaml:${environment['MODELGATE_CONFIG']}:ro`,
    );
  });

  test('has a read-only root, no capability, and the time to end running requests', () => {
    const { limits } = loadConfig({ path: CONFIG, env: environment });
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(service.ports).toBeUndefined();
    expect(Number.parseInt(service.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(
      limits.drain,
    );
    expect(service.volumes).toContain(`${name}:/var/lib/modelgate`);
  });
});

test('every volume is declared, and every mounted file exists', () => {
  const mounts = Object.values(services).flatMap(({ volumes = [] }) => volumes);
  const sources = mounts.map((mount) => mount.split(':')[0] ?? '');
  const files = sources.filter((source) => source.startsWith('./'));
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const named = sources.filter((source) => !source.startsWith('./'));
  expect(named.toSorted()).toEqual(Object.keys(volumes).toSorted());
});

test('Caddy and Prometheus name both gateways at the ports on which they listen', () => {
  for (const name of GATEWAYS) {
    expect(read('deploy/compose/Caddyfile')).toContain(`${name}:8787`);
    expect(read('deploy/compose/prometheus.yml')).toContain(`${name}:9464`);
  }
});

test('Caddy passes streams on as they are written', () => {
  expect(read('deploy/compose/Caddyfile')).toContain('flush_interval -1');
});
