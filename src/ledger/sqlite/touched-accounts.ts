/**
 * Collects the accounts that statements have changed: their status, keys, spending periods, caps or
 * members' caps. The float (the accounts in memory) must load them again. Changes of wallets are
 * not collected, because only the ledger makes them, except refunds: the float may not know the
 * account of a refund, because the receipt may be written between its look-up and the refund.
 */
import type { StoreFile } from '../../store/sqlite/store-file.ts';
import type { Touched } from '../float/float-store.ts';

/**
 * Maximum accounts to return. If more have changed, the float (the accounts in memory) loads all
 * accounts again.
 */
const MAX_TOUCHED = 1_000;

/**
 * The statements that create a table and triggers in memory. They last as long as the connection.
 */
const WATCH = [
  'PRAGMA temp_store = MEMORY',
  'CREATE TEMP TABLE IF NOT EXISTS touched (account_id TEXT PRIMARY KEY) WITHOUT ROWID',
  `CREATE TEMP TRIGGER IF NOT EXISTS account_is_touched AFTER UPDATE OF status ON main.account BEGIN
     INSERT OR IGNORE INTO touched VALUES (new.id);
   END`,
  `CREATE TEMP TRIGGER IF NOT EXISTS key_is_touched AFTER UPDATE OF status, expires_at_ms ON main.api_key BEGIN
     INSERT OR IGNORE INTO touched VALUES (new.account_id);
   END`,
  // A charge only moves a spending period forward in time. If a period moves back, another command
  // has reset it.
  `CREATE TEMP TRIGGER IF NOT EXISTS meter_is_touched AFTER UPDATE OF cap_day, cap_week, cap_month, cap_total
   ON main.spend_meter BEGIN
     INSERT OR IGNORE INTO touched SELECT COALESCE(
       (SELECT account_id FROM api_key WHERE id = new.owner_id), new.owner_id);
   END`,
  `CREATE TEMP TRIGGER IF NOT EXISTS window_is_reset AFTER UPDATE OF day, week, month ON main.spend_meter
   WHEN new.day < old.day OR new.week < old.week OR new.month < old.month BEGIN
     INSERT OR IGNORE INTO touched SELECT COALESCE(
       (SELECT account_id FROM api_key WHERE id = new.owner_id), new.owner_id);
   END`,
  `CREATE TEMP TRIGGER IF NOT EXISTS account_is_refunded AFTER INSERT ON main.refund BEGIN
     INSERT OR IGNORE INTO touched SELECT account_id FROM receipt WHERE request_id = new.request_id;
   END`,
  ...['INSERT', 'UPDATE', 'DELETE'].map(
    (
      change,
    ) => `CREATE TEMP TRIGGER IF NOT EXISTS member_cap_is_touched_by_${change} AFTER ${change}
   ON main.member_cap BEGIN
     INSERT OR IGNORE INTO touched VALUES (${change === 'DELETE' ? 'old' : 'new'}.account_id);
   END`,
  ),
];

export class TouchedAccounts {
  readonly #count;
  readonly #take;
  readonly #clear;
  readonly #add;

  constructor(store: StoreFile) {
    for (const sql of WATCH) store.query({ sql, params: [] });
    this.#count = store.prepare<{ n: bigint }>('SELECT COUNT(*) AS n FROM touched');
    this.#take = store.prepare<{ account_id: string }>('SELECT account_id FROM touched');
    this.#clear = store.prepare<never>('DELETE FROM touched');
    this.#add = store.prepare<never>('INSERT OR IGNORE INTO touched VALUES (?1)');
  }

  /** Adds an account. Runs in the caller's transaction. */
  add(accountId: string): void {
    this.#add.run(accountId);
  }

  /**
   * Returns the accounts that have changed since the last call; null if there are too many to list.
   */
  take(): Touched {
    const count = this.#count.get()?.n ?? 0n;
    if (count === 0n) return NONE;
    const touched = this.#take.all().map(({ account_id: id }) => id);
    this.#clear.run();
    return touched.length > MAX_TOUCHED ? null : touched;
  }
}

const NONE: Touched = [];
