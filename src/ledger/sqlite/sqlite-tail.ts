/**
 * The tail: charges and checkpoints that are durable but not booked yet. A commit only appends a
 * row with its writes to `receipt_tail`. Later, the rows are booked in windows, each window in
 * several slices. The last slice of a window deletes the rows of the window. After a crash, booking
 * restarts at the first row and skips charges that have a receipt, so nothing is lost or booked
 * twice. The whole tail is booked before the database is read.
 */
import { isStoreFailure, type StoreFile } from '../../store/sqlite/store-file.ts';
import type { SqliteJournal } from './sqlite-journal.ts';
import type { SqliteSettlements } from './sqlite-settlements.ts';
import { SqliteSlice } from './sqlite-slice.ts';
import type { Statements } from './sqlite-statements.ts';
import { type Slice, TailWindow } from './tail-window.ts';

/**
 * Thrown when the tail could not be booked. The tail stays in the database, and the ledger must
 * refuse holds.
 */
export class TailNotBooked extends Error {
  override readonly name = 'TailNotBooked';
}

export type TailDeps = {
  readonly store: StoreFile;
  readonly sql: Statements;
  readonly journal: SqliteJournal;
  readonly settlements: SqliteSettlements;
  /** The minimum work of one slice, in the units of `SLICE_WORK`. */
  readonly sliceWork: number;
  /**
   * Called with the account of a charge that was skipped because its request already had a receipt.
   */
  readonly onRepeated: (accountId: string) => void;
};

/**
 * What is left to book. `window`: a full or started window, which must be booked without a pause.
 * `tail`: fewer rows, appended after the window was read, which can wait.
 */
export type Unbooked = 'nothing' | 'window' | 'tail';

export class SqliteTail {
  readonly #deps: TailDeps;
  /** The window that is being read and booked; null between two windows. */
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
   * a transaction that is rolled back after `read`.
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
   * Reads a part of the tail or books a slice, in about half a millisecond.
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
      throw new TailNotBooked(`durable charges cannot be booked: ${why}`, {
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
