/**
 * The one reader of the configuration file and of the environment. What comes out is typed, complete and
 * immutable, and every effective value knows where it came from.
 */
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { checkFile } from './check-file.ts';
import { ConfigError } from './problem.ts';
import type {
  FileSettings,
  ImageStoreSettings,
  ModelSettings,
  UpstreamSettings,
} from './schema.ts';
import { Secret } from './secret.ts';
import { type Environment, readYaml, type YamlFile } from './yaml-file.ts';

export type NetworkUpstreamSettings = Omit<
  Extract<UpstreamSettings, { base_url: string }>,
  'api_key'
> & {
  readonly api_key: Secret | null;
};
export type BuiltinUpstreamSettings = Extract<UpstreamSettings, { protocol: 'builtin' }>;

export type Config = Omit<
  FileSettings,
  'listen' | 'public_url' | 'database' | 'upstreams' | 'images'
> & {
  /** The file it was read from. */
  readonly file: string;
  readonly listen: { readonly host: string; readonly port: number };
  /** null: the listen address, once its port is known. */
  readonly public_url: string | null;
  readonly database: 'sqlite' | Secret;
  readonly images: Exclude<ImageStoreSettings, { store: 's3' }> | S3Settings;
  readonly upstreams: Readonly<Record<string, BuiltinUpstreamSettings | NetworkUpstreamSettings>>;
  readonly admin_token: Secret | null;
  /** For a first start with no browser: the first account's key and credit. */
  readonly init: { readonly key: Secret | null; readonly credit: string | null };
  /** Where each effective setting came from: `default`, `modelgate.yaml:3`, `environment PORT`. */
  readonly sources: ReadonlyMap<string, SourcedValue>;
};
type S3Settings = Omit<Extract<ImageStoreSettings, { store: 's3' }>, 'secret_access_key'> & {
  readonly secret_access_key: Secret;
};
export type SourcedValue = { readonly value: string; readonly source: string };

export type ConfigOptions = {
  /** `--config`; null: `MODELGATE_CONFIG`, else the file that comes with the program. */
  readonly path: string | null;
  readonly env?: Environment;
};

const PACKAGED_FILE = resolve(import.meta.dir, '../../modelgate.yaml');

/** @throws ConfigError naming every problem with its file and line. */
export function loadConfig({ path, env = process.env }: ConfigOptions): Config {
  const file = resolve(path ?? env['MODELGATE_CONFIG'] ?? PACKAGED_FILE);
  const yaml = readYaml(readText(file), basename(file), env);
  const checked = checkFile(yaml);
  if ('problems' in checked) throw new ConfigError(checked.problems);
  const overrides = readOverrides(checked.settings, env);
  return {
    ...checked.settings,
    ...overrides.values,
    file,
    upstreams: sealUpstreams(checked.settings.upstreams),
    images: sealImages(checked.settings.images),
    sources: sourcesOf(checked.settings, yaml, overrides.names),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ConfigError([{ where: file, path: '', message: `cannot be read: ${reason}` }]);
  }
}

type Overridden = Pick<
  Config,
  'listen' | 'public_url' | 'data_dir' | 'database' | 'log' | 'admin_token' | 'init'
>;

/** The settings that the environment may set, and which variable set each. */
function readOverrides(
  settings: FileSettings,
  env: Environment,
): { values: Overridden; names: ReadonlyMap<string, string> } {
  const names = new Map<string, string>();
  const read = (setting: string, variable: string): string | null => {
    const value = env[variable];
    if (value === undefined || value === '') return null;
    names.set(setting, variable);
    return value;
  };
  const secret = (setting: string, variable: string): Secret | null => {
    const value = read(setting, variable);
    return value === null ? null : new Secret(value);
  };
  const database = read('database', 'MODELGATE_DATABASE') ?? settings.database;
  const values: Overridden = {
    listen: readListen(settings, read),
    public_url: readPublicUrl(
      read('public_url', 'MODELGATE_PUBLIC_URL') ?? settings.public_url ?? null,
    ),
    data_dir: resolve(read('data_dir', 'MODELGATE_DATA_DIR') ?? settings.data_dir),
    database: database === 'sqlite' ? 'sqlite' : new Secret(database),
    log: { level: readLogLevel(read('log.level', 'LOG_LEVEL'), settings.log.level) },
    admin_token: secret('admin_token', 'MODELGATE_ADMIN_TOKEN'),
    init: {
      key: secret('init.key', 'MODELGATE_INIT_KEY'),
      credit: read('init.credit', 'MODELGATE_INIT_CREDIT'),
    },
  };
  return { values, names };
}

type Read = (setting: string, variable: string) => string | null;

/** `HOST` and `PORT` as everywhere; `MODELGATE_LISTEN` before them. */
function readListen(settings: FileSettings, read: Read): Config['listen'] {
  const whole = read('listen', 'MODELGATE_LISTEN');
  if (whole !== null) return splitListen(whole, 'environment MODELGATE_LISTEN');
  const fromFile = splitListen(settings.listen, 'listen');
  const host = read('listen.host', 'HOST') ?? fromFile.host;
  const port = read('listen.port', 'PORT');
  return { host, port: port === null ? fromFile.port : readPort(port, 'environment PORT') };
}

function splitListen(text: string, where: string): Config['listen'] {
  const colon = text.lastIndexOf(':');
  const host = text.slice(0, Math.max(0, colon)).replace(/^\[|\]$/g, '');
  if (host === '') throw wrong(where, `"${text}" is no address; write HOST:PORT`);
  return { host, port: readPort(text.slice(colon + 1), where) };
}

function readPort(text: string, where: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 65_536;
  if (port > 65_535) throw wrong(where, `"${text}" is no port; write a number from 0 to 65535`);
  return port;
}

function readPublicUrl(text: string | null): string | null {
  if (text === null) return null;
  if (!/^https?:\/\/./.test(text) || !URL.canParse(text)) {
    throw wrong('environment MODELGATE_PUBLIC_URL', `"${text}" is no http or https address`);
  }
  return text.replace(/\/+$/, '');
}

function readLogLevel(
  text: string | null,
  fallback: FileSettings['log']['level'],
): FileSettings['log']['level'] {
  if (text === null) return fallback;
  const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
  const found = levels.find((level) => level === text.toLowerCase());
  if (found === undefined)
    throw wrong('environment LOG_LEVEL', `"${text}" is none of ${levels.join(', ')}`);
  return found;
}

const wrong = (where: string, message: string): ConfigError =>
  new ConfigError([{ where, path: '', message }]);

function sealUpstreams(upstreams: FileSettings['upstreams']): Config['upstreams'] {
  const sealed: Record<string, BuiltinUpstreamSettings | NetworkUpstreamSettings> = {};
  for (const [name, upstream] of Object.entries(upstreams)) {
    if (upstream.protocol === 'builtin') {
      sealed[name] = upstream;
    } else {
      const { api_key, ...rest } = upstream;
      sealed[name] = {
        ...rest,
        api_key: api_key === '' || api_key === 'none' ? null : new Secret(api_key),
      };
    }
  }
  return sealed;
}

function sealImages(images: ImageStoreSettings): Config['images'] {
  if (images.store === 'local') return images;
  return { ...images, secret_access_key: new Secret(images.secret_access_key) };
}

/** Scalars of the settings outside of models and upstreams, by dotted path. */
function sourcesOf(
  settings: FileSettings,
  yaml: YamlFile,
  overridden: ReadonlyMap<string, string>,
): ReadonlyMap<string, SourcedValue> {
  const sources = new Map<string, SourcedValue>();
  const walk = (value: unknown, given: unknown, path: readonly string[]): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value))
        walk(inner, childOf(given, key), [...path, key]);
      return;
    }
    const name = path.join('.');
    const shown =
      /secret|key/.test(name) || name === 'database' ? String(new Secret('')) : String(value);
    const isSafe = name === 'database' && value === 'sqlite';
    const source = given === undefined ? 'default' : yaml.locate(path);
    sources.set(name, { value: isSafe ? 'sqlite' : shown, source });
  };
  const { models, upstreams, ...rest } = settings;
  const { value } = yaml;
  for (const [key, inner] of Object.entries(rest)) walk(inner, childOf(value, key), [key]);
  sources.set('upstreams', {
    value: Object.keys(upstreams).join(', '),
    source: yaml.locate(['upstreams']),
  });
  sources.set('models', { value: Object.keys(models).join(', '), source: yaml.locate(['models']) });
  for (const [name, variable] of overridden) {
    sources.set(name, { value: '(set)', source: `environment ${variable}` });
  }
  return sources;
}

function childOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

export type { ModelSettings };
