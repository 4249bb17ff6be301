/**
 * Creates the installation's keys on the first start, in files that only this user can read. Opens
 * the stored secrets, which are encrypted with one of these keys.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ChangeFeed, concerns } from '../accounts/change-feed.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Clock, Timer } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import { Seals } from '../protocols/responses/seal.ts';
import { type KeySource, newKey, readKeys } from '../secrets/secret-keys.ts';
import { SecretVault } from '../secrets/secret-vault.ts';
import type { SqlExecutor } from '../store/sql.ts';
import type { GatewayDeps } from './gateway-deps.ts';

export const ADMIN_TOKEN_FILE = 'admin-token';
/** The key that signs cookies. Nodes with one store must share this file or `console.secret`. */
export const CONSOLE_KEY_FILE = 'console.key';
/** The key that encrypts stored secrets, unless the setting `secrets` names another source. */
export const SECRETS_KEY_FILE = 'secrets.key';
const SECRET_BYTES = 32;
/** Minimum length of a secret. Generated secrets are longer, so a shorter file was truncated. */
const MIN_CHARS = 32;

export function loadAdminToken(config: Config, clock: Pick<Clock, 'randomBytes'>): Secret {
  if (config.admin_token !== null) return config.admin_token;
  const fresh = `mga_${Buffer.from(clock.randomBytes(SECRET_BYTES)).toString('base64url')}`;
  return storedSecret(config.data_dir, ADMIN_TOKEN_FILE, fresh);
}

export function loadConsoleKey(config: Config, clock: Pick<Clock, 'randomBytes'>): Secret {
  if (config.console.secret !== null) return config.console.secret;
  const fresh = Buffer.from(clock.randomBytes(SECRET_BYTES)).toString('hex');
  return storedSecret(config.data_dir, CONSOLE_KEY_FILE, fresh);
}

/**
 * Derives the key that signs the reasoning in translated answers, so that callers cannot change the
 * reasoning that they send back. All nodes derive the same key, because they share the console key.
 */
export const loadSeals = (config: Config, clock: Pick<Clock, 'randomBytes'>): Seals =>
  new Seals(loadConsoleKey(config, clock).reveal());

/** Returns the file's secret. A new file gets `fresh`. @throws Error when the file is too short. */
function storedSecret(folder: string, file: string, fresh: string): Secret {
  if (storeOnce(folder, file, fresh)) return new Secret(fresh);
  const path = join(folder, file);
  const stored = readFileSync(path, 'utf8').trim();
  if (stored.length >= MIN_CHARS) return new Secret(stored);
  throw new Error(
    `${path} contains no valid secret. Delete the file; the gateway then creates a new one.`,
  );
}

/** Writes `fresh` to the file unless the file exists. Returns whether it was written. */
function storeOnce(folder: string, file: string, fresh: string): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    // Fails if the file exists, so that processes that start at the same time share one secret.
    writeFileSync(join(folder, file), `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false;
    throw thrown;
  }
}

/** Returns where the key of the stored secrets is. */
export function keySourceOf({ secrets, data_dir }: Config): KeySource {
  const { key, key_command: command, key_file: file } = secrets;
  if (key !== null) return { kind: 'text', text: key, setting: 'secrets.key' };
  if (command !== null) return { kind: 'command', command };
  return { kind: 'file', path: file === null ? join(data_dir, SECRETS_KEY_FILE) : resolve(file) };
}

/** Whether the key is in the default file, which the first start creates. */
export const isOwnFile = ({ kind }: KeySource, { secrets }: Config): boolean =>
  kind === 'file' && secrets.key_file === null;

/**
 * Opens the stored secrets that settings refer to. Logs those that this node's key cannot decrypt.
 */
export async function setUpSecrets(
  { config, clock, log, secrets }: GatewayDeps,
  sql: SqlExecutor,
): Promise<SecretVault> {
  const source = keySourceOf(config);
  if (isOwnFile(source, config)) storeOnce(config.data_dir, SECRETS_KEY_FILE, newKey(clock));
  const vault = await SecretVault.open({ sql, clock, readKeys: () => readKeys(source, clock) });
  secrets.use(vault.find);
  logUnreadable(vault, log);
  return vault;
}

/** How long to wait before changed secrets are read again, if reading them or the keys failed. */
const RETRY_MS = 2_000;

export type SecretChanges = {
  /**
   * Reads changed secrets, and then all settings again.
   * @throws GatewayError if the store fails.
   */
  readonly apply: () => Promise<void>;
  readonly stop: () => void;
};

/** Applies each change of a stored secret to this node, whichever node made it. */
export function secretChanges(
  { clock, log }: Pick<GatewayDeps, 'clock' | 'log'>,
  vault: SecretVault,
  live: Pick<LiveCatalogue, 'reload'>,
  changeFeed: Pick<ChangeFeed, 'subscribe'>,
): SecretChanges {
  let timer: Timer | null = null;
  const apply = async (): Promise<void> => {
    await vault.refresh();
    logUnreadable(vault, log);
    await live.reload();
  };
  const follow = (): void => {
    timer?.cancel();
    timer = null;
    const retry = (): void => {
      timer = clock.after(RETRY_MS, follow);
    };
    apply().then(
      () => {
        if (vault.isOutdated) retry();
      },
      (err: unknown) => {
        log.warn({ err }, 'reading changed secrets failed; it will be retried');
        retry();
      },
    );
  };
  changeFeed.subscribe((change) => {
    if (concerns(change, 'secret.')) follow();
  });
  return { apply, stop: () => timer?.cancel() };
}

/** Logs which secrets this node cannot decrypt, and what to do about it. */
function logUnreadable(vault: SecretVault, log: Pick<GatewayDeps['log'], 'error'>): void {
  const problem = vault.keyProblem;
  if (problem !== null) log.error({ problem }, 'this node cannot decrypt secrets');
  const secrets = vault.list().flatMap(({ name, state }) => (state === 'ready' ? [] : [name]));
  if (secrets.length === 0) return;
  log.error(
    { secrets },
    "this node's key cannot decrypt these secrets; give it the key of the other nodes or of the backup (`secrets.key` in data_dir, or the setting `secrets`), or enter them again with `modelgate secrets set NAME`",
  );
}
