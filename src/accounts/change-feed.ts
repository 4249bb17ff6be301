/**
 * Reports every change that any process, including this one, records in the audit log. It polls the
 * log, and each poll reads the entries after the last reported id. It misses no entry, since
 * entries are committed in the order of their ids. A change that was already reversed when it is
 * read is not reported, because it would end requests that have begun since.
 */
import type { Clock, Timer } from '../clock.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';

/** The poll interval. It makes every node refuse a revoked key within 0.5 s, query included. */
export const POLL_MS = 400;
/** The maximum number of rows per query. A poll repeats its query until it gets fewer rows. */
const MAX_ROWS = 500;

/** Maps actions to those that reverse them. */
const REVERSED_BY: ReadonlyMap<unknown, string> = new Map([
  ['key.disable', 'key.enable'],
  ['account.suspend', 'account.restore'],
]);

/** The action of an audit entry, such as `key.revoke`, and the id of the changed object. */
export type Change = { readonly action: string; readonly subject: string };

export type ChangeFeedDeps = {
  readonly sql: Pick<SqlExecutor, 'query'>;
  readonly clock: Pick<Clock, 'every'>;
  /** Called for the first of several consecutive failed polls. Polling continues. */
  readonly onFailure: (thrown: unknown) => void;
};

export class ChangeFeed {
  readonly #deps: ChangeFeedDeps;
  readonly #listeners: ((change: Change) => void)[] = [];
  /** The id of the last reported entry; null before the log is read for the first time. */
  #last: bigint | null = null;
  #polling: Promise<void> | null = null;
  #timer: Timer | null = null;
  #isFailing = false;

  constructor(deps: ChangeFeedDeps) {
    this.#deps = deps;
  }

  /** Starts polling. Changes made before the first poll are not reported. */
  start(): void {
    this.#timer ??= this.#deps.clock.every(POLL_MS, () => void this.poll());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Reads and reports new changes. Never rejects; concurrent calls share one poll. */
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
    const [row] = await this.#deps.sql.query(statement`SELECT COALESCE(MAX(id), 0) AS id
      FROM audit`);
    return BigInt(row?.['id']?.toString() ?? 0);
  }

  async #readOn(from: bigint): Promise<void> {
    let last = from;
    for (;;) {
      const rows = await this.#deps.sql.query(statement`SELECT id, action, subject FROM audit
        WHERE id > ${last} ORDER BY id LIMIT ${MAX_ROWS}`);
      for (const [at, { id, action, subject }] of rows.entries()) {
        if (typeof id !== 'bigint')
          throw new Error('A row of the audit log has an id that is not an integer.');
        last = id;
        // The id is stored before the call, so that a change is reported only once, even if a
        // listener throws.
        this.#last = id;
        const reversal = REVERSED_BY.get(action);
        const isReversal = (row: SqlRow): boolean =>
          row['action'] === reversal && row['subject'] === subject;
        const isReversed = reversal !== undefined && rows.slice(at).some(isReversal);
        if (!isReversed) this.#notify({ action: String(action), subject: String(subject) });
      }
      if (rows.length < MAX_ROWS) return;
    }
  }

  #notify(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
