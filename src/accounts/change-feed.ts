/**
 * Reports every change that any process, including this one, records in the audit log. It polls the
 * log, and each poll reads the entries after the last reported id. It misses no entry, since
 * entries are committed in the order of their ids. A change that was already reversed when it is
 * read is not reported, because it would end requests that have begun since.
 *
 * A failover to a standby without the newest commits loses entries that were reported. Then any
 * object may differ from what this process knows, which `LOST` reports.
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

/** Reported instead of a change when entries of the log that were reported before are lost. */
export const LOST: Change = { action: 'audit.lost', subject: '' };

/** Whether the change may concern actions that begin with `start`. */
export const concerns = (change: Change, start: string): boolean =>
  change === LOST || change.action.startsWith(start);

/** The last reported entry. Its hash covers all entries before it. */
type Place = { readonly id: bigint; readonly hash: string };

export type ChangeFeedDeps = {
  readonly sql: Pick<SqlExecutor, 'query'>;
  readonly clock: Pick<Clock, 'every'>;
  /** Called for the first of several consecutive failed polls. Polling continues. */
  readonly onFailure: (thrown: unknown) => void;
  /** Called before `LOST` is reported. If it fails, the next poll calls it again. */
  readonly onLost?: () => Promise<void>;
};

export class ChangeFeed {
  readonly #deps: ChangeFeedDeps;
  readonly #listeners: ((change: Change) => void)[] = [];
  /** The last reported entry; null before the log is read for the first time. */
  #last: Place | null = null;
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

  async #end(): Promise<Place> {
    const [row] = await this.#deps.sql.query(
      statement`SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1`,
    );
    return row === undefined ? START : placeOf(row);
  }

  async #readOn(from: Place): Promise<void> {
    let last = from;
    for (;;) {
      // The first row is the last reported entry again, unless the log has lost it.
      const found = await this.#deps.sql.query(statement`SELECT id, hash, action, subject FROM audit
        WHERE id >= ${last.id} ORDER BY id LIMIT ${MAX_ROWS + 1}`);
      const [first] = found;
      const isStart = last === START;
      if (!isStart && (first === undefined || placeOf(first).hash !== last.hash))
        return await this.#lost();
      const rows = isStart ? found : found.slice(1);
      for (const [at, row] of rows.entries()) {
        const { action, subject } = row;
        // The place is stored before the call, so that a change is reported only once, even if a
        // listener throws.
        last = placeOf(row);
        this.#last = last;
        const reversal = REVERSED_BY.get(action);
        const isReversal = (row: SqlRow): boolean =>
          row['action'] === reversal && row['subject'] === subject;
        const isReversed = reversal !== undefined && rows.slice(at).some(isReversal);
        if (!isReversed) this.#notify({ action: String(action), subject: String(subject) });
      }
      if (rows.length < MAX_ROWS) return;
    }
  }

  async #lost(): Promise<void> {
    const end = await this.#end();
    await this.#deps.onLost?.();
    this.#last = end;
    this.#notify(LOST);
  }

  #notify(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** The place before the first entry. */
const START: Place = { id: 0n, hash: '' };

function placeOf(row: SqlRow): Place {
  const { id, hash } = row;
  if (typeof id !== 'bigint' || !(hash instanceof Uint8Array))
    throw new Error('A row of the audit log has an id or a hash of another type.');
  return { id, hash: Buffer.from(hash).toString('hex') };
}
