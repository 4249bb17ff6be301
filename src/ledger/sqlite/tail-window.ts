/**
 * The charges of a part of the tail, in the order in which they are booked: all of one account
 * before those of the next. So a slice changes the wallet, the meters and the last index pages of a
 * few accounts only, and may be small.
 */
import type { WireWrite } from '../float/float-wire.ts';
import { accountIdOf } from '../receipt-row.ts';
import type { Statements } from './sqlite-statements.ts';

/** Most writes that are read before they are booked, so that they take a few megabytes at most. */
const WINDOW_WRITES = 4_096;
/** A step of reading ends after the commit with this write, after less than a millisecond. */
const READ_WRITES = 256;
/**
 * The work of a slice, in units of a charge of 12 to 15 µs. What charges of one account share
 * costs as much as two of them.
 */
export const SLICE_WORK = 48;
const ACCOUNT_WORK = 2;

export class TailWindow {
  readonly #sql: Statements;
  /** Changes of checkpoints, which come first: a charge deletes its request's checkpoint anyway. */
  readonly #checkpoints: WireWrite[] = [];
  readonly #charges = new Map<string, WireWrite[]>();
  #writes = 0;
  /** All writes in the order of booking, and the places at which those of an account begin. */
  #order: WireWrite[] = [];
  readonly #starts = new Set<number>();
  /** The place of the next write. */
  #at = 0;
  /** The row of the tail up to which was read. */
  #last: bigint;
  #isRead = false;

  /** @param after the row of the tail after which to read; 0: from its start. */
  constructor(sql: Statements, after = 0n) {
    this.#sql = sql;
    this.#last = after;
  }

  /** Reads some of the tail. Returns false when it is time to book what was read. */
  read(): boolean {
    if (this.#isRead) return false;
    const until = this.#writes + READ_WRITES;
    while (this.#writes < Math.min(until, WINDOW_WRITES)) {
      const next = this.#sql.nextInTail.get(this.#last);
      if (next === null) return this.#endReading();
      for (const write of JSON.parse(next.body) as WireWrite[]) this.#add(write);
      this.#last = next.seq;
    }
    return this.#writes < WINDOW_WRITES || this.#endReading();
  }

  /** What the tail has after what was read. Much, if reading had to end before. */
  get left(): 'nothing' | 'window' | 'tail' {
    if (this.#sql.nextInTail.get(this.#last) === null) return 'nothing';
    return this.#writes >= WINDOW_WRITES ? 'window' : 'tail';
  }

  /** Returns the next slice, of at least so much work. It stays the next one until it is `done`. */
  slice(least: number): Slice {
    let next = this.#at;
    for (let work = 0; work < least && next < this.#order.length; next += 1) {
      work += next === this.#at || this.#starts.has(next) ? 1 + ACCOUNT_WORK : 1;
    }
    const last = next === this.#order.length ? this.#last : null;
    return { writes: this.#order.slice(this.#at, next), last, next };
  }

  /** Goes on after a slice that was booked. */
  done({ next }: Slice): void {
    this.#at = next;
  }

  #endReading(): false {
    this.#order = this.#checkpoints;
    for (const charges of this.#charges.values()) {
      this.#starts.add(this.#order.length);
      this.#order.push(...charges);
    }
    this.#isRead = true;
    return false;
  }

  #add(write: WireWrite): void {
    this.#writes += 1;
    if (write[0] !== 'charge') {
      this.#checkpoints.push(write);
      return;
    }
    const accountId = accountIdOf(write[13]);
    const known = this.#charges.get(accountId);
    if (known === undefined) this.#charges.set(accountId, [write]);
    else known.push(write);
  }
}

/** Writes that are booked in one transaction. */
export type Slice = {
  readonly writes: readonly WireWrite[];
  /** In the last slice, the row up to which the tail is booked then; null in others. */
  readonly last: bigint | null;
  readonly next: number;
};
