/**
 * What is durable and not booked yet. A commit appends the text of its batch to `receipt_tail` and
 * reads nothing of it. Later, what is there is booked in slices, and the last slice deletes it.
 * After a crash it is booked again from its start, and charges that have a receipt are left out. So
 * a crash loses nothing and books nothing twice. Before the file is read, all of it is booked.
 */
import { isStoreFailure, type StoreFile } from '../../store/sqlite/store-file.ts';
import type { SqliteJournal } from './sqlite-journal.ts';
import type { SqliteSettlements } from './sqlite-settlements.ts';
import { SqliteSlice } from './sqlite-slice.ts';
import type { Statements } from './sqlite-statements.ts';
import { type Slice, TailWindow } from './tail-window.ts';

/** Reports that the tail could not be booked. It stays, and nothing may be sold. */
export class TailNotBooked extends Error {
  override readonly name = 'TailNotBooked';
}

export type TailDeps = {
  readonly store: StoreFile;
  readonly sql: Statements;
  readonly journal: SqliteJournal;
  readonly settlements: SqliteSettlements;
  /** The work of a slice, in the units of `SLICE_WORK`. */
  readonly sliceWork: number;
  /** Called with an account whose charge was not taken, since its request had a receipt. */
  readonly onRepeated: (accountId: string) => void;
};

/** What is left: nothing, the rest of what was read of the tail, or charges that came later. */
export type Unbooked = 'nothing' | 'window' | 'tail';

export class SqliteTail {
  readonly #deps: TailDeps;
  /** What was read of the tail and is being booked. */
  #window: TailWindow | null = null;

  constructor(deps: TailDeps) {
    this.#deps = deps;
  }

  /** Makes a batch durable. @throws SQLiteError when it is not, or may not be. */
  append(body: string): void {
    this.#deps.sql.appendToTail.run(body);
  }

  /** Books all. @throws TailNotBooked */
  bookAll(): void {
    while (this.bookSlice() !== 'nothing');
  }

  /**
   * Answers from the file as it would be with all booked. If it cannot be written, because the disk
   * is full, the tail is booked for this answer only. @throws TailNotBooked
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

  /** Reads some of the tail or books a slice, in about a millisecond. @throws TailNotBooked */
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
      throw new TailNotBooked(`charges that are durable cannot be booked: ${why}`, {
        cause: thrown,
      });
    }
    this.#window = null;
    // What came meanwhile is booked later, with more: large windows cost less.
    return window.left;
  }

  /** Books the tail from its start, in a transaction that is rolled back. */
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

  /** Books a slice in a transaction that must be rolled back if this throws. */
  #book({ writes, last }: Slice): void {
    const { sql, journal, settlements, onRepeated } = this.#deps;
    const slice = new SqliteSlice(sql, journal, settlements);
    for (const write of writes) slice.add(write);
    slice.finish();
    if (last !== null) sql.deleteFromTail.run(last);
    for (const accountId of slice.repeated) onRepeated(accountId);
  }
}
