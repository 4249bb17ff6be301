/** The prepared statements of the money path. What they mean is in `sqlite-books.ts`. */
import type { SQLQueryBindings, Database as SqliteFile } from 'bun:sqlite';
import type { Currency } from '../money/amount.ts';
import { RECEIPT_COLUMNS } from './receipt-row.ts';

/** A wallet; all null when the account does not exist. */
export type PurseRow = {
  readonly balance: bigint | null;
  readonly held: bigint | null;
  readonly floor: bigint | null;
};

type TakenRow = { readonly id_taken: bigint };

type AdmissionRow = TakenRow &
  PurseRow & {
    readonly account_status: string | null;
    readonly key_account: string | null;
    readonly key_status: string | null;
    readonly expires_at_ms: bigint | null;
    readonly fx_base: Currency | null;
    readonly fx_scaled: bigint | null;
    readonly other_free: bigint | null;
  };

/** A hold with the wallets it touches. */
export type HoldRow = PurseRow & {
  readonly account_id: string;
  readonly key_id: string;
  readonly currency: Currency;
  readonly state: 'pending' | 'settled' | 'void';
  readonly amount: bigint;
  readonly own: bigint;
  readonly reserve: bigint;
  readonly reserve_currency: Currency | null;
  readonly fx_scaled: bigint | null;
  readonly other_balance: bigint | null;
  readonly other_free: bigint | null;
};

type FirstHoldRow = {
  readonly account_id: string;
  readonly key_id: string;
  readonly currency: string;
  readonly asked: bigint;
  readonly at_least: bigint;
  readonly fx_rate_id: string | null;
  readonly epoch: string;
  readonly granted: bigint;
  readonly available_after: bigint;
};

/** Whether a command of any kind but settle has used the id ?1; a settlement's id is its hold's. */
const ID_TAKEN = `(EXISTS (SELECT 1 FROM hold WHERE id = ?1)
  OR EXISTS (SELECT 1 FROM extension WHERE id = ?1)
  OR EXISTS (SELECT 1 FROM money_transaction WHERE command_id = ?1)) AS id_taken`;

export type Statements = ReturnType<typeof statementsOn>;

export function statementsOn(file: SqliteFile) {
  const prepare = <Row>(sql: string) => file.prepare<Row, SQLQueryBindings[]>(sql);
  return { ...readsOn(prepare), ...writesOn(prepare) };
}

type Prepare = <Row>(
  sql: string,
) => ReturnType<typeof SqliteFile.prototype.prepare<Row, SQLQueryBindings[]>>;

function readsOn(prepare: Prepare) {
  return {
    idTaken: prepare<TakenRow>(`SELECT ${ID_TAKEN}`),
    wallet: prepare<TakenRow & PurseRow>(
      `SELECT ${ID_TAKEN}, w.balance, w.held, w.floor FROM (SELECT 1)
       LEFT JOIN wallet w ON w.account_id = ?2 AND w.currency = ?3`,
    ),
    admission: prepare<AdmissionRow>(
      `SELECT ${ID_TAKEN}, a.status AS account_status,
         k.account_id AS key_account, k.status AS key_status, k.expires_at_ms,
         w.balance, w.held, w.floor, f.base AS fx_base, f.scaled AS fx_scaled,
         o.balance - o.held - o.floor AS other_free
       FROM (SELECT 1) LEFT JOIN account a ON a.id = ?2 LEFT JOIN api_key k ON k.id = ?3
       LEFT JOIN wallet w ON w.account_id = ?2 AND w.currency = ?4
       LEFT JOIN fx_rate f ON f.id = ?5
       LEFT JOIN wallet o ON o.account_id = ?2 AND o.currency = f.base`,
    ),
    holdToResolve: prepare<HoldRow>(
      `SELECT h.account_id, h.key_id, h.currency, h.state, h.amount, h.own, h.reserve,
         h.reserve_currency, w.balance, w.held, w.floor, f.scaled AS fx_scaled,
         o.balance AS other_balance, o.balance - o.held - o.floor AS other_free
       FROM hold h JOIN wallet w ON w.account_id = h.account_id AND w.currency = h.currency
       LEFT JOIN fx_rate f ON f.id = h.fx_rate_id
       LEFT JOIN wallet o ON o.account_id = h.account_id AND o.currency = h.reserve_currency
       WHERE h.id = ?1`,
    ),
    holdById: prepare<FirstHoldRow>(
      `SELECT account_id, key_id, currency, asked, at_least, fx_rate_id, epoch, granted,
         available_after FROM hold WHERE id = ?1`,
    ),
    sameExtension: prepare<{ total_after: bigint; available_after: bigint }>(
      `SELECT total_after, available_after FROM extension
       WHERE id = ?1 AND hold_id = ?2 AND amount = ?3`,
    ),
    sameCredit: prepare<{ available_after: bigint }>(
      `SELECT t.available_after FROM money_transaction t
       JOIN entry e ON e.account_id = ?4 AND e.currency = ?5 AND e.transaction_id = t.id
       JOIN entry s ON s.account_id = ?7 AND s.currency = ?5 AND s.transaction_id = t.id
       WHERE t.command_id = ?1 AND t.kind = ?2 AND t.reason = ?3 AND e.amount = ?6`,
    ),
    receiptValues: prepare<never>(
      `SELECT ${RECEIPT_COLUMNS.join(', ')} FROM receipt WHERE request_id = ?1`,
    ),
    receiptResult: prepare<{ charge: bigint; loss: bigint; available_after: bigint }>(
      'SELECT charge, loss, available_after FROM receipt WHERE request_id = ?1',
    ),
  };
}

function writesOn(prepare: Prepare) {
  const receiptColumns = [
    ...RECEIPT_COLUMNS,
    ...['charge', 'loss', 'available_after', 'settled_at_ms'],
  ];
  return {
    /** Changes a wallet by ?3 in balance and ?4 in held; its CHECK guards the floor. */
    move: prepare<never>(
      `UPDATE wallet SET balance = balance + ?3, held = held + ?4
       WHERE account_id = ?1 AND currency = ?2`,
    ),
    insertHold: prepare<never>(
      `INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, granted, own,
         reserve, reserve_currency, fx_rate_id, epoch, available_after, created_at_ms, expires_at_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)`,
    ),
    growHold: prepare<never>(
      `UPDATE hold SET amount = amount + ?2, own = own + ?3, reserve = reserve + ?4
       WHERE id = ?1 AND state = 'pending'`,
    ),
    resolveHold: prepare<never>(
      `UPDATE hold SET state = 'settled', resolved_at_ms = ?2 WHERE id = ?1 AND state = 'pending'`,
    ),
    insertExtension: prepare<never>(
      `INSERT INTO extension (id, hold_id, amount, total_after, available_after, at_ms)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    insertTransaction: prepare<never>(
      `INSERT INTO money_transaction (kind, command_id, reason, available_after, at_ms)
       VALUES (?, ?, ?, ?, ?)`,
    ),
    insertPair: prepare<never>(
      `INSERT INTO entry (account_id, currency, transaction_id, line, amount, balance_after)
       VALUES (?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, NULL)`,
    ),
    insertReceipt: prepare<never>(
      `INSERT INTO receipt (${receiptColumns.join(', ')})
       VALUES (${receiptColumns.map(() => '?').join(', ')})`,
    ),
    addSpend: prepare<never>(
      `INSERT INTO key_spend (key_id, currency, day, charge) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (key_id, currency, day) DO UPDATE SET charge = charge + excluded.charge`,
    ),
  };
}
