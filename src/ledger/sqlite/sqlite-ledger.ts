/** The ledger in a SQLite file, on the store's thread. A refused command changes nothing. */
import { GatewayError } from '../../errors.ts';
import { isStoreFailure, type StoreFile } from '../../store/sqlite/store-file.ts';
import type { NodeIdentity, Outcome, Reaped } from '../ledger.ts';
import type { Fault, PreparedCommand, Reply } from '../wire.ts';
import { SqliteHolds } from './sqlite-holds.ts';
import { SqliteJournal } from './sqlite-journal.ts';
import { SqliteSettlements } from './sqlite-settlements.ts';
import { statementsOn } from './sqlite-statements.ts';
import { SqliteWalletCommands } from './sqlite-wallet-commands.ts';

export type Joining = NodeIdentity & { readonly nowMs: number; readonly untilMs: number };

export class SqliteLedger {
  readonly #store: StoreFile;
  readonly #holds: SqliteHolds;
  readonly #settlements: SqliteSettlements;
  readonly #walletCommands: SqliteWalletCommands;
  /** The epoch that has the lease, which never ends by time, because a clock may jump. */
  #live: string | null = null;

  constructor(store: StoreFile) {
    this.#store = store;
    const sql = statementsOn(store);
    const journal = new SqliteJournal(sql);
    this.#settlements = new SqliteSettlements(sql, journal);
    this.#holds = new SqliteHolds(sql, journal, this.#settlements);
    this.#walletCommands = new SqliteWalletCommands(sql, journal, (entry) => store.audit(entry));
  }

  /** Applies a batch as one durable transaction. @throws SQLiteError when nothing was written. */
  write(batch: readonly PreparedCommand[]): Reply[] {
    try {
      return this.#store.inTransaction(() => batch.map((command) => this.#apply(command)));
    } catch (thrown) {
      if (isStoreFailure(thrown)) throw thrown;
      // Runs each command in its own transaction, so that the failing command fails alone.
      return batch.map((command) => this.#writeAlone(command));
    }
  }

  /** Gives the lease to an epoch until another epoch joins, and ends every other lease. */
  join({ epoch, name, nowMs, untilMs }: Joining): void {
    const ended = `UPDATE node SET lease_until_ms = MIN(lease_until_ms, $1), catalogue = NULL
      WHERE (lease_until_ms > $1 OR catalogue IS NOT NULL) AND epoch <> $2`;
    const taken = `INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (epoch) DO UPDATE SET lease_until_ms = excluded.lease_until_ms`;
    const statements = [
      { sql: ended, params: [nowMs, epoch] },
      { sql: taken, params: [epoch, name, nowMs, untilMs] },
    ];
    this.#store.transaction(statements, null);
    this.#live = epoch;
  }

  /** Returns whether the epoch has the lease. Stores its new end only for readers of the file. */
  renew({ epoch, untilMs }: { readonly epoch: string; readonly untilMs: number }): boolean {
    if (this.#live !== epoch) return false;
    this.#endLeaseAt(epoch, untilMs);
    return true;
  }

  leave({ epoch, nowMs }: { readonly epoch: string; readonly nowMs: number }): void {
    if (this.#live !== epoch) return;
    this.#endLeaseAt(epoch, nowMs);
    this.#live = null;
  }

  /** Resolves lost holds as `Ledger.reap` describes. */
  reap(nowMs: number): Reaped {
    return this.#store.inTransaction(() => this.#settlements.reap(this.#live, nowMs));
  }

  /** Applies a command inside a transaction, which must be rolled back if this method throws. */
  #apply(command: PreparedCommand): Outcome {
    switch (command.kind) {
      case 'hold':
        return this.#holds.hold(command, this.#live);
      case 'extend':
        return this.#holds.extend(command);
      case 'settle':
        return this.#settlements.settle(command);
      case 'void':
        return this.#holds.void(command);
      default:
        return this.#walletCommands.apply(command);
    }
  }

  #writeAlone(command: PreparedCommand): Reply {
    try {
      return this.#store.inTransaction(() => this.#apply(command));
    } catch (thrown) {
      return faultOf(thrown);
    }
  }

  #endLeaseAt(epoch: string, atMs: number): void {
    const sql = 'UPDATE node SET lease_until_ms = $1 WHERE epoch = $2';
    this.#store.transaction([{ sql, params: [atMs, epoch] }], null);
  }
}

function faultOf(thrown: unknown): Fault {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof GatewayError) {
    return { status: 'fault', code: thrown.code, message, param: thrown.param };
  }
  const code = isStoreFailure(thrown) ? 'store_unavailable' : 'internal_error';
  return { status: 'fault', code, message, param: null };
}
