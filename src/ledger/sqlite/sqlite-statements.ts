/** The prepared statements of the ledger in SQLite. The other files of this folder run them. */
import type { Currency } from '../../money/amount.ts';
import { CHARGE_COLUMNS, RECEIPT_COLUMNS, withColumns } from '../../store/columns.ts';
import type { StoreFile } from '../../store/sqlite/store-file.ts';
import type { Member, Meter } from '../meter.ts';

export type WalletRow = {
  readonly balance: bigint;
  /**
   * The money in holds and unconfirmed charges. It is not a column, because only memory knows it.
   */
  readonly held: bigint;
  readonly floor: bigint;
};

/**
 * `careful` is the number of answers that must still stay within their holds before the account may
 * again have several holds at a time; 0 if it may.
 */
type AccountRow = { readonly status: string; readonly careful: bigint };

type KeyRow = {
  readonly account_id: string;
  readonly status: string;
  readonly expires_at_ms: bigint | null;
  readonly created_by: string | null;
};

export type RateRow = {
  readonly base: Currency;
  readonly quote: Currency;
  readonly scaled: bigint;
};

export type CheckpointRow = HeldTerms & {
  readonly charge: bigint | null;
  readonly receipt: string | null;
};

/** The account, key and currency of a charge, and the amount of its hold. */
export type HeldTerms = {
  readonly account_id: string;
  readonly key_id: string;
  readonly currency: Currency;
  readonly held: bigint;
  /**
   * The id of the exchange rate at which the other wallet may pay; null if the other wallet must
   * not pay.
   */
  readonly exchange_id: string | null;
};

export type OrderRow = { readonly body: string; readonly available_after: bigint };

export type ChargeRow = {
  readonly charge: bigint;
  readonly loss: bigint;
  readonly available_after: bigint;
};

export type Statements = ReturnType<typeof statementsOn>;

export function statementsOn(store: StoreFile) {
  const prepare: Prepare = (sql) => store.prepare(sql);
  return {
    ...readsOn(prepare),
    ...receiptsOn(prepare),
    ...checkpointsOn(prepare),
    ...tailOn(prepare),
    ...writesOn(prepare),
  };
}

type Prepare = StoreFile['prepare'];

/**
 * Prepares the statements that read. They have no joins, because SQLite would plan a join again for
 * each parameter.
 */
function readsOn(prepare: Prepare) {
  return {
    /** The highest sequence number of a receipt or wallet command; null in an empty ledger. */
    lastPlace: prepare<{ seq: bigint | null }>(
      `SELECT MAX(seq) AS seq FROM (SELECT MAX(seq) AS seq FROM receipt
       UNION ALL SELECT MAX(seq) FROM late_receipt UNION ALL SELECT MAX(id) FROM money_transaction)`,
    ),
    account: prepare<AccountRow>('SELECT status, careful FROM account WHERE id = ?1'),
    key: prepare<KeyRow>(
      'SELECT account_id, status, expires_at_ms, created_by FROM api_key WHERE id = ?1',
    ),
    wallet: prepare<Omit<WalletRow, 'held'>>(
      'SELECT balance, floor FROM wallet WHERE account_id = ?1 AND currency = ?2',
    ),
    rate: prepare<RateRow>('SELECT base, quote, scaled FROM fx_rate WHERE id = ?1'),
    card: prepare<{ id: string }>('SELECT id FROM card WHERE id = ?1'),
    meter: prepare<Meter>('SELECT * FROM spend_meter WHERE owner_id = ?1'),
    memberCaps: prepare<Member['caps']>(
      `SELECT cap_day, cap_week, cap_month FROM member_cap
       WHERE account_id = ?1 AND person_id = ?2`,
    ),
    memberMeters: prepare<Meter & { readonly owner_id: string }>(
      `SELECT * FROM spend_meter WHERE owner_id IN
         (SELECT id FROM api_key WHERE account_id = ?1 AND created_by = ?2)`,
    ),
    order: prepare<OrderRow>(
      'SELECT body, available_after FROM money_transaction WHERE command_id = ?1',
    ),
    refunded: prepare<{ amount: bigint }>(
      'SELECT COALESCE(SUM(amount), 0) AS amount FROM refund WHERE request_id = ?1',
    ),
  };
}

function receiptsOn(prepare: Prepare) {
  const columns = [...RECEIPT_COLUMNS, ...CHARGE_COLUMNS];
  const inserted = `(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return {
    /** Inserts a receipt, unless the request already has one. */
    insertReceipt: prepare<never>(
      `INSERT INTO receipt ${inserted} ON CONFLICT (request_id) DO NOTHING`,
    ),
    archivedRequest: prepare<{ request_id: string }>(
      'SELECT request_id FROM archived_request WHERE request_id = ?1',
    ),
    insertLateReceipt: prepare<never>(`INSERT INTO late_receipt ${inserted}`),
    receiptValues: prepare<never>(
      `SELECT ${RECEIPT_COLUMNS.join(', ')} FROM receipt WHERE request_id = ?1`,
    ),
    lateReceiptValues: prepare<never>(
      `SELECT ${RECEIPT_COLUMNS.join(', ')} FROM late_receipt WHERE request_id = ?1`,
    ),
    receiptCharge: prepare<ChargeRow & HeldTerms & { outcome: string; settled_at_ms: bigint }>(
      `SELECT account_id, key_id, currency, held, exchange_id, outcome, charge, loss,
         available_after, settled_at_ms FROM receipt WHERE request_id = ?1`,
    ),
    lateCharge: prepare<ChargeRow>(
      'SELECT charge, loss, available_after FROM late_receipt WHERE request_id = ?1',
    ),
  };
}

function checkpointsOn(prepare: Prepare) {
  return {
    checkpoint: prepare<CheckpointRow>(
      `SELECT account_id, key_id, currency, held, exchange_id, charge, receipt
       FROM checkpoint WHERE request_id = ?1`,
    ),
    /** Selects checkpoints of epochs other than ?1, which is the epoch that has the lease. */
    lostCheckpoints: prepare<{ id: string; account_id: string }>(
      `SELECT request_id AS id, account_id FROM checkpoint WHERE epoch <> ?1
       ORDER BY request_id LIMIT ?2`,
    ),
    /** Writes a checkpoint, unless the request has a receipt. */
    keepCheckpoint: prepare<never>(
      `INSERT OR REPLACE INTO checkpoint (request_id, account_id, key_id, currency, epoch, held,
         exchange_id, charge, receipt)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
       WHERE NOT EXISTS (SELECT 1 FROM receipt WHERE request_id = ?1)`,
    ),
    deleteCheckpoint: prepare<never>('DELETE FROM checkpoint WHERE request_id = ?1'),
    anyCheckpoint: prepare<never>('SELECT 1 FROM checkpoint LIMIT 1'),
  };
}

function tailOn(prepare: Prepare) {
  return {
    appendToTail: prepare<never>('INSERT INTO receipt_tail (body) VALUES (?1)'),
    /**
     * Selects the first commit after row ?1 of the tail (the durable charges that are not booked
     * yet).
     */
    nextInTail: prepare<{ seq: bigint; body: string }>(
      'SELECT seq, body FROM receipt_tail WHERE seq > ?1 ORDER BY seq LIMIT 1',
    ),
    deleteFromTail: prepare<never>('DELETE FROM receipt_tail WHERE seq <= ?1'),
  };
}

function writesOn(prepare: Prepare) {
  return {
    /** Adds ?3 to the balance. A CHECK constraint of the table enforces the wallet's floor. */
    move: prepare<never>(
      'UPDATE wallet SET balance = balance + ?3 WHERE account_id = ?1 AND currency = ?2',
    ),
    setFloor: prepare<never>(
      'UPDATE wallet SET floor = ?3 WHERE account_id = ?1 AND currency = ?2',
    ),
    insertTransaction: prepare<never>(
      `INSERT INTO money_transaction (id, kind, command_id, reason, available_after, at_ms, body)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertEntry: prepare<never>(
      `INSERT INTO entry (account_id, currency, transaction_id, line, amount, balance_after)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    setCareful: prepare<never>('UPDATE account SET careful = ?2 WHERE id = ?1'),
    insertOverrun: prepare<never>(
      `INSERT INTO overrun (request_id, account_id, held, price, at_ms) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (request_id) DO UPDATE SET price = excluded.price`,
    ),
    deleteOverrun: prepare<never>('DELETE FROM overrun WHERE request_id = ?1'),
    insertRefund: prepare<never>(
      'INSERT INTO refund (transaction_id, request_id, amount) VALUES (?, ?, ?)',
    ),
    insertCreditLimit: prepare<never>(
      `INSERT INTO credit_limit (transaction_id, account_id, currency, amount) VALUES (?, ?, ?, ?)`,
    ),
    // Each statement that changes meters or entries writes a single row, because one statement that
    // writes two rows is slower than two statements.

    /**
     * Adds ?2 to day ?3, week ?4 and month ?5, like `spend` in `meter.ts`. Periods only move
     * forward. If a clock jumps back, a charge counts in the current period, so that a cap may
     * refuse too early but never too late.
     */
    meterSpent: prepare<never>(
      `UPDATE spend_meter SET total = total + ?2,
         in_day = CASE WHEN ?3 > day THEN ?2 ELSE in_day + ?2 END, day = MAX(day, ?3),
         in_week = CASE WHEN ?4 > week THEN ?2 ELSE in_week + ?2 END, week = MAX(week, ?4),
         in_month = CASE WHEN ?5 > month THEN ?2 ELSE in_month + ?2 END, month = MAX(month, ?5)
       WHERE owner_id = ?1`,
    ),
    /** Adds ?2, the correction of a charge on day ?3, to each period that had begun by that day. */
    meterCorrected: prepare<never>(
      `UPDATE spend_meter SET total = total + ?2,
         in_day = CASE WHEN ?3 >= day THEN in_day + ?2 ELSE in_day END,
         in_week = CASE WHEN ?3 >= week THEN in_week + ?2 ELSE in_week END,
         in_month = CASE WHEN ?3 >= month THEN in_month + ?2 ELSE in_month END
       WHERE owner_id = ?1`,
    ),
    addUsage: prepare<never>(
      withColumns(`INSERT INTO usage_day (account_id, day, key_id, model, channel, currency,
         requests, incomplete, {{buckets: $}}, images, charge, loss, metered)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, {{buckets: ?}}, ?, ?, ?, ?)
       ON CONFLICT (account_id, day, key_id, model, channel, currency) DO UPDATE SET
         {{counts: $ = $ + excluded.$}}`),
    ),
  };
}
