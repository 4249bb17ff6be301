/** Overrides settings of the file with environment variables, before validation. */
import { parseListen, withListenParts } from './address.ts';
import type { Environment } from './document/references.ts';
import { nearest } from './nearest.ts';
import type { Path, Problem } from './problem.ts';
import { valueAt } from './schema-path.ts';
import { Secret } from './secret.ts';
import type { YamlFile } from './yaml-file.ts';

/** The value of a setting, and the names of the environment variables that set it. */
type Override = { readonly value: unknown; readonly source: string };

export const DEFAULT_LISTEN = '127.0.0.1:8787';

/** The names of all variables that were read, whether they are set or not. */
const readNames = new Set<string>();

/** Returns a variable; null if unset or empty, because container files often have empty ones. */
export function readVariable(env: Environment, name: string): string | null {
  readNames.add(name);
  return env[name] || null;
}

const PREFIX = /^MODELGATE_/;
/** Wrong letters of a misspelled name. With more, the name may be meant for another program. */
const MOST_WRONG_LETTERS = 2;

/** Returns a warning for each variable whose name looks like that of an unset one misspelled. */
export function misspelledVariables(env: Environment = process.env): readonly string[] {
  const unset = [...readNames].filter((name) => PREFIX.test(name) && !env[name]);
  return Object.keys(env).flatMap((name) => {
    if (!PREFIX.test(name) || readNames.has(name)) return [];
    const meant = nearest(name, unset, MOST_WRONG_LETTERS);
    return meant === null
      ? []
      : [`${name} is not a variable of the gateway and has no effect. Did you mean ${meant}?`];
  });
}

/** Returns the value of a variable whose name an operator gives; null if it is unset or empty. */
export function environmentSecret(name: string, env: Environment = process.env): Secret | null {
  const value = readVariable(env, name);
  return value === null ? null : new Secret(value);
}

/** Returns the file with the overrides applied. A problem in an override names its variable. */
export function withEnvironment(file: YamlFile, env: Environment): YamlFile {
  const overrides = readOverrides(file.value, env);
  let { value } = file;
  for (const [setting, override] of overrides)
    value = withValue(value, setting.split('.'), override);
  return {
    ...file,
    value,
    problems: [...file.problems, ...listenProblems(overrides.get('listen'))],
    locate: (path) => overrideAt(overrides, path)?.source ?? file.locate(path),
  };
}

/** Returns the override of the setting at this path, or else of the closest parent setting. */
function overrideAt(overrides: ReadonlyMap<string, Override>, path: Path): Override | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = overrides.get(path.slice(0, length).map(String).join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}

function readOverrides(file: unknown, env: Environment): ReadonlyMap<string, Override> {
  const overrides = new Map<string, Override>();
  const simple = (setting: string, name: string): void => {
    const value = readVariable(env, name);
    if (value !== null) overrides.set(setting, { value, source: `environment ${name}` });
  };
  const listen = readListen(file, env);
  if (listen !== null) overrides.set('listen', listen);
  simple('public_url', 'MODELGATE_PUBLIC_URL');
  simple('data_dir', 'MODELGATE_DATA_DIR');
  simple('database', 'MODELGATE_DATABASE');
  simple('database_direct', 'MODELGATE_DATABASE_DIRECT');
  simple('database_replica', 'MODELGATE_DATABASE_REPLICA');
  simple('node_name', 'MODELGATE_NODE_NAME');
  simple('log.level', 'LOG_LEVEL');
  simple('tracing.endpoint', 'OTEL_EXPORTER_OTLP_ENDPOINT');
  simple('tracing.service_name', 'OTEL_SERVICE_NAME');
  const headers = readVariable(env, 'OTEL_EXPORTER_OTLP_HEADERS');
  if (headers !== null) {
    const source = 'environment OTEL_EXPORTER_OTLP_HEADERS';
    overrides.set('tracing.headers', { value: readHeaders(headers), source });
  }
  return overrides;
}

/** Parses OpenTelemetry's percent-encoded `name=value,name=value`; null if it is malformed. */
function readHeaders(text: string): Readonly<Record<string, string>> | null {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return null;
    try {
      headers[name] = decodeURIComponent(value);
    } catch {
      // A percent sign lacks its two hexadecimal digits. The schema rejects the returned null.
      return null;
    }
  }
  return headers;
}

/** Returns the listen address from `MODELGATE_LISTEN`, or else from `HOST` and `PORT`. */
function readListen(file: unknown, env: Environment): Override | null {
  const whole = readVariable(env, 'MODELGATE_LISTEN');
  if (whole !== null) return { value: whole, source: 'environment MODELGATE_LISTEN' };
  const names = ['HOST', 'PORT'].filter((name) => readVariable(env, name) !== null);
  if (names.length === 0) return null;
  const ofFile = valueAt(file, ['listen']);
  const value = withListenParts(
    typeof ofFile === 'string' ? ofFile : DEFAULT_LISTEN,
    readVariable(env, 'HOST'),
    readVariable(env, 'PORT'),
  );
  return { value, source: `environment ${names.join(' and ')}` };
}

/**
 * Returns the problem of `HOST` or `PORT`, each of which is only a part of what the schema asks for
 * in its own message.
 */
function listenProblems(listen: Override | undefined): readonly Problem[] {
  if (listen === undefined || !/ (?:HOST|PORT)$/.test(listen.source)) return [];
  if (parseListen(String(listen.value)) !== null) return [];
  const message =
    'HOST must be a name or an address, such as 0.0.0.0, and PORT a number from 0 to 65535';
  return [{ where: listen.source, path: 'listen', message }];
}

/**
 * Returns a copy with the value at the path set. If the path leads through a value that is not a
 * map, that value is not replaced, so that the schema reports it.
 */
function withValue(root: unknown, path: readonly string[], { value }: Override): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const below = valueAt(root, [key]);
  const isOpen = root === undefined || (typeof root === 'object' && root !== null);
  return isOpen ? { ...root, [key]: withValue(below, rest, { value, source: '' }) } : root;
}

/**
 * Returns all environment variables. The import from other gateways needs them, because settings of
 * these gateways refer to variables by name.
 */
export const environment = (env: Environment = process.env): Environment => env;
