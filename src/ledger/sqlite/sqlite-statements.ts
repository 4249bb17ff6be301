/** The prepared statements of the ledger, which `sqlite-ledger.ts` and the files beside it use. */
import type { Currency } from '../../money/amount.ts';
import { CHARGE_COLUMNS, RECEIPT_COLUMNS, withColumns } from '../../store/columns.ts';
import type { StoreFile } from '../../store/sqlite/store-file.ts';
import type { Meter } from '../meter.ts';

export type WalletRow = {
  readonly balance: bigint;
  readonly held: bigint;
  readonly floor: bigint;
};

/** `careful`: how many answers must stay within their holds before two holds are allowed again. */
type AccountRow = { readonly status: string; readonly careful: bigint };

type KeyRow = {
  readonly account_id: string;
  readonly status: string;
  readonly expires_at_ms: bigint | null;
};

export type RateRow = {
  readonly base: Currency;
  readonly quote: Currency;
  readonly scaled: bigint;
};

export type HoldRow = {
  readonly account_id: string;
  readonly key_id: string;
  readonly currency: Currency;
  readonly state: 'pending' | 'settled' | 'void';
  readonly amount: bigint;
  readonly own: bigint;
  readonly reserve: bigint;
  readonly fx_rate_id: string | null;
  readonly price_rate_id: string | null;
  readonly metered: bigint;
  readonly reaped: bigint;
};

type FirstHoldRow = Omit<HoldRow, 'state' | 'amount' | 'own' | 'reserve' | 'metered' | 'reaped'> & {
  readonly asked: bigint;
  readonly at_least: bigint;
  readonly epoch: string;
  readonly granted: bigint;
  readonly available_after: bigint;
};

type FirstVoidRow = { readonly amount: bigint; readonly void_available: bigint | null };

type OrderRow = { readonly body: string; readonly available_after: bigint };

export type ChargeRow = {
  readonly charge: bigint;
  readonly loss: bigint;
  readonly available_after: bigint;
};

/** Whether an id is in use. A settlement has the id of its hold. */
const ID_TAKEN = `(EXISTS (SELECT 1 FROM hold WHERE id = ?1)
  OR EXISTS (SELECT 1 FROM extension WHERE id = ?1)
  OR EXISTS (SELECT 1 FROM money_transaction WHERE command_id = ?1)
  ) AS id_taken`;

export type Statements = ReturnType<typeof statementsOn>;

export function statementsOn(store: StoreFile) {
  const prepare: Prepare = (sql) => store.prepare(sql);
  return { ...readsOn(prepare), ...receiptsOn(prepare), ...holdsOn(prepare), ...writesOn(prepare) };
}

type Prepare = StoreFile['prepare'];

/** Prepares reads without joins, because SQLite would plan a join again for each new parameter. */
function readsOn(prepare: Prepare) {
  return {
    /** The last place in the order of movements; null in an empty ledger. */
    lastPlace: prepare<{ seq: bigint | null }>(
      `SELECT MAX(seq) AS seq FROM (SELECT MAX(seq) AS seq FROM receipt
       UNION ALL SELECT MAX(seq) FROM late_receipt UNION ALL SELECT MAX(id) FROM money_transaction)`,
    ),
    idTaken: prepare<{ id_taken: bigint }>(`SELECT ${ID_TAKEN}`),
    account: prepare<AccountRow>('SELECT status, careful FROM account WHERE id = ?1'),
    meterHolding: prepare<{ held: bigint }>('SELECT held FROM spend_meter WHERE owner_id = ?1'),
    key: prepare<KeyRow>('SELECT account_id, status, expires_at_ms FROM api_key WHERE id = ?1'),
    wallet: prepare<WalletRow>(
      'SELECT balance, held, floor FROM wallet WHERE account_id = ?1 AND currency = ?2',
    ),
    rate: prepare<RateRow>('SELECT base, quote, scaled FROM fx_rate WHERE id = ?1'),
    card: prepare<{ id: string }>('SELECT id FROM card WHERE id = ?1'),
    /** Returns a row if the owner has a cap. Most have none, so most holds skip the meter. */
    isCapped: prepare<{ 1: bigint }>(
      `SELECT 1 FROM spend_meter WHERE owner_id = ?1 AND (cap_day IS NOT NULL
         OR cap_week IS NOT NULL OR cap_month IS NOT NULL OR cap_total IS NOT NULL)`,
    ),
    meter: prepare<Meter>('SELECT * FROM spend_meter WHERE owner_id = ?1'),
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
    insertReceipt: prepare<never>(`INSERT INTO receipt ${inserted}`),
    insertLateReceipt: prepare<never>(`INSERT INTO late_receipt ${inserted}`),
    receiptValues: prepare<never>(
      `SELECT ${RECEIPT_COLUMNS.join(', ')} FROM receipt WHERE request_id = ?1`,
    ),
    lateReceiptValues: prepare<never>(
      `SELECT ${RECEIPT_COLUMNS.join(', ')} FROM late_receipt WHERE request_id = ?1`,
    ),
    receiptCharge: prepare<
      ChargeRow & { account_id: string; currency: Currency; settled_at_ms: bigint }
    >(
      `SELECT account_id, currency, charge, loss, available_after, settled_at_ms
       FROM receipt WHERE request_id = ?1`,
    ),
    lateCharge: prepare<ChargeRow>(
      'SELECT charge, loss, available_after FROM late_receipt WHERE request_id = ?1',
    ),
  };
}

function holdsOn(prepare: Prepare) {
  return {
    holdToResolve: prepare<HoldRow>(
      `SELECT account_id, key_id, currency, state, amount, own, reserve, fx_rate_id, price_rate_id,
         metered, reaped FROM hold WHERE id = ?1`,
    ),
    holdById: prepare<FirstHoldRow>(
      `SELECT account_id, key_id, currency, asked, at_least, fx_rate_id, price_rate_id, epoch,
         granted, available_after FROM hold WHERE id = ?1`,
    ),
    firstVoid: prepare<FirstVoidRow>('SELECT amount, void_available FROM hold WHERE id = ?1'),
    checkpoint: prepare<{ charge: bigint | null; receipt: string | null }>(
      'SELECT checkpoint_charge AS charge, checkpoint AS receipt FROM hold WHERE id = ?1',
    ),
    sameExtension: prepare<{ total_after: bigint; available_after: bigint }>(
      `SELECT total_after, available_after FROM extension
       WHERE id = ?1 AND hold_id = ?2 AND amount = ?3`,
    ),
    /** Selects pending holds that expired by ?2 or are not of the epoch ?1, which has the lease. */
    lost: prepare<{ id: string }>(
      `SELECT id FROM hold WHERE state = 'pending' AND (epoch <> ?1 OR expires_at_ms <= ?2)
       ORDER BY id LIMIT ?3`,
    ),
    insertHold: prepare<never>(
      `INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, granted, own,
         reserve, reserve_currency, fx_rate_id, price_rate_id, metered, epoch, available_after,
         created_at_ms, expires_at_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)`,
    ),
    /** Inserts a void hold for an id that has none, so that no later hold can use the id. */
    insertTombstone: prepare<never>(
      `INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, granted, own,
         reserve, epoch, state, available_after, void_available, created_at_ms, expires_at_ms,
         resolved_at_ms)
       VALUES (?1, ?2, ?3, ?4, 0, 0, 0, 0, 0, 0, '', 'void', ?5, ?5, ?6, ?6, ?6)`,
    ),
    growHold: prepare<never>(
      `UPDATE hold SET amount = amount + ?2, own = own + ?3, reserve = reserve + ?4,
         metered = metered + ?5 WHERE id = ?1 AND state = 'pending'`,
    ),
    keepCheckpoint: prepare<never>(
      'UPDATE hold SET checkpoint_charge = ?2, checkpoint = ?3 WHERE id = ?1',
    ),
    resolveHold: prepare<never>(
      'UPDATE hold SET state = ?2, resolved_at_ms = ?3, reaped = ?4 WHERE id = ?1',
    ),
    closeLate: prepare<never>('UPDATE hold SET reaped = 0 WHERE id = ?1'),
    keepVoid: prepare<never>('UPDATE hold SET void_available = ?2 WHERE id = ?1'),
    insertExtension: prepare<never>(
      `INSERT INTO extension (id, hold_id, amount, total_after, available_after, at_ms)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
  };
}

function writesOn(prepare: Prepare) {
  return {
    /** Adds ?3 to the balance and ?4 to the held amount. A CHECK enforces the floor. */
    move: prepare<never>(
      `UPDATE wallet SET balance = balance + ?3, held = held + ?4
       WHERE account_id = ?1 AND currency = ?2`,
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
    // Each statement on meters and entries writes one row, which is twice as fast as two rows.

    /** Adds ?2 to what pending holds count against the caps of ?1. */
    meterHeld: prepare<never>('UPDATE spend_meter SET held = held + ?2 WHERE owner_id = ?1'),
    /**
     * Subtracts ?2 from the held amount and adds ?3 to day ?4, week ?5 and month ?6. Windows only
     * move forward: after a clock jumps back, a charge counts in the current window, so that a cap
     * may refuse too early but never too late.
     */
    meterSpent: prepare<never>(
      `UPDATE spend_meter SET held = held - ?2, total = total + ?3,
         in_day = CASE WHEN ?4 > day THEN ?3 ELSE in_day + ?3 END, day = MAX(day, ?4),
         in_week = CASE WHEN ?5 > week THEN ?3 ELSE in_week + ?3 END, week = MAX(week, ?5),
         in_month = CASE WHEN ?6 > month THEN ?3 ELSE in_month + ?3 END, month = MAX(month, ?6)
       WHERE owner_id = ?1`,
    ),
    /** Corrects a charge of an earlier day by ?2, in the windows that still contain that day. */
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
