/**
 * Tells this process what others changed. Every change of a key or an account is an entry of the audit
 * log, whose ids have no gap and become visible in order, so whoever reads on from the last one it saw
 * misses none.
 */
import type { Clock, Timer } from '../clock.ts';
import type { SqlExecutor } from '../store/sql.ts';

/** Half a second at most until another process refuses a revoked key, a store's answer included. */
export const POLL_MS = 400;
/** Rows of one read; a poll reads on until there are fewer. */
const MAX_ROWS = 500;

/** What the audit log calls it, such as `key.revoke`, and the id of what was changed. */
export type Change = { readonly action: string; readonly subject: string };

export type ChangeFeedDeps = {
  readonly sql: Pick<SqlExecutor, 'query'>;
  readonly clock: Pick<Clock, 'every'>;
  /** Told once when polls begin to fail; each next one is tried all the same. */
  readonly onFailure: (thrown: unknown) => void;
};

export class ChangeFeed {
  readonly #deps: ChangeFeedDeps;
  readonly #listeners: ((change: Change) => void)[] = [];
  /** The last entry that was told; null until the log's end is known. */
  #last: bigint | null = null;
  #polling: Promise<void> | null = null;
  #timer: Timer | null = null;
  #isFailing = false;

  constructor(deps: ChangeFeedDeps) {
    this.#deps = deps;
  }

  /** Polls from now on. What was changed before the first poll is not told. */
  start(): void {
    this.#timer ??= this.#deps.clock.every(POLL_MS, () => void this.poll());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Reads what is new and tells it. Never rejects; asked again meanwhile, it is the same one. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  subscribe(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  async #poll(): Promise<void> {
    try {
      if (this.#last === null) this.#last = await this.#end();
      else await this.#readOn(this.#last);
      this.#isFailing = false;
    } catch (thrown) {
      if (!this.#isFailing) this.#deps.onFailure(thrown);
      this.#isFailing = true;
    }
  }

  async #end(): Promise<bigint> {
    const [row] = await this.#deps.sql.query({
      sql: 'SELECT COALESCE(MAX(id), 0) AS id FROM audit',
      params: [],
    });
    return BigInt(row?.['id']?.toString() ?? 0);
  }

  async #readOn(from: bigint): Promise<void> {
    let last = from;
    for (;;) {
      const rows = await this.#deps.sql.query({
        sql: 'SELECT id, action, subject FROM audit WHERE id > $1 ORDER BY id LIMIT $2',
        params: [last, MAX_ROWS],
      });
      for (const { id, action, subject } of rows) {
        if (typeof id !== 'bigint') throw new Error('The audit log has a row without a number.');
        last = id;
        // Kept before it is told: a listener that throws must not hear it for ever.
        this.#last = id;
        this.#notify({ action: String(action), subject: String(subject) });
      }
      if (rows.length < MAX_ROWS) return;
    }
  }

  #notify(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
