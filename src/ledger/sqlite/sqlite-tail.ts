/**
 * The tail: charges and checkpoints that are durable but not booked yet, that is, not yet in the
 * ledger's tables. A commit only appends a row with its writes to `receipt_tail`. Later, the rows
 * are read and booked in windows (parts of the tail). Each window is booked in several slices, each
 * in a transaction of its own. The last slice of a window deletes the rows of the window. After a
 * crash, booking restarts at the first row and skips charges that have a receipt, so nothing is
 * lost or booked twice. The whole tail is booked before the database is read.
 */
import { isStoreFailure, type StoreFile } from '../../store/sqlite/store-file.ts';
import type { SqliteJournal } from './sqlite-journal.ts';
import type { SqliteSettlements } from './sqlite-settlements.ts';
import { SqliteSlice } from './sqlite-slice.ts';
import type { Statements } from './sqlite-statements.ts';
import { type Slice, TailWindow } from './tail-window.ts';

/**
 * Thrown when the tail (the durable charges that are not booked yet) could not be booked. The tail
 * stays in the database, and the ledger must refuse holds.
 */
export class TailNotBooked extends Error {
  override readonly name = 'TailNotBooked';
}

export type TailDeps = {
  readonly store: StoreFile;
  readonly sql: Statements;
  readonly journal: SqliteJournal;
  readonly settlements: SqliteSettlements;
  /** The minimum work of one slice (one transaction of booking), in the units of `SLICE_WORK`. */
  readonly sliceWork: number;
  /**
   * Called with the account of a charge that was skipped because its request already had a receipt.
   */
  readonly onRepeated: (accountId: string) => void;
};

/**
 * What is left to book after a step. `window` means that a full window, or one that is partly
 * booked, is left. It must be booked without a pause. `tail` means that fewer rows are left, which
 * were appended after the window was read. They can wait.
 */
export type Unbooked = 'nothing' | 'window' | 'tail';

export class SqliteTail {
  readonly #deps: TailDeps;
  /**
   * The window, which is the part of the tail that is now being read and booked; null between two
   * windows.
   */
  #window: TailWindow | null = null;

  constructor(deps: TailDeps) {
    this.#deps = deps;
  }

  /** Makes a batch of writes durable. @throws SQLiteError when the batch may not be durable. */
  append(body: string): void {
    this.#deps.sql.appendToTail.run(body);
  }

  /** Books the whole tail. @throws TailNotBooked */
  bookAll(): void {
    while (this.bookSlice() !== 'nothing');
  }

  /**
   * Books the whole tail, then runs `read`. If booking fails because of the disk, books the tail in
   * a transaction that is rolled back after `read`, so that `read` sees all charges anyway.
   * @throws TailNotBooked
   */
  read<Result>(read: () => Result): Result {
    try {
      this.bookAll();
    } catch (thrown) {
      if (!(thrown instanceof TailNotBooked && isStoreFailure(thrown.cause))) throw thrown;
      const { store } = this.#deps;
      return store.inDiscardedTransaction(() => this.bookAllInTransaction(), read);
    }
    return read();
  }

  /**
   * Does one step of booking in about half a millisecond: reads a part of the tail, or books one
   * slice (one transaction) of what was read.
   * @throws TailNotBooked
   */
  bookSlice(): Unbooked {
    const { store, sql } = this.#deps;
    if (this.#window === null && sql.nextInTail.get(0) === null) return 'nothing';
    this.#window ??= new TailWindow(sql);
    const window = this.#window;
    try {
      if (window.read()) return 'window';
      const slice = window.slice(this.#deps.sliceWork);
      store.inUnflushedTransaction(() => this.#book(slice));
      window.done(slice);
      if (slice.last === null) return 'window';
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new TailNotBooked(`charges that are already on disk cannot be booked: ${why}`, {
        cause: thrown,
      });
    }
    this.#window = null;
    // Charges that were appended meanwhile are booked later, together with later charges of the
    // same accounts, which costs less.
    return window.left;
  }

  /** Books the whole tail in a transaction that the caller rolls back. */
  bookAllInTransaction(): void {
    const { sql } = this.#deps;
    for (let after: bigint | null = 0n; sql.nextInTail.get(after) !== null; ) {
      const window = new TailWindow(sql, after);
      while (window.read());
      for (after = null; after === null; ) {
        const slice = window.slice(this.#deps.sliceWork);
        this.#book(slice);
        window.done(slice);
        after = slice.last;
      }
    }
  }

  /** Books a slice. If this throws, the caller must roll back the transaction. */
  #book({ writes, last }: Slice): void {
    const { sql, journal, settlements, onRepeated } = this.#deps;
    const slice = new SqliteSlice(sql, journal, settlements);
    for (const write of writes) slice.add(write);
    slice.finish();
    if (last !== null) sql.deleteFromTail.run(last);
    for (const accountId of slice.repeated) onRepeated(accountId);
  }
}
