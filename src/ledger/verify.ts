/** Runs every law of the books and names each row that breaks one. */
import { settleAmount } from '../money/price.ts';
import type { SqlExecutor, SqlRow } from './database.ts';
import type { Breach } from './ledger.ts';
import { sellFor } from './plan.ts';
import { integer, text } from './receipt-row.ts';
import invariants from './sql/invariants.sql' with { type: 'text' };

/** Rows looked at between two batches of commands: a few milliseconds. */
const PAGE_ROWS = 2_000;

type Law = { readonly name: string; readonly sql: string };

/** The laws that SQL can state: `-- law: name`, then a query. */
export const LAWS: readonly Law[] = invariants
  .split('-- law: ')
  .slice(1)
  .map((part) => {
    const end = part.indexOf('\n');
    return { name: part.slice(0, end).trim(), sql: part.slice(end).trim().replace(/;$/, '') };
  });

export const PRICE_LAW = "a receipt's charge is its cost, converted and rounded once";
export const EXCHANGE_LAW = 'an exchange is at the pinned rate of its hold';

/** Each law is one consistent look at the books; commands may be written between two laws. */
export async function verifyBooks(sql: SqlExecutor): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for (const { name, sql: query } of LAWS) {
    for (const row of await sql.query({ sql: query, params: [] })) {
      const subject = text(row, 'subject');
      breaches.push({ invariant: name, subject, detail: text(row, 'detail') });
    }
  }
  for await (const row of pages(sql, RECEIPTS)) {
    const detail = wrongPrice(row);
    if (detail !== null) {
      breaches.push({ invariant: PRICE_LAW, subject: text(row, 'subject'), detail });
    }
  }
  for await (const row of pages(sql, EXCHANGES)) {
    const detail = wrongExchange(row);
    if (detail !== null) {
      breaches.push({ invariant: EXCHANGE_LAW, subject: text(row, 'subject'), detail });
    }
  }
  return breaches;
}

const RECEIPTS = `SELECT r.request_id AS subject, r.cost_pico, r.charge, r.loss, r.estimated,
    f.scaled
  FROM receipt r LEFT JOIN fx_rate f ON f.id = r.fx_rate_id
  WHERE r.request_id > $1 ORDER BY r.request_id LIMIT $2`;

function wrongPrice(row: SqlRow): string | null {
  const rate = row['scaled'] === null ? null : { scaled: integer(row, 'scaled') };
  const price = settleAmount(integer(row, 'cost_pico'), rate);
  const charged = integer(row, 'charge') + integer(row, 'loss');
  // Our own estimate is charged at most as far as it was held (decision: who pays for what broke).
  const isCapped = row['estimated'] === 1n && charged < price;
  return charged === price || isCapped ? null : `charge and loss ${charged}, price ${price}`;
}

const EXCHANGES = `SELECT h.id AS subject, f.scaled,
    COALESCE(s.amount, 0) AS sold, COALESCE(-b.amount, 0) AS bought
  FROM hold h JOIN fx_rate f ON f.id = h.fx_rate_id
  JOIN money_transaction t ON t.command_id = h.id AND t.kind = 'settle'
  LEFT JOIN entry s ON s.account_id = 'fx:' || f.base AND s.currency = f.base
                   AND s.transaction_id = t.id
  LEFT JOIN entry b ON b.account_id = 'fx:' || f.quote AND b.currency = f.quote
                   AND b.transaction_id = t.id
  WHERE h.id > $1 ORDER BY h.id LIMIT $2`;

function wrongExchange(row: SqlRow): string | null {
  const sold = integer(row, 'sold');
  const bought = integer(row, 'bought');
  const price = sellFor(bought, integer(row, 'scaled'));
  return sold === price ? null : `sold ${sold} for ${bought}, which costs ${price}`;
}

/** All rows of a query that goes on after a `subject`. */
async function* pages(sql: SqlExecutor, query: string): AsyncGenerator<SqlRow> {
  let after = '';
  for (;;) {
    const rows = await sql.query({ sql: query, params: [after, PAGE_ROWS] });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = text(last, 'subject');
  }
}
