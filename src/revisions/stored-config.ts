/**
 * Makes this node use the newest revision of the settings in the database. A revision is applied
 * completely or not at all. A running node never goes back to an older revision.
 */
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Clock, Timer } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Document, StoredDocument } from '../config/document/document.ts';
import { inSlices, type Steps } from '../config/document/steps.ts';
import { ConfigError } from '../config/problem.ts';
import { type ConfigRevisions, documentText, type Revision } from './config-revisions.ts';
import { FileComparison } from './file-comparison.ts';

/** How often each node reads the number of the newest revision. */
export const POLL_MS = 2_000;
/** How long a node waits before it retries a revision that it could not apply. */
export const RETRY_MS = 30_000;
/**
 * Maximum older revisions to try at the start, if the newest one has settings that only another
 * version of the program knows.
 */
const MAX_OLDER = 20;

/** Functions that read the node's own file, and that check a document together with it. */
export type DocumentSource = {
  /** Returns the part of the file that becomes the first revision. @throws ConfigError */
  readonly ofFile: () => Document;
  /** Checks a document together with the start settings of the file. @throws ConfigError */
  readonly steps: (stored: StoredDocument) => Steps<Config>;
};

export type StoredConfigDeps = {
  readonly revisions: ConfigRevisions;
  readonly source: DocumentSource;
  readonly clock: Clock;
  /** The epoch, the unique id of this process's current lease. */
  readonly epoch: () => string;
  readonly log: Readonly<Record<'info' | 'warn', (fields: object, message: string) => void>>;
};

export class StoredConfig {
  readonly #deps: StoredConfigDeps;
  /** The newest revision that this node has read; 0 before the first. */
  #read = 0;
  /**
   * The checksums of the documents that this node has read last, and that it uses. A database that
   * lost its newest revision, for example by a failover, gives its number to another document.
   */
  #readChecksum = '';
  #usedChecksum = '';
  readonly #file: FileComparison;
  /** The revision that could not be applied, and the time to retry it. */
  #failed: { readonly revision: number; readonly retryAtMs: number } | null = null;
  #reason = '';
  #offered: { readonly revision: number; readonly config: Config } | null = null;
  #polling: Promise<void> | null = null;
  #timer: Timer | null = null;
  #isAway = false;

  constructor(deps: StoredConfigDeps) {
    this.#deps = deps;
    this.#file = new FileComparison(deps);
  }

  /** The shared reader of revisions, which caches the newest document. */
  get revisions(): ConfigRevisions {
    return this.#deps.revisions;
  }

  /**
   * Stores the file as revision 1, unless the database already has a revision.
   * @param check reads and checks the complete file.
   * @throws the error of `check`.
   */
  async seed(check: () => Pick<Config, 'file'> | Promise<Pick<Config, 'file'>>): Promise<void> {
    const { revisions, source, log } = this.#deps;
    if ((await revisions.newestNumber()) > 0) return;
    const { file } = await check();
    const note = `first start, from ${file}`;
    const document = source.ofFile();
    const text = documentText(document);
    const from = { origin: 'file', changes: null } as const;
    const seeded = { base: 0, document, text, actor: 'system', note, ...from, detail: { note } };
    // If another node stored the first revision in the meantime, that revision applies.
    const revision = await revisions.add(seeded);
    if (revision !== null) log.info({ revision, file }, 'the file is now kept in the database');
  }

  /**
   * Reads and checks the newest revision.
   * @throws ConfigError, or Error if the store returns an older revision than before.
   */
  async load(): Promise<Config> {
    const newest = await this.#deps.revisions.newest();
    if (newest === null || newest.revision < this.#read) {
      throw new Error(
        `the database has revision ${newest?.revision ?? 0} of the configuration, but this ` +
          `node has read revision ${this.#read}; restart the node to run the older revision`,
      );
    }
    const config = await this.#settingsOf(newest);
    this.#read = newest.revision;
    this.#readChecksum = newest.checksum;
    await this.#file.compare(newest, config.file);
    return config;
  }

  /**
   * Loads the settings when the process starts. If the newest revision has settings that only
   * another version of the program knows, falls back to the newest revision that this version can
   * read. Running nodes of this version still use that revision, too.
   */
  async loadFirst(): Promise<Config> {
    try {
      const config = await this.load();
      this.#usedChecksum = this.#readChecksum;
      return config;
    } catch (thrown) {
      if (!(thrown instanceof ConfigError && thrown.isOfAnotherVersion)) throw thrown;
      return (await this.#loadOlder(thrown)) ?? Promise.reject(thrown);
    }
  }

  async #loadOlder({ message }: ConfigError): Promise<Config | null> {
    const { revisions, log, clock, epoch } = this.#deps;
    const [newest, ...older] = await revisions.list(MAX_OLDER + 1, null);
    for (const { revision } of older) {
      const config = await this.#settingsAt(revision);
      if (config === null || newest === undefined) continue;
      this.#read = revision;
      this.#failed = { revision: newest.revision, retryAtMs: clock.monotonicMs() + RETRY_MS };
      log.warn(
        { revision, newest: newest.revision, problems: message },
        'the newest revision of the configuration has settings that only another version knows; ' +
          'an older one is in force',
      );
      await revisions.reportFailure(epoch(), `revision ${newest.revision}: ${message}`);
      return config;
    }
    return null;
  }

  /**
   * Returns the settings of a revision. Returns null if the revision does not exist, or if this
   * version of the gateway cannot read it.
   */
  async #settingsAt(revision: number): Promise<Config | null> {
    const stored = await this.#deps.revisions.at(revision);
    try {
      return stored === null ? null : await this.#settingsOf(stored);
    } catch (thrown) {
      if (thrown instanceof ConfigError) return null;
      throw thrown;
    }
  }

  /**
   * Applies a revision that this node has just stored. `config` contains the revision's settings,
   * already checked.
   */
  async follow(live: LiveCatalogue, revision: number, config: Config): Promise<void> {
    this.#offered = { revision, config };
    await this.poll(live);
    // `poll` may have returned a poll that began before this revision was stored, so poll again.
    if ((live.config.revision ?? 0) < revision) await this.poll(live);
    this.#offered = null;
  }

  start(live: LiveCatalogue): void {
    this.#timer ??= this.#deps.clock.every(POLL_MS, () => void this.poll(live));
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /**
   * Applies the newest revision unless this node already uses it. Never rejects. Concurrent calls
   * share one poll.
   */
  poll(live: LiveCatalogue): Promise<void> {
    this.#polling ??= this.#poll(live).finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  /** Records why new settings were refused, for the failure report. The node keeps its settings. */
  refused(reason: unknown): void {
    this.#reason = reason instanceof Error ? reason.message : String(reason);
  }

  async #poll(live: LiveCatalogue): Promise<void> {
    const { revisions, clock, log } = this.#deps;
    try {
      const { revision, checksum } = (await revisions.newestMark()) ?? {
        revision: 0,
        checksum: '',
      };
      this.#isAway = false;
      const before = live.config;
      if (revision === before.revision && checksum === this.#usedChecksum)
        return await this.#settled();
      const failed = this.#failed;
      if (failed?.revision === revision && clock.monotonicMs() < failed.retryAtMs) return;
      await live.reload();
      if (live.config !== before) {
        this.#usedChecksum = this.#readChecksum;
        return await this.#settled();
      }
      this.#failed = { revision, retryAtMs: clock.monotonicMs() + RETRY_MS };
      await revisions.reportFailure(this.#deps.epoch(), `revision ${revision}: ${this.#reason}`);
    } catch (thrown) {
      if (!this.#isAway) log.warn({ err: thrown }, 'reading the configuration failed; retrying');
      this.#isAway = true;
    }
  }

  async #settingsOf(revision: Revision): Promise<Config> {
    const offered = this.#offered;
    this.#offered = null;
    if (offered?.revision === revision.revision) return offered.config;
    return await inSlices(this.#deps.source.steps(revision), this.#deps.clock);
  }

  async #settled(): Promise<void> {
    if (this.#failed === null) return;
    await this.#deps.revisions.reportFailure(this.#deps.epoch(), null);
    this.#failed = null;
  }
}
