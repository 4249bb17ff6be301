/**
 * A window: a part of the tail, sorted for booking. All charges of one account come first, then
 * those of the next account. So a slice changes the wallets, meters and last index pages of only a
 * few accounts, and can be small.
 */
import type { WireWrite } from '../float/float-wire.ts';
import { accountIdOf } from '../receipt-row.ts';
import type { Statements } from './sqlite-statements.ts';

/**
 * The size of a window. The receipts of a window are spread over pages of the indexes of id and
 * time. Each slice changes all these pages, so a larger window costs more.
 */
const WINDOW = { writes: 1_024, commits: 16 } as const;
/** How much of the tail is read at a time, which takes a third of a millisecond. */
const STEP = { writes: 128, commits: 8 } as const;
/**
 * The minimum work of a slice. One charge is one unit (12 to 15 µs), and each account in the slice
 * adds two units (`ACCOUNT_WORK`).
 */
export const SLICE_WORK = 24;
const ACCOUNT_WORK = 2;
/**
 * The minimum writes of a slice, as a multiple of the writes of an average commit. A commit may
 * come between two slices, so this is above 1 to keep booking faster than the commits.
 */
const AHEAD = 1.5;

export class TailWindow {
  readonly #sql: Pick<Statements, 'nextInTail'>;
  /** Changes of checkpoints, booked first, because a charge deletes its request's checkpoint. */
  readonly #checkpoints: WireWrite[] = [];
  readonly #charges = new Map<string, WireWrite[]>();
  #writes = 0;
  #commits = 0;
  /** All writes in the order of booking. */
  #order: WireWrite[] = [];
  /** The indexes in `#order` at which the writes of an account start. */
  readonly #starts = new Set<number>();
  /** The index of the next write to book. */
  #at = 0;
  /** The number of the last row of the tail that was read. */
  #last: bigint;
  #isRead = false;

  /** @param after the row of the tail after which reading starts; 0 reads from the first row */
  constructor(sql: Pick<Statements, 'nextInTail'>, after = 0n) {
    this.#sql = sql;
    this.#last = after;
  }

  /** Reads some rows of the tail. Returns false when the window is ready to be booked. */
  read(): boolean {
    if (this.#isRead) return false;
    const [writes, commits] = [this.#writes, this.#commits];
    while (this.#writes < writes + STEP.writes || this.#commits < commits + STEP.commits) {
      const next = this.#isFull ? null : this.#sql.nextInTail.get(this.#last);
      if (next === null) return this.#endReading();
      for (const write of JSON.parse(next.body) as WireWrite[]) this.#add(write);
      this.#commits += 1;
      this.#last = next.seq;
    }
    return true;
  }

  /**
   * Whether the tail has rows after this window: `nothing` if it has no rows; `window` if this
   * window was full, so that the next one can begin at once; otherwise `tail`.
   */
  get left(): 'nothing' | 'window' | 'tail' {
    if (this.#sql.nextInTail.get(this.#last) === null) return 'nothing';
    return this.#isFull ? 'window' : 'tail';
  }

  /**
   * Returns the next slice, with at least `least` units of work if the window has that much left.
   * Returns the same slice again until `done` marks it.
   */
  slice(least: number): Slice {
    const ahead = this.#at + (AHEAD * this.#writes) / this.#commits;
    let next = this.#at;
    for (let work = 0; next < this.#order.length && (work < least || next < ahead); next += 1) {
      work += next === this.#at || this.#starts.has(next) ? 1 + ACCOUNT_WORK : 1;
    }
    const last = next === this.#order.length ? this.#last : null;
    return { writes: this.#order.slice(this.#at, next), last, next };
  }

  /** Marks a slice as booked. */
  done({ next }: Slice): void {
    this.#at = next;
  }

  get #isFull(): boolean {
    return this.#writes >= WINDOW.writes && this.#commits >= WINDOW.commits;
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
  /**
   * The last row of the tail in this window, if the slice is the last one of the window; otherwise
   * null.
   */
  readonly last: bigint | null;
  readonly next: number;
};
