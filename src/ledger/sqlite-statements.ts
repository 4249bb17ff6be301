/** The prepared statements of the money path. What they mean is in `sqlite-books.ts`. */
import type { SQLQueryBindings, Database as SqliteFile } from 'bun:sqlite';
import type { Currency } from '../money/amount.ts';
import { RECEIPT_COLUMNS } from './receipt-row.ts';

export type WalletRow = {
  readonly balance: bigint;
  readonly held: bigint;
  readonly floor: bigint;
};

export type KeyRow = {
  readonly account_id: string;
  readonly status: string;
  readonly expires_at_ms: bigint | null;
};

type RateRow = { readonly base: Currency; readonly scaled: bigint };

export type HoldRow = {
  readonly account_id: string;
  readonly key_id: string;
  readonly currency: Currency;
  readonly state: 'pending' | 'settled' | 'void';
  readonly amount: bigint;
  readonly own: bigint;
  readonly reserve: bigint;
  readonly fx_rate_id: string | null;
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

/**
 * Each reads one table by its key. SQLite plans a statement that joins anew whenever a bound value
 * changes, which takes ten times as long as running it.
 */
function readsOn(prepare: Prepare) {
  return {
    idTaken: prepare<{ id_taken: bigint }>(`SELECT ${ID_TAKEN}`),
    accountStatus: prepare<{ status: string }>('SELECT status FROM account WHERE id = ?1'),
    key: prepare<KeyRow>('SELECT account_id, status, expires_at_ms FROM api_key WHERE id = ?1'),
    wallet: prepare<WalletRow>(
      'SELECT balance, held, floor FROM wallet WHERE account_id = ?1 AND currency = ?2',
    ),
    rate: prepare<RateRow>('SELECT base, scaled FROM fx_rate WHERE id = ?1'),
    holdToResolve: prepare<HoldRow>(
      `SELECT account_id, key_id, currency, state, amount, own, reserve, fx_rate_id
       FROM hold WHERE id = ?1`,
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
