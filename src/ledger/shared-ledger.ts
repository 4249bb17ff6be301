/** The part of the ledger that is the same for SQLite and PostgreSQL. */
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { currencyOf, integer, text } from '../store/row.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { fault } from '../store/store-fault.ts';
import type { Ledger, Outcome, PublishedRate, StoredReceipt, Wallet } from './ledger.ts';
import { publishCards } from './publish.ts';
import { receiptOf } from './receipt-row.ts';
import type { Reply } from './wire.ts';

/**
 * Returns the methods of a ledger that read or publish. Passes all published exchange rates to
 * `memory`, which decides holds. Passes further rates to it when they are published.
 */
export async function sharedLedger(
  sql: SqlExecutor,
  memory: { readonly learn: (rates: readonly Omit<PublishedRate, 'effectiveFromMs'>[]) => void },
): Promise<Pick<Ledger, 'wallets' | 'receipt' | 'spentByKey' | 'publish'>> {
  const rates = await sql.query({ sql: 'SELECT id, base, quote, scaled FROM fx_rate', params: [] });
  memory.learn(
    rates.map((row) => ({
      id: text(row, 'id'),
      base: currencyOf(row, 'base'),
      quote: currencyOf(row, 'quote'),
      scaled: integer(row, 'scaled'),
    })),
  );
  return {
    wallets: (accountId) => walletsOf(sql, accountId),
    receipt: (requestId) => receiptFor(sql, requestId),
    spentByKey: (keyId) => spentBy(sql, keyId),
    publish: async (cards, published) => {
      await publishCards(sql, cards, published);
      memory.learn(published);
    },
  };
}

/** @throws GatewayError if the command failed with an error, and therefore changed nothing */
export function outcomeOf(reply: Reply): Outcome {
  if (reply.status === 'fault') throw fault(reply.code, reply.message, reply.param);
  return reply;
}

export const WALLETS = `SELECT currency, balance, held, floor FROM wallet_in_use WHERE account_id = $1
  ORDER BY currency DESC`;

async function walletsOf(sql: SqlExecutor, accountId: string): Promise<readonly Wallet[]> {
  const rows = await sql.query({
    sql: WALLETS,
    params: [accountId],
  });
  return rows.map((row) => ({
    currency: currencyOf(row),
    balance: nano(integer(row, 'balance')),
    held: nano(integer(row, 'held')),
    floor: nano(integer(row, 'floor')),
  }));
}

async function receiptFor(sql: SqlExecutor, requestId: string): Promise<StoredReceipt | null> {
  const [row] = await sql.query({
    sql: 'SELECT * FROM receipt WHERE request_id = $1',
    params: [requestId],
  });
  return row === undefined ? null : receiptOf(row);
}

async function spentBy(
  sql: SqlExecutor,
  keyId: string,
): Promise<ReadonlyMap<Currency, NanoAmount>> {
  const rows = await sql.query({
    sql: `SELECT currency, SUM(charge) AS charged FROM usage_by_day
          WHERE key_id = $1 AND charge <> 0 GROUP BY currency`,
    params: [keyId],
  });
  return new Map(rows.map((row) => [currencyOf(row), nano(integer(row, 'charged'))]));
}
