/** The ledger in SQLite, on the store's thread. A refused command changes nothing. */
import { GatewayError } from '../../errors.ts';
import { ZERO } from '../../money/amount.ts';
import { isStoreFailure, type StoreFile } from '../../store/sqlite/store-file.ts';
import type { MemberSheet } from '../float/account-state.ts';
import type { Joining, LostStream, Sheets } from '../float/float-store.ts';
import type { FloatWrite } from '../float/float-wire.ts';
import type { Outcome } from '../ledger.ts';
import { REAP_BATCH } from '../settlement-plan.ts';
import type { Fault, Reply } from '../wire.ts';
import { SqliteJournal } from './sqlite-journal.ts';
import { SqliteSettlements } from './sqlite-settlements.ts';
import { type Statements, statementsOn } from './sqlite-statements.ts';
import { SqliteTail } from './sqlite-tail.ts';
import { SqliteWalletCommands } from './sqlite-wallet-commands.ts';

export class SqliteLedger {
  readonly #store: StoreFile;
  readonly #sql: Statements;
  readonly #journal: SqliteJournal;
  readonly #settlements: SqliteSettlements;
  readonly #walletCommands: SqliteWalletCommands;
  /**
   * The writes that are durable but not yet booked, that is, not yet applied to wallets and
   * receipts. They must be booked before any method is called.
   */
  readonly tail: SqliteTail;
  /** The epoch that has the lease; null if none. It does not expire, because a clock may jump. */
  #live: string | null = null;

  constructor(store: StoreFile, sliceWork: number, onRepeated: (accountId: string) => void) {
    this.#store = store;
    this.#sql = statementsOn(store);
    this.#journal = new SqliteJournal(this.#sql);
    this.#settlements = new SqliteSettlements(this.#sql, this.#journal);
    this.#walletCommands = new SqliteWalletCommands(this.#sql, this.#journal, (entry) =>
      store.audit(entry),
    );
    const deps = { store, sql: this.#sql, journal: this.#journal, settlements: this.#settlements };
    this.tail = new SqliteTail({ ...deps, sliceWork, onRepeated });
  }

  /**
   * Applies a batch as one durable transaction or, if a command fails, each command in its own.
   * @throws SQLiteError when nothing was written.
   */
  write(batch: readonly FloatWrite[]): Reply[] {
    try {
      return this.#store.inTransaction(() => batch.map((command) => this.#apply(command)));
    } catch (thrown) {
      if (isStoreFailure(thrown)) throw thrown;
      // Runs each command in its own transaction, so that the failing command fails alone.
      return batch.map((command) => this.#writeAlone(command));
    }
  }

  /**
   * Returns the amounts that an account and one of its keys may spend; null for an account or key
   * that does not exist.
   */
  sheets(accountId: string, keyId: string): Sheets {
    const account = this.#sql.account.get(accountId);
    const meter = this.#sql.meter.get(accountId);
    if (account === null || meter === null) return { account: null, key: null };
    const [USD, CNY] = [
      this.#journal.wallet(accountId, 'USD'),
      this.#journal.wallet(accountId, 'CNY'),
    ];
    const key = this.#sql.key.get(keyId);
    const keyMeter = this.#sql.meter.get(keyId);
    return {
      account: {
        isActive: account.status === 'active',
        careful: Number(account.careful),
        wallets: { USD, CNY },
        meter,
      },
      key:
        key === null || keyMeter === null || key.account_id !== accountId
          ? null
          : {
              isActive: key.status === 'active',
              expiresAtMs: key.expires_at_ms === null ? null : Number(key.expires_at_ms),
              meter: keyMeter,
              member: this.#member(accountId, key.created_by),
            },
    };
  }

  /** Returns up to `REAP_BATCH` streams with a checkpoint whose process does not have the lease. */
  lost(live: string | null): readonly LostStream[] {
    return this.#sql.lostCheckpoints
      .all(live ?? '', REAP_BATCH)
      .map(({ id, account_id: accountId }) => ({ id, accountId }));
  }

  /**
   * Gives the lease to an epoch until it leaves or another epoch joins. Sets the end of every other
   * lease to 0, so that the Idempotency-Keys of earlier processes are not in doubt. This is safe,
   * because this process has already sent the charges that earlier processes left on disk.
   */
  join({ epoch, name, nowMs, untilMs }: Joining): void {
    const ended = `UPDATE node SET lease_until_ms = 0, catalogue = NULL
      WHERE (lease_until_ms > 0 OR catalogue IS NOT NULL) AND epoch <> $1`;
    const taken = `INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (epoch) DO UPDATE SET lease_until_ms = excluded.lease_until_ms`;
    const statements = [
      { sql: ended, params: [epoch] },
      { sql: taken, params: [epoch, name, nowMs, untilMs] },
    ];
    this.#store.transaction(statements, null);
    this.#live = epoch;
  }

  /**
   * Returns whether the epoch has the lease. Stores `untilMs` only to inform readers of the
   * database.
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

  /** Applies a command inside a transaction, which must be rolled back if this method throws. */
  #apply(command: FloatWrite): Outcome {
    this.#journal.reserve('reserved' in command ? command.reserved : null);
    switch (command.kind) {
      case 'charge':
        return this.#settlements.charge(command);
      case 'late':
        return this.#settlements.settle(command);
      case 'lost':
        return this.#settlements.reap(command);
      case 'checkpoint':
        this.#settlements.keep(command);
        return NOTHING_MOVED;
      case 'forget':
        this.#settlements.forget(command.id);
        return NOTHING_MOVED;
      case 'order':
        return this.#walletCommands.apply(command.command);
    }
  }

  #member(accountId: string, personId: string | null): MemberSheet | null {
    const caps = personId === null ? null : this.#sql.memberCaps.get(accountId, personId);
    if (caps === null) return null;
    const meters = this.#sql.memberMeters.all(accountId, personId);
    return { caps, keys: meters.map((meter) => ({ id: meter.owner_id, meter })) };
  }

  #writeAlone(command: FloatWrite): Reply {
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

const NOTHING_MOVED: Outcome = {
  status: 'applied',
  result: { amount: ZERO, available: ZERO, loss: ZERO },
};

function faultOf(thrown: unknown): Fault {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof GatewayError) {
    return { status: 'fault', code: thrown.code, message, param: thrown.param };
  }
  const code = isStoreFailure(thrown) ? 'store_unavailable' : 'internal_error';
  return { status: 'fault', code, message, param: null };
}
