/**
 * What is durable and not booked yet. A commit appends the text of its batch to `receipt_tail` and
 * reads nothing of it. Later, one transaction books a slice of the tail and deletes it, so a crash
 * loses nothing and books nothing twice. Before the file is read, all of it is booked.
 */
import { isStoreFailure, type StoreFile } from '../../store/sqlite/store-file.ts';
import type { WireWrite } from '../float/float-wire.ts';
import type { SqliteJournal } from './sqlite-journal.ts';
import type { SqliteSettlements } from './sqlite-settlements.ts';
import { SqliteSlice } from './sqlite-slice.ts';
import type { Statements } from './sqlite-statements.ts';

/** A slice ends after the commit with this write, so that no commit waits for long. */
const SLICE_WRITES = 500;

/** Reports that the tail could not be booked. It stays, and nothing may be sold. */
export class TailNotBooked extends Error {
  override readonly name = 'TailNotBooked';
}

export type TailDeps = {
  readonly store: StoreFile;
  readonly sql: Statements;
  readonly journal: SqliteJournal;
  readonly settlements: SqliteSettlements;
  /** Called with an account whose charge was not taken, since its request had a receipt. */
  readonly onRepeated: (accountId: string) => void;
};

export class SqliteTail {
  readonly #deps: TailDeps;

  constructor(deps: TailDeps) {
    this.#deps = deps;
  }

  /** Makes a batch durable. @throws SQLiteError when it is not, or may not be. */
  append(body: string): void {
    this.#deps.sql.appendToTail.run(body);
  }

  /** Books all. @throws TailNotBooked */
  bookAll(): void {
    while (this.bookSlice());
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
      return this.#deps.store.inDiscardedTransaction(() => {
        while (this.bookInTransaction());
      }, read);
    }
    return read();
  }

  /** Books the oldest commits. Returns whether more are left. @throws TailNotBooked */
  bookSlice(): boolean {
    const { store, sql } = this.#deps;
    if (sql.nextInTail.get(0) === null) return false;
    try {
      return store.inUnflushedTransaction(() => this.bookInTransaction());
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new TailNotBooked(`charges that are durable cannot be booked: ${why}`, {
        cause: thrown,
      });
    }
  }

  /** Books the oldest commits in a transaction that must be rolled back if this throws. */
  bookInTransaction(): boolean {
    const { sql, journal, settlements, onRepeated } = this.#deps;
    const slice = new SqliteSlice(sql, journal, settlements);
    let last = 0n;
    let next = sql.nextInTail.get(last);
    while (next !== null && slice.size < SLICE_WRITES) {
      for (const write of JSON.parse(next.body) as WireWrite[]) slice.add(write);
      last = next.seq;
      next = sql.nextInTail.get(last);
    }
    slice.finish();
    sql.deleteFromTail.run(last);
    for (const accountId of slice.repeated) onRepeated(accountId);
    return next !== null;
  }
}
