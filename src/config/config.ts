/** Loads the configuration; nothing else reads the file or the environment. */
import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import { checkFile } from './check-file.ts';
import { readVariable, withEnvironment } from './environment.ts';
import { ConfigError } from './problem.ts';
import type { FileSettings } from './schema.ts';
import { Secret } from './secret.ts';
import { type SourcedValue, sourcesOf } from './sources.ts';
import { type Environment, readYaml } from './yaml-file.ts';

/** The effective settings. Durations are in milliseconds and sizes in bytes. */
export type Config = FileSettings & {
  /** Absolute path of the configuration file. `data_dir` is absolute too. */
  readonly file: string;
  readonly admin_token: Secret | null;
  /** The first account's key and credit (`100 USD`), for a first start without a browser. */
  readonly init: { readonly key: Secret | null; readonly credit: string | null };
  /** The source of each effective setting, by the setting's path, such as `limits.drain`. */
  readonly sources: ReadonlyMap<string, SourcedValue>;
};

type ConfigOptions = {
  /** The value of `--config`; null means `MODELGATE_CONFIG`, or else the packaged file. */
  readonly path: string | null;
  readonly env?: Environment;
  /** The current time, to find price calendars that have already ended. */
  readonly nowMs?: number;
};

const PACKAGED_FILE = resolve(import.meta.dir, '../../modelgate.yaml');
const MASK = String(new Secret(''));

/** @throws ConfigError naming every problem with its file and line. */
export function loadConfig({
  path,
  env = process.env,
  nowMs = systemClock.nowMs(),
}: ConfigOptions): Config {
  const chosen = chooseFile(path, env);
  const file = resolve(chosen.value);
  const yaml = withEnvironment(readYaml(readText(file), shortName(file), env), env);
  const settings = checkFile(yaml, nowMs);
  const only = readEnvironmentOnly(env);
  return {
    ...settings,
    data_dir: resolve(settings.data_dir),
    file,
    admin_token: only.admin_token,
    init: only.init,
    sources: new Map([['config', { ...chosen, value: file }], ...sourcesOf(yaml), ...only.sources]),
  };
}

function chooseFile(path: string | null, env: Environment): SourcedValue {
  if (path !== null) return { value: path, source: 'flag --config' };
  const named = readVariable(env, 'MODELGATE_CONFIG');
  return named === null
    ? { value: PACKAGED_FILE, source: 'default' }
    : { value: named, source: 'environment MODELGATE_CONFIG' };
}

/** Returns the path relative to the current folder, so that editors and terminals can open it. */
function shortName(file: string): string {
  const name = relative(process.cwd(), file);
  return name.startsWith('..') || isAbsolute(name) ? file : name;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ConfigError([{ where: file, path: '', message: `cannot be read: ${reason}` }]);
  }
}

/** Reads secrets that only the environment may hold, because people copy and commit the file. */
function readEnvironmentOnly(env: Environment) {
  const sources: [string, SourcedValue][] = [];
  const read = (setting: string, name: string, show: (value: string) => string): string | null => {
    const value = readVariable(env, name);
    if (value !== null)
      sources.push([setting, { value: show(value), source: `environment ${name}` }]);
    return value;
  };
  const secret = (setting: string, name: string): Secret | null => {
    const value = read(setting, name, () => MASK);
    return value === null ? null : new Secret(value);
  };
  const admin_token = secret('admin_token', 'MODELGATE_ADMIN_TOKEN');
  const key = secret('init.key', 'MODELGATE_INIT_KEY');
  const credit = read('init.credit', 'MODELGATE_INIT_CREDIT', (value) => value);
  return { admin_token, init: { key, credit }, sources };
}
