/**
 * Reloads the catalogue on SIGHUP, when its file changes, and after each new revision of the
 * settings in the database. Invalid settings are refused, and the previous settings stay in effect.
 */
import { readlinkSync, statSync, watch as watchFolder } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Clock, nextTurn, type Timer } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { inSlices } from '../config/document/steps.ts';
import { Secret } from '../config/secret.ts';
import { type Catalogue, wholeCatalogue } from './catalogue.ts';
import { catalogueSteps, loadCatalogue } from './load-catalogue.ts';

/**
 * The delay between a change of the file and its reload. It is needed because editors write a file
 * in several operations.
 */
export const SETTLE_MS = 100;
/** The interval of the checks for changes that cause no file event. */
export const CHECK_EVERY_MS = 5_000;

/** Settings that a node reads only at startup. All other settings take effect after a reload. */
const FIXED = [
  'config',
  'listen',
  'share_port',
  'trusted_proxies',
  'public_url',
  'data_dir',
  'database',
  'database_direct',
  'database_replica',
  'node_name',
  'secrets',
  'backups',
  'images',
  'limits',
  'log',
  'metrics',
  'payments',
  'alerts',
  'tracing',
] as const satisfies readonly (keyof Config)[];

/** The only such setting of `console`, whose other settings take effect after a reload. */
const CONSOLE_SECRET = 'console.secret';

export type LiveCatalogueOptions = {
  readonly config: Config;
  readonly load: () => Config | Promise<Config>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'after' | 'every' | 'sleep'>;
  /**
   * Returns a text that differs after each change of the file; null if the file is missing. The
   * default uses `stat`.
   */
  readonly stamp?: (file: string) => string | null;
  /**
   * Called before a new catalogue takes effect. If this throws, the previous catalogue stays in
   * effect.
   */
  readonly prepare: (config: Config, catalogue: Catalogue) => Promise<void>;
  readonly onReloaded: (catalogue: Catalogue) => void;
  /**
   * Called when a reload fails and the previous catalogue stays in effect. A ConfigError means that
   * the settings are invalid.
   */
  readonly onRefused: (reason: unknown) => void;
  /** Called for each changed setting that takes effect only after a restart. */
  readonly onNeedsRestart: (setting: string) => void;
};

export class LiveCatalogue {
  readonly #options: LiveCatalogueOptions;
  #config: Config;
  #catalogue: Catalogue;
  #reloading: Promise<void> = Promise.resolve();

  constructor(options: LiveCatalogueOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#catalogue = loadCatalogue(options.config, options.clock.nowMs());
  }

  /** The current catalogue. Announced prices are included from their start time on. */
  get current(): Catalogue {
    let { next } = this.#catalogue;
    while (next !== null && next.fromMs <= this.#options.clock.nowMs()) {
      this.#catalogue = next.catalogue;
      ({ next } = next.catalogue);
    }
    return this.#catalogue;
  }

  /**
   * The current catalogue for operators, which includes models sold only on price lists. Callers
   * must never see it.
   */
  get whole(): Catalogue {
    return wholeCatalogue(this.current);
  }

  get config(): Config {
    return this.#config;
  }

  /**
   * The settings with which the process started. The settings in `FIXED` stay in effect until a
   * restart.
   */
  get started(): Config {
    return this.#options.config;
  }

  /** Reloads the settings. Never rejects. Concurrent reloads run one after another. */
  reload(): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#reload());
    return this.#reloading;
  }

  /**
   * Watches the settings file for changes. Watches its folder instead of the file itself, because
   * editors replace a file by renaming, and containers by changing symlinks. Checks the file at
   * intervals too, because a symlink to another folder or a mounted file causes no event there.
   */
  watch(): { readonly stop: () => void } {
    const { clock, onRefused, stamp = stampOf } = this.#options;
    const { file } = this.#config;
    if (file.startsWith(EMBEDDED)) return { stop: () => undefined };
    let names = namesOf(file);
    let seen = stamp(file);
    let timer: Timer | null = null;
    const look = (_event: string, name: string | null): void => {
      // Ignores other files in the folder, such as the ledger, which causes an event with every
      // write.
      if (name !== null && !names.has(name)) return;
      names = namesOf(file);
      const now = stamp(file);
      if (now === null || now === seen) return;
      seen = now;
      timer?.cancel();
      timer = clock.after(SETTLE_MS, () => void this.reload());
    };
    try {
      const watcher = watchFolder(dirname(file), look);
      watcher.on('error', (error) => onRefused(notWatched(error)));
      watcher.unref();
      const checks = clock.every(CHECK_EVERY_MS, () => look('check', null));
      return {
        stop: () => {
          checks.cancel();
          timer?.cancel();
          watcher.close();
        },
      };
    } catch (thrown) {
      onRefused(notWatched(thrown));
      return { stop: () => undefined };
    }
  }

  async #reload(): Promise<void> {
    const { load, clock, prepare, onReloaded, onRefused, onNeedsRestart } = this.#options;
    try {
      const config = await load();
      const catalogue = await inSlices(catalogueSteps(config, clock.nowMs()), clock);
      await nextTurn();
      await prepare(config, catalogue);
      const fixed = needsRestart(this.#config, config);
      this.#config = config;
      this.#catalogue = catalogue;
      for (const setting of fixed) onNeedsRestart(setting);
      onReloaded(catalogue);
    } catch (thrown) {
      onRefused(thrown);
    }
  }
}

/** Returns the names of the changed settings that take effect only after a restart. */
export const needsRestart = (before: Config, after: Config): readonly string[] => [
  ...FIXED.filter((setting) => !isSame(before[setting], after[setting])),
  ...(isSame(before.console.secret, after.console.secret) ? [] : [CONSOLE_SECRET]),
];

/** Whether nodes read the setting at this path only when they start. */
export const isFixed = (keys: readonly string[]): boolean =>
  FIXED.some((each) => each === keys[0]) || keys.join('.') === CONSOLE_SECRET;

/** The folder of the files embedded in the single binary. These files never change. */
const EMBEDDED = '/$bunfs/';

/** The maximum number of symlinks that are followed. It ends a cycle of symlinks. */
const MAX_LINKS = 8;

/** Returns the file's name and, if it is a symlink, the names in the chain of its symlinks. */
function namesOf(file: string): ReadonlySet<string> {
  const folder = resolve(dirname(file));
  const names = new Set<string>();
  let name = basename(file);
  try {
    while (names.size < MAX_LINKS && name !== '..' && !names.has(name)) {
      names.add(name);
      const target = resolve(folder, readlinkSync(join(folder, name)));
      [name = '..'] = relative(folder, target).split(sep);
    }
  } catch {
    // `readlink` fails at the end of the chain, because the last name is not a link, or does not
    // exist.
  }
  return names;
}

/** Returns a text that changes whenever the file is written or replaced; null if it is missing. */
function stampOf(file: string): string | null {
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    // While an editor replaces the file, it is missing for a moment. The next event checks it
    // again.
    return null;
  }
}

const notWatched = (cause: unknown): Error =>
  new Error('the configuration file is not watched; send SIGHUP to reload it', { cause });

/** Whether two settings are deeply equal. Secrets are compared by value. */
function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Secret && b instanceof Secret) return a.matches(b.reveal());
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [before, after] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return (
    before.size === after.size &&
    [...before].every(([key, value]) => after.has(key) && isSame(value, after.get(key)))
  );
}
