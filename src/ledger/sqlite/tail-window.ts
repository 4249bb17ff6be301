/**
 * A window: a part of the tail (the durable charges that are not booked yet), sorted by account for
 * booking. It is booked in slices, each in one transaction. Because of the order, each slice
 * changes the wallets, meters and last index pages of only a few accounts, and its transaction is
 * short.
 */
import type { WireWrite } from '../float/float-wire.ts';
import { accountIdOf } from '../receipt-row.ts';
import type { Statements } from './sqlite-statements.ts';

/**
 * A window is full when it has at least this many writes and commits. Windows are limited, because
 * the receipts of one slice are scattered over the ids and times of the whole window. Each slice
 * therefore changes all pages of the window's receipts in the indexes on id and time. A slice of a
 * larger window would change more pages.
 */
const WINDOW = { writes: 1_024, commits: 16 } as const;
/** One call of `read` reads at least this much, unless less is left. It takes about 0.3 ms. */
const STEP = { writes: 128, commits: 8 } as const;
/**
 * The minimum work of a slice (one transaction of booking), in units. A charge is one unit (12 to
 * 15 µs), and each account in the slice adds two (`ACCOUNT_WORK`).
 */
export const SLICE_WORK = 24;
const ACCOUNT_WORK = 2;
/**
 * The minimum number of writes in a slice (the writes that one transaction books), as a multiple of
 * the writes in an average commit. One commit may arrive between two slices, so booking only keeps
 * up if a slice is larger than a commit.
 */
const AHEAD = 1.5;

export class TailWindow {
  readonly #sql: Pick<Statements, 'nextInTail'>;
  /**
   * Writes of checkpoints. They are booked before the charges, because a charge deletes its
   * request's checkpoint.
   */
  readonly #checkpoints: WireWrite[] = [];
  readonly #charges = new Map<string, WireWrite[]>();
  #writes = 0;
  #commits = 0;
  /** All writes in the order of booking. */
  #order: WireWrite[] = [];
  /** The indexes in `#order` of the first charge of each account. */
  readonly #starts = new Set<number>();
  /** The index of the next write to book. */
  #at = 0;
  /** The sequence number of the last row of the tail that was read. */
  #last: bigint;
  #isRead = false;

  /**
   * @param after the sequence number of the row after which reading starts; 0 starts at the first
   *   row
   */
  constructor(sql: Pick<Statements, 'nextInTail'>, after = 0n) {
    this.#sql = sql;
    this.#last = after;
  }

  /** Reads the next rows of the tail. Returns false when the window is ready to be booked. */
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
   * What the tail has after this window. `nothing` means that no rows are left. `window` means that
   * rows are left and this window was full, so the next window must begin at once. `tail` means
   * that the remaining rows can wait.
   */
  get left(): 'nothing' | 'window' | 'tail' {
    if (this.#sql.nextInTail.get(this.#last) === null) return 'nothing';
    return this.#isFull ? 'window' : 'tail';
  }

  /**
   * Returns the next slice. It has at least `least` units of work, unless less is left in the
   * window. Until `done` is called, every call returns the same slice.
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
   * The sequence number of the window's last row if this is the last slice of the window, which
   * then deletes the window's rows; otherwise null.
   */
  readonly last: bigint | null;
  readonly next: number;
};
