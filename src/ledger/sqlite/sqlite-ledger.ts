/**
 * The ledger in a SQLite file. Commands run on the store's thread, which alone owns the file,
 * inside the transaction of their batch. So nothing changes between a command's reads and its
 * writes. A command is decided before its first write, so a refused command changes nothing. The
 * constraints of the schema also enforce the rules.
 */
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
  /**
   * The epoch that has the lease; null when none has. In this store, a lease ends when its process
   * leaves or another joins, but never by time. Only one process owns the file, and a clock that
   * jumps must not end its lease.
   */
  #live: string | null = null;

  constructor(store: StoreFile) {
    this.#store = store;
    const sql = statementsOn(store);
    const journal = new SqliteJournal(sql);
    this.#settlements = new SqliteSettlements(sql, journal);
    this.#holds = new SqliteHolds(sql, journal, this.#settlements);
    this.#walletCommands = new SqliteWalletCommands(sql, journal, (entry) => store.audit(entry));
  }

  /**
   * Applies a batch as one transaction, which is durable on return.
   * @throws SQLiteError when the file could not be written; then nothing of the batch is applied.
   */
  write(batch: readonly PreparedCommand[]): Reply[] {
    try {
      return this.#store.inTransaction(() => batch.map((command) => this.#apply(command)));
    } catch (thrown) {
      if (isStoreFailure(thrown)) throw thrown;
      // Runs each command in its own transaction, so that the failing command fails alone.
      return batch.map((command) => this.#writeAlone(command));
    }
  }

  /** Gives the lease to an epoch and ends any other lease. */
  join({ epoch, name, nowMs, untilMs }: Joining): void {
    const ended = 'UPDATE node SET lease_until_ms = $1 WHERE lease_until_ms > $1 AND epoch <> $2';
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

  /**
   * Returns whether the epoch has the lease, and extends it if so. The end that it stores is only
   * for readers of the file.
   */
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

  /**
   * Applies one command inside the transaction. If it throws, the transaction must be rolled back.
   */
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
