/** Loads the configuration. Only this module reads the file and the environment. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import { type CheckedFile, checkSteps } from './check-file.ts';
import {
  type Document,
  documentIn,
  type StoredDocument,
  withDocument,
} from './document/document.ts';
import { hiddenSecrets, IS_HIDDEN } from './document/document-secrets.ts';
import { type Environment, referenceSteps } from './document/references.ts';
import { type FindSecret, unknownSecret } from './document/secret-name.ts';
import { SecretReferences, type SecretUse } from './document/secret-references.ts';
import { sharedSteps } from './document/shared-records.ts';
import { finish, type Steps } from './document/steps.ts';
import { readVariable, withEnvironment } from './environment.ts';
import { ConfigError } from './problem.ts';
import { valueAt } from './schema-path.ts';
import { Secret } from './secret.ts';
import { type SourcedValue, sourceSteps } from './sources.ts';
import { type KnownEntries, type YamlFile, yamlSteps } from './yaml-file.ts';

/** The effective settings. Durations are in milliseconds and sizes in bytes. */
export type Config = CheckedFile & {
  /**
   * The absolute path of the configuration file. The setting `data_dir` is an absolute path too.
   */
  readonly file: string;
  /** The revision of the settings in the database; null if all settings are in the file. */
  readonly revision: number | null;
  readonly admin_token: Secret | null;
  /**
   * The API key and the credit (`100 USD`) of the first account, so that a gateway can be set up
   * without a browser.
   */
  readonly init: { readonly key: Secret | null; readonly credit: string | null };
  /** The source of each effective setting, by the setting's path, such as `limits.drain`. */
  readonly sources: ReadonlyMap<string, SourcedValue>;
  /** Every reference to a stored secret. */
  readonly secretUses: readonly SecretUse[];
};

export type ConfigOptions = {
  /**
   * The value of `--config`, the path of the file. If null, the path is in the variable
   * `MODELGATE_CONFIG`, or else the file is the one in the package.
   */
  readonly path: string | null;
  readonly env?: Environment;
  /** The current time. It is needed to find price calendars that have already ended. */
  readonly nowMs?: number;
  /** Finds a stored secret. By default, no secret is found. */
  readonly secrets?: FindSecret;
};

const PACKAGED_FILE = resolve(import.meta.dir, '../../modelgate.yaml');
const MASK = String(new Secret(''));

/**
 * Loads all settings from the file.
 * @throws ConfigError with every problem, its file and its line.
 */
export const loadConfig = (options: ConfigOptions): Config => finish(configSteps(options));

/**
 * Loads the settings that are needed at startup. These are all settings of the file, but only the
 * start settings of a file with `config: database`.
 * @throws ConfigError
 */
export function loadStart(options: ConfigOptions): Config {
  const start = finish(configSteps(options, null));
  return start.config === 'file' ? loadConfig(options) : start;
}

/**
 * Loads the settings. If `stored` is undefined, all settings come from the file. Otherwise only the
 * start settings come from the file, and all others come from `stored`. If `stored` is null, the
 * gateway has only the start settings, and therefore no models. A running node keeps the last valid
 * start settings while the file has an error, because it must follow the database all the same.
 * @throws ConfigError with every problem and its place: file and line, or the document's name.
 */
export function* configSteps(
  options: ConfigOptions,
  stored?: StoredDocument | null,
): Steps<Config> {
  const { file } = chosenFile(options);
  if (stored === undefined) return yield* settingsSteps(yield* parsedSteps(file), options);
  const before = lastStart?.name === shortName(file) ? lastStart : null;
  try {
    const parsed = yield* parsedSteps(file);
    const settings = yield* settingsSteps(parsed, options, stored);
    lastStart = parsed;
    return settings;
  } catch (thrown) {
    // If the mistake is in `stored`, the settings are refused again.
    if (!(thrown instanceof ConfigError) || before === null) throw thrown;
    return yield* settingsSteps(before, options, stored);
  }
}

function* settingsSteps(
  { yaml: ofFile, document }: Parsed,
  options: ConfigOptions,
  stored?: StoredDocument | null,
): Steps<Config> {
  const { env = process.env, nowMs = systemClock.nowMs(), secrets = unknownSecret } = options;
  const { chosen, file } = chosenFile(options);
  const read = stored === undefined ? ofFile : withDocument(ofFile, stored);
  yield;
  const references = new SecretReferences(read, secrets);
  const resolved = yield* referenceSteps(read, env, references);
  const yaml = withEnvironment(resolved, env);
  // A calendar may end after it was stored, and later revisions may still contain it. If that
  // prevented a start, nobody could correct it. So only new calendars must not have ended.
  const settings = yield* checkSteps(yaml, stored?.atMs === undefined ? nowMs : 0);
  // An exported file has `***` in place of secrets, which anybody could send as a webhook's secret.
  const hidden = stored === undefined ? hiddenSecrets(document) : [];
  const problems = hidden.map((path) => ({
    where: yaml.locate(path),
    path: path.map(String).join('.'),
    message: IS_HIDDEN,
  }));
  if (problems.length > 0) throw new ConfigError(problems);
  const sources = yield* sourceSteps(yaml);
  const only = readEnvironmentOnly(env);
  const data_dir = resolve(settings.data_dir);
  return {
    ...settings,
    data_dir,
    file,
    revision: stored?.revision ?? null,
    admin_token: only.admin_token,
    init: only.init,
    secretUses: references.uses,
    sources: new Map([['file', { ...chosen, value: file }], ...sources, ...only.sources]),
  };
}

/**
 * Returns those settings of the file that can be in a database instead.
 * @throws ConfigError also for an invalid start setting of a file with `config: database`, which a
 *   running node ignores.
 */
export function fileDocument(options: ConfigOptions): Document {
  const parsed = finish(parsedSteps(chosenFile(options).file));
  if (valueAt(parsed.yaml.value, ['config']) === 'database')
    finish(settingsSteps(parsed, options, null));
  return parsed.document;
}

/** Returns the text of the file, and the name of the file for messages. @throws ConfigError */
export function fileText(options: ConfigOptions) {
  const { file } = chosenFile(options);
  return { text: readText(file), name: shortName(file) };
}

type Parsed = {
  readonly text: string;
  readonly name: string;
  readonly yaml: YamlFile;
  readonly entries: KnownEntries;
  readonly document: Document;
};
/** The result of parsing the last file. */
let last: Parsed | null = null;
/** The last file whose start settings were valid. */
let lastStart: Parsed | null = null;

/**
 * Parses a file. If the text of the file has not changed, returns the last result. Parts of the
 * file that have not changed keep their objects, so that only changed models are validated and
 * built again.
 */
function* parsedSteps(file: string): Steps<Parsed> {
  const before = last;
  const [text, name] = [readText(file), shortName(file)];
  if (before?.text === text && before.name === name) return before;
  yield;
  const { file: read, entries } = yield* yamlSteps(text, name, before?.entries);
  const value = yield* sharedSteps(before?.yaml.value, read.value);
  last = { text, name, yaml: { ...read, value }, entries, document: documentIn(value) };
  return last;
}

/** Returns the source of the file's path, and the absolute path. */
function chosenFile({ path, env = process.env }: ConfigOptions) {
  const chosen = chooseFile(path, env);
  return { chosen, file: resolve(chosen.value) };
}

function chooseFile(path: string | null, env: Environment): SourcedValue {
  if (path !== null) return { value: path, source: 'flag --config' };
  const named = readVariable(env, 'MODELGATE_CONFIG');
  return named === null
    ? { value: PACKAGED_FILE, source: 'default' }
    : { value: named, source: 'environment MODELGATE_CONFIG' };
}

/**
 * Returns the file's path relative to the current folder, so that editors and terminals can open
 * it. For a file outside this folder, returns the absolute path.
 */
function shortName(file: string): string {
  const name = relative(process.cwd(), file);
  return name.startsWith('..') || isAbsolute(name) ? file : name;
}

function readText(file: string): string {
  const refused = (message: string) => new ConfigError([{ where: file, path: '', message }]);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw refused(`cannot be read: ${reason}`);
  }
  if (!isUtf8(bytes)) throw refused('is not UTF-8; save it in this encoding');
  return bytes.toString('utf8');
}

const ADMIN_TOKEN = 'MODELGATE_ADMIN_TOKEN';
/** The form of an administrator's token that cannot be found by trying. */
const UNGUESSABLE = /^\S{16,}$/;

/**
 * Reads the settings that can only be set by environment variables. Two of them are secrets, which
 * should not be in a file that people copy and commit.
 */
function readEnvironmentOnly(env: Environment) {
  const sources: [string, SourcedValue][] = [];
  const read = (setting: string, name: string, show: (value: string) => string): string | null => {
    // The value of a file often ends with a line break, which no request header can have.
    const value = readVariable(env, name)?.trim() || null;
    if (value !== null)
      sources.push([setting, { value: show(value), source: `environment ${name}` }]);
    return value;
  };
  const secret = (setting: string, name: string): Secret | null => {
    const value = read(setting, name, () => MASK);
    return value === null ? null : new Secret(value);
  };
  const admin_token = secret('admin_token', ADMIN_TOKEN);
  if (admin_token !== null && !UNGUESSABLE.test(admin_token.reveal())) {
    const message = 'must have at least 16 characters and no spaces, so that nobody can guess it';
    throw new ConfigError([{ where: `environment ${ADMIN_TOKEN}`, path: '', message }]);
  }
  const key = secret('init.key', 'MODELGATE_INIT_KEY');
  const credit = read('init.credit', 'MODELGATE_INIT_CREDIT', (value) => value);
  return { admin_token, init: { key, credit }, sources };
}
