/**
 * Checks all invariants of the ledger: those that are queries in `invariants.sql`, and those that
 * need code.
 */

import type { CardTerms } from '../money/card-terms.ts';
import { settleAmount } from '../money/price.ts';
import { PLAIN_FACTS, priceOf } from '../money/price-of.ts';
import { readFacts } from '../money/terms-json.ts';
import { perBucket } from '../money/usage.ts';
import { type AuditRow, auditHash, GENESIS } from '../store/audit.ts';
import { withColumns } from '../store/columns.ts';
import { integer, text, textOrNull } from '../store/row.ts';
import type { SqlExecutor, SqlRow } from '../store/sql.ts';
import invariants from './invariants.sql' with { type: 'text' };
import type { Breach } from './ledger.ts';
import { meteredHold } from './meter.ts';
import { publishedTerms } from './publish.ts';
import { sellFor } from './settlement-plan.ts';

/**
 * Where a database engine keeps holds. PostgreSQL keeps them as rows (`stored`), although its nodes
 * may also keep some in memory. SQLite keeps them only in the memory of the process (`in memory`).
 */
export type Holds = 'stored' | 'in memory';

type Law = {
  readonly name: string;
  readonly sql: string;
  /** Where an engine must store holds for this invariant to apply; null if it always applies. */
  readonly holds: Holds | null;
};

/**
 * The invariants of `invariants.sql`. Each starts with a line `-- law: name`, followed by its
 * query. An invariant only for holds in rows starts with `-- law of stored holds: name`, and one
 * only for holds in memory with `-- law of holds in memory: name`.
 */
export const LAWS: readonly Law[] = withColumns(invariants)
  .split(/^-- law(?= of|:)/m)
  .slice(1)
  .map((part) => {
    const end = part.indexOf('\n');
    const [of = '', name = ''] = part.slice(0, end).split(': ');
    const holds = of === '' ? null : of === ' of stored holds' ? 'stored' : 'in memory';
    return { name: name.trim(), sql: part.slice(end).trim().replace(/;$/, ''), holds };
  });

const isAbout = (holds: Holds, law: Pick<Law, 'holds'>): boolean =>
  law.holds === null || law.holds === holds;

/**
 * Runs the queries of the checks. They run either in one snapshot, or while commands are applied.
 */
export type Queries = Pick<SqlExecutor, 'query'>;

/** Checks all invariants. Without a snapshot, commands may be applied between two queries. */
export async function verifyLedger(sql: Queries, holds: Holds): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for (const { name, sql: query } of LAWS.filter((law) => isAbout(holds, law))) {
    for (const row of await sql.query({ sql: query, params: [] })) {
      const subject = text(row, 'subject');
      breaches.push({ invariant: name, subject, detail: text(row, 'detail') });
    }
  }
  for (const { name, breaches: found } of COMPUTED_LAWS.filter((law) => isAbout(holds, law))) {
    for await (const { subject, detail } of found(sql)) {
      breaches.push({ invariant: name, subject, detail });
    }
  }
  return breaches;
}

/** Rows per query, which limits the memory for them. */
const PAGE_ROWS = 2_000;

type Finding = { readonly subject: string; readonly detail: string };
export type ComputedLaw = {
  readonly name: string;
  readonly holds: Law['holds'];
  readonly breaches: (sql: Queries) => AsyncIterable<Finding>;
};

export const PRICE_LAW = "a receipt's charge is its cost, converted and rounded once";
export const TERMS_LAW =
  "each receipt's cost equals the cost recalculated from its token counts and request properties at the published prices";
export const EXCHANGE_LAW =
  'each currency exchange is calculated at the exchange rate that it names';
export const HOLD_METER_LAW =
  "each pending hold's metered amount equals its amount converted at the exchange rate that it names";
export const AUDIT_LAW = 'the audit log is an unbroken chain';

export const COMPUTED_LAWS: readonly ComputedLaw[] = [
  { name: PRICE_LAW, holds: null, breaches: (sql) => broken(sql, RECEIPTS, wrongPrice) },
  { name: PRICE_LAW, holds: null, breaches: (sql) => broken(sql, LATE_RECEIPTS, wrongPrice) },
  { name: TERMS_LAW, holds: null, breaches: wrongTerms },
  {
    name: EXCHANGE_LAW,
    holds: null,
    breaches: (sql) => broken(sql, boughtBy('receipt'), wrongExchange),
  },
  {
    name: EXCHANGE_LAW,
    holds: null,
    breaches: (sql) => broken(sql, boughtBy('late_receipt'), wrongExchange),
  },
  {
    name: EXCHANGE_LAW,
    holds: null,
    breaches: (sql) => broken(sql, ORDERED_EXCHANGES, wrongExchange),
  },
  {
    name: HOLD_METER_LAW,
    holds: 'stored',
    breaches: (sql) => broken(sql, PENDING_HOLDS, wrongHold),
  },
  { name: AUDIT_LAW, holds: null, breaches: wrongEntries },
];

async function* broken(
  sql: Queries,
  query: string,
  wrong: (row: SqlRow) => string | null,
): AsyncGenerator<Finding> {
  for await (const row of pages(sql, query)) {
    const detail = wrong(row);
    if (detail !== null) yield { subject: text(row, 'subject'), detail };
  }
}

const RECEIPTS = `SELECT r.request_id AS subject, r.cost_pico, r.charge, r.loss, r.estimated,
    0 AS refunded, f.scaled
  FROM receipt r LEFT JOIN fx_rate f ON f.id = r.fx_rate_id
  WHERE r.request_id > $1 ORDER BY r.request_id LIMIT $2`;

/** A late receipt stores only the differences from the first receipt, so the query adds the two. */
const LATE_RECEIPTS = `SELECT l.request_id AS subject, l.cost_pico, l.charge + r.charge AS charge,
    l.loss + r.loss AS loss, l.estimated, f.scaled, CAST(COALESCE((
      SELECT SUM(amount) FROM refund WHERE refund.request_id = l.request_id), 0) AS BIGINT)
      AS refunded
  FROM late_receipt l JOIN receipt r ON r.request_id = l.request_id
  LEFT JOIN fx_rate f ON f.id = l.fx_rate_id
  WHERE l.request_id > $1 ORDER BY l.request_id LIMIT $2`;

function wrongPrice(row: SqlRow): string | null {
  const rate = row['scaled'] === null ? null : { scaled: integer(row, 'scaled') };
  const price = settleAmount(integer(row, 'cost_pico'), rate);
  const charged = integer(row, 'charge') + integer(row, 'loss');
  // An estimated price is charged only up to the hold, so the charge may be below the price.
  const isCapped = row['estimated'] === 1n && charged < price;
  // A correction does not return money that was already refunded, so the charge may exceed the
  // price.
  const isRefunded = charged > price && charged <= integer(row, 'refunded');
  if (charged === price || isCapped || isRefunded) return null;
  return `charge and loss are ${charged}, but the price is ${price}`;
}

/**
 * Rows per query when each price must be computed again from its price card, which takes longer.
 */
const PRICED_ROWS = 200;

/**
 * Returns the query for those receipts of a table whose token price depends on more than the token
 * counts.
 */
const pricedByTerms = (table: 'receipt' | 'late_receipt'): string =>
  withColumns(`SELECT r.request_id AS subject, r.card_id, r.cost_pico, r.facts, {{buckets: r.$}}
  FROM ${table} r LEFT JOIN card c ON c.id = r.card_id
  WHERE (r.facts IS NOT NULL OR c.terms IS NOT NULL)
    AND (r.image_count IS NULL OR c.input IS NOT NULL)
    AND r.request_id > $1 ORDER BY r.request_id LIMIT $2`);

async function* wrongTerms(sql: Queries): AsyncGenerator<Finding> {
  const termsOf = new Map<string, CardTerms | null>();
  for (const table of ['receipt', 'late_receipt'] as const) {
    for await (const row of pages(sql, pricedByTerms(table), PRICED_ROWS)) {
      const cardId = text(row, 'card_id');
      const terms = termsOf.get(cardId) ?? (await termsIn(sql, cardId));
      termsOf.set(cardId, terms);
      const detail = terms === null ? `there is no price card ${cardId}` : wrongCost(row, terms);
      if (detail !== null) yield { subject: text(row, 'subject'), detail };
    }
  }
}

async function termsIn(sql: Queries, cardId: string): Promise<CardTerms | null> {
  const [card] = await sql.query({ sql: 'SELECT * FROM card WHERE id = $1', params: [cardId] });
  return card === undefined ? null : publishedTerms(card);
}

function wrongCost(row: SqlRow, terms: CardTerms): string | null {
  const facts = textOrNull(row, 'facts');
  const usage = perBucket(({ column }) => Number(integer(row, column)));
  const { costPico } = priceOf(terms, usage, facts === null ? PLAIN_FACTS : readFacts(facts));
  const stored = integer(row, 'cost_pico');
  return stored === costPico
    ? null
    : `cost_pico is ${stored}, but should be ${costPico} by price card ${row['card_id']}`;
}

/**
 * Returns the query for the requests in `table` that were paid, fully or in part, from the
 * account's wallet in another currency.
 */
const boughtBy = (table: 'receipt' | 'late_receipt'): string => `SELECT r.request_id AS subject,
    f.scaled, r.sold, r.bought
  FROM ${table} r LEFT JOIN fx_rate f ON f.id = r.exchange_id AND f.quote = r.currency
  WHERE (r.bought <> 0 OR r.sold <> 0) AND r.request_id > $1 ORDER BY r.request_id LIMIT $2`;

function wrongExchange(row: SqlRow): string | null {
  if (row['scaled'] === null) return 'it used an exchange rate that was never published';
  const sold = integer(row, 'sold');
  const bought = integer(row, 'bought');
  const price = sellFor(bought, integer(row, 'scaled'));
  return sold === price
    ? null
    : `it sold ${sold} to buy ${bought}, but at its exchange rate that costs ${price}`;
}

/** Selects wallet commands of the kind `exchange`. Their stored text ends with the rate's id. */
const ORDERED_EXCHANGES = `SELECT t.command_id AS subject, f.scaled,
    COALESCE(s.amount, 0) AS sold, COALESCE(-b.amount, 0) AS bought
  FROM money_transaction t
  LEFT JOIN fx_rate f
    ON SUBSTR(t.body, LENGTH(t.body) - LENGTH(f.id) - 2) = '"' || f.id || '"]'
  LEFT JOIN entry s ON s.account_id = 'fx:' || f.base AND s.currency = f.base
                   AND s.transaction_id = t.id
  LEFT JOIN entry b ON b.account_id = 'fx:' || f.quote AND b.currency = f.quote
                   AND b.transaction_id = t.id
  WHERE t.kind = 'exchange' AND t.command_id > $1 ORDER BY t.command_id LIMIT $2`;

const PENDING_HOLDS = `SELECT h.id AS subject, h.amount, h.metered, f.scaled
  FROM hold h LEFT JOIN fx_rate f ON f.id = h.price_rate_id
  WHERE h.state = 'pending' AND h.id > $1 ORDER BY h.id LIMIT $2`;

function wrongHold(row: SqlRow): string | null {
  const rate = row['scaled'] === null ? null : { scaled: integer(row, 'scaled') };
  const metered = meteredHold(integer(row, 'amount'), rate);
  return integer(row, 'metered') === metered
    ? null
    : `metered is ${row['metered']}, but should be ${metered} by its amount and exchange rate`;
}

const ENTRIES = `SELECT id, at_ms, actor, action, subject, detail, hash FROM audit
  WHERE id > $1 ORDER BY id LIMIT $2`;

async function* wrongEntries(sql: Queries): AsyncGenerator<Finding> {
  let last: { readonly id: bigint; readonly hash: Uint8Array } = { id: 0n, hash: GENESIS };
  for (;;) {
    const rows = await sql.query({ sql: ENTRIES, params: [last.id, PAGE_ROWS] });
    for (const row of rows) {
      const entry = auditRowOf(row);
      const hash = row['hash'];
      if (!(hash instanceof Uint8Array))
        throw new Error('the column `hash` does not contain bytes');
      const detail = wrongLink(entry, hash, last);
      if (detail !== null) yield { subject: `entry ${entry.id}`, detail };
      // Continues from the stored id and hash, so that one broken entry is reported only once.
      last = { id: entry.id, hash };
    }
    if (rows.length === 0) return;
  }
}

function wrongLink(
  entry: AuditRow,
  hash: Uint8Array,
  last: { readonly id: bigint; readonly hash: Uint8Array },
): string | null {
  if (entry.id !== last.id + 1n)
    return `comes after entry ${last.id}: the entries between them are missing`;
  const computed = Buffer.from(auditHash(last.hash, entry)).toString('hex');
  const stored = Buffer.from(hash).toString('hex');
  return computed === stored
    ? null
    : `its hash is ${stored}, but ${computed} when computed from its content`;
}

function auditRowOf(row: SqlRow): AuditRow {
  return {
    id: integer(row, 'id'),
    atMs: Number(integer(row, 'at_ms')),
    actor: text(row, 'actor'),
    action: text(row, 'action'),
    subject: text(row, 'subject'),
    detail: text(row, 'detail'),
  };
}

/** Yields all rows of a query, in pages: $1 is the last `subject` read, $2 is the row limit. */
async function* pages(sql: Queries, query: string, pageRows = PAGE_ROWS): AsyncGenerator<SqlRow> {
  let after = '';
  for (;;) {
    const rows = await sql.query({ sql: query, params: [after, pageRows] });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = text(last, 'subject');
  }
}
