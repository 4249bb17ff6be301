/**
 * The snapshot in force. A saved file or SIGHUP makes a new one; a bad file keeps the old one and says
 * why. Requests that run keep the snapshot they began with.
 */
import { statSync, watch as watchFolder } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock, Timer } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import type { Catalogue } from './catalogue.ts';
import { loadCatalogue } from './load-catalogue.ts';

/** Editors write a file in several steps; one reload after the last is enough. */
export const SETTLE_MS = 100;

/** Read once, when the gateway starts. All others take effect with a reload. */
const FIXED = [
  'listen',
  'public_url',
  'data_dir',
  'database',
  'images',
  'catalogue',
  'status',
  'limits',
  'log',
  'payments',
  'alerts',
  'tracing',
] as const satisfies readonly (keyof Config)[];

export type LiveCatalogueOptions = {
  readonly config: Config;
  readonly load: () => Config;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  /** Called with each new snapshot before it is in force; when it throws, the old one stays. */
  readonly prepare: (config: Config, catalogue: Catalogue) => Promise<void>;
  readonly onReloaded: (catalogue: Catalogue) => void;
  /** The reason is a ConfigError when the file is at fault. */
  readonly onRefused: (reason: unknown) => void;
  /** A setting that changed but takes effect only at the next start. */
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

  get current(): Catalogue {
    return this.#catalogue;
  }

  get config(): Config {
    return this.#config;
  }

  /** Reads the file again; never throws, and one reload follows another. */
  reload(): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#reload());
    return this.#reloading;
  }

  /**
   * Watches the file until stopped. Its folder is watched, since editors replace files by renaming and
   * container platforms by turning a link; what counts is that the file at the path is another one.
   */
  watch(): { readonly stop: () => void } {
    const { clock, onRefused } = this.#options;
    const { file } = this.#config;
    let seen = stampOf(file);
    let timer: Timer | null = null;
    const look = (): void => {
      const stamp = stampOf(file);
      if (stamp === null || stamp === seen) return;
      seen = stamp;
      timer?.cancel();
      timer = clock.after(SETTLE_MS, () => void this.reload());
    };
    try {
      const watcher = watchFolder(dirname(file), look);
      watcher.on('error', (error) => onRefused(notWatched(error)));
      watcher.unref();
      return {
        stop: () => {
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
      const config = load();
      const catalogue = loadCatalogue(config, clock.nowMs());
      await prepare(config, catalogue);
      const fixed = FIXED.filter((setting) => !isSame(config[setting], this.#config[setting]));
      this.#config = config;
      this.#catalogue = catalogue;
      for (const setting of fixed) onNeedsRestart(setting);
      onReloaded(catalogue);
    } catch (thrown) {
      onRefused(thrown);
    }
  }
}

/** Changes whenever the file is written or replaced; null while there is none to look at. */
function stampOf(file: string): string | null {
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    // Between an editor's two renames, or a lost permission: the next event looks again.
    return null;
  }
}

const notWatched = (cause: unknown): Error =>
  new Error('the configuration file is not watched; send SIGHUP to reload it', { cause });

/** Deep equality that looks into secrets: another database password is another database. */
function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Secret && b instanceof Secret) return a.matches(b.reveal());
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [before, after] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return (
    before.size === after.size &&
    [...before].every(([key, value]) => after.has(key) && isSame(value, after.get(key)))
  );
}
