/**
 * The snapshot in force. A saved file or SIGHUP makes a new one; a bad file keeps the old one and says
 * why. Requests that run keep the snapshot they began with.
 */
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock, Timer } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Catalogue } from './catalogue.ts';
import { loadCatalogue } from './load-catalogue.ts';

/** Editors write a file in several steps; one reload after the last is enough. */
const SETTLE_MS = 100;

/** What cannot be changed under way. */
const FIXED = ['listen', 'data_dir', 'database', 'images'] as const;

export type LiveCatalogueOptions = {
  readonly config: Config;
  readonly load: () => Config;
  readonly clock: Clock;
  /** Called with each new snapshot before it is in force; when it throws, the old one stays. */
  readonly prepare: (config: Config, catalogue: Catalogue) => Promise<void>;
  readonly onReloaded: (catalogue: Catalogue) => void;
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

  /** Watches the file until stopped. The folder is watched, since editors replace files by renaming. */
  watch(): { readonly stop: () => void } {
    const { clock } = this.#options;
    const name = basename(this.#config.file);
    let timer: Timer | null = null;
    const watcher = watch(dirname(this.#config.file), (_event, changed) => {
      if (changed !== name) return;
      timer?.cancel();
      timer = clock.after(SETTLE_MS, () => void this.reload());
    });
    watcher.unref();
    return {
      stop: () => {
        timer?.cancel();
        watcher.close();
      },
    };
  }

  async #reload(): Promise<void> {
    const { load, clock, prepare, onReloaded, onRefused, onNeedsRestart } = this.#options;
    try {
      const config = load();
      const catalogue = loadCatalogue(config, clock.nowMs());
      await prepare(config, catalogue);
      for (const setting of FIXED) {
        if (JSON.stringify(config[setting]) !== JSON.stringify(this.#config[setting]))
          onNeedsRestart(setting);
      }
      this.#config = config;
      this.#catalogue = catalogue;
      onReloaded(catalogue);
    } catch (thrown) {
      onRefused(thrown);
    }
  }
}
