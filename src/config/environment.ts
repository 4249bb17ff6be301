/** The settings that the environment may set, laid over those of the file before any is checked. */
import { withListenParts } from './address.ts';
import { valueAt } from './schema-path.ts';
import { Secret } from './secret.ts';
import type { Environment, YamlFile } from './yaml-file.ts';

/** A setting's value and the variables that gave it. */
type Override = { readonly value: string; readonly source: string };

export const DEFAULT_LISTEN = '127.0.0.1:8787';

/** A variable that is set but empty counts as unset: container files often leave one behind. */
export const readVariable = (env: Environment, name: string): string | null => env[name] || null;

/** What a variable that an operator names holds; null when it is not set. */
export function environmentSecret(name: string, env: Environment = process.env): Secret | null {
  const value = readVariable(env, name);
  return value === null ? null : new Secret(value);
}

/** The file as the environment changes it; what it sets is located there instead of on a line. */
export function withEnvironment(file: YamlFile, env: Environment): YamlFile {
  const overrides = readOverrides(file.value, env);
  let { value } = file;
  for (const [setting, override] of overrides)
    value = withValue(value, setting.split('.'), override);
  return {
    ...file,
    value,
    locate: (path) => overrides.get(path.map(String).join('.'))?.source ?? file.locate(path),
  };
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
  simple('node_name', 'MODELGATE_NODE_NAME');
  simple('log.level', 'LOG_LEVEL');
  return overrides;
}

/** `HOST` and `PORT` as everywhere; `MODELGATE_LISTEN` before them. */
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

/** A copy with one value set; what is no map on the way there is left for the schema to refuse. */
function withValue(root: unknown, path: readonly string[], { value }: Override): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const below = valueAt(root, [key]);
  const isOpen = root === undefined || (typeof root === 'object' && root !== null);
  return isOpen ? { ...root, [key]: withValue(below, rest, { value, source: '' }) } : root;
}
