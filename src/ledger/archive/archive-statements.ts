/** The SQL that reads the receipts to archive, deletes them, and stores their sums. */
import { COUNT_COLUMNS, STORED_COLUMNS, withColumns } from '../../store/columns.ts';
import { raw, type SqlStatement, statement } from '../../store/sql.ts';
import { CORRECTION } from './archive-file.ts';
import type { ArchivedMovement } from './archived-runs.ts';

/** The tables of receipts and their corrections, joined for a `FROM` clause. */
export const ARCHIVABLE = raw('receipt r LEFT JOIN late_receipt l ON l.request_id = r.request_id');

const COLUMNS = [
  ...STORED_COLUMNS.map((column) => `r.${column} AS ${column}`),
  ...STORED_COLUMNS.map((column) => `l.${column} AS ${CORRECTION}${column}`),
].join(', ');

/** Selects the receipts of an account. The caller may append a condition. */
export const receiptsOf = (accountId: string): SqlStatement =>
  statement`SELECT ${raw(COLUMNS)} FROM ${ARCHIVABLE} WHERE r.account_id = ${accountId}`;

/** Selects the highest sequence number of any receipt or correction; 0 if no receipt exists. */
export const NEWEST_PLACE = statement`SELECT COALESCE(MAX(seq), 0) AS seq FROM (
    SELECT MAX(seq) AS seq FROM receipt UNION ALL SELECT MAX(seq) FROM late_receipt
  ) AS places`;

/**
 * The sums of a slice (the receipts of one account that one transaction deletes), computed from the
 * file. The slice is deleted only if the store has equal sums.
 */
export type SliceSums = {
  readonly receipts: bigint;
  readonly corrected: bigint;
  readonly price: bigint;
};

export type Slice = {
  readonly archiveId: string;
  readonly accountId: string;
  readonly ids: readonly string[];
  readonly sums: SliceSums;
  /** The sums that replace the deleted receipts' movements in the account's wallets. */
  readonly rows: readonly ArchivedMovement[];
  readonly engine: 'sqlite' | 'postgres';
};

const listOf = (ids: readonly string[]): SqlStatement => ({
  sql: `(${ids.map(() => '?').join(', ')})`,
  params: ids,
});

/**
 * Selects the requests in `ids` that have a receipt and no refund, with their prices and whether
 * each was corrected.
 */
export const presentOf = (ids: readonly string[]): SqlStatement =>
  statement`SELECT r.request_id AS request_id, r.charge + r.loss + COALESCE(l.charge, 0)
      + COALESCE(l.loss, 0) AS price, CASE WHEN l.request_id IS NULL THEN 0 ELSE 1 END AS corrected
    FROM ${ARCHIVABLE} WHERE r.request_id IN ${listOf(ids)}
      AND NOT EXISTS (SELECT 1 FROM refund f WHERE f.request_id = r.request_id)`;

/**
 * Selects each number in `places` for which the account has another movement between it and the
 * next number in `places`.
 * @param places sorted sequence numbers of movements of the account.
 */
export function keptBetween(accountId: string, places: readonly bigint[]): SqlStatement {
  const gaps = places.slice(1).map((end, at) => ({ start: places[at] ?? 0n, end }));
  const list = raw(gaps.map(() => '(CAST(? AS BIGINT), CAST(? AS BIGINT))').join(', '));
  const within = (table: string, place: string): SqlStatement =>
    statement`EXISTS (SELECT 1 FROM ${raw(table)} WHERE account_id = ${accountId}
      AND ${raw(place)} > gap.start_at AND ${raw(place)} < gap.end_at)`;
  const values = { sql: list.sql, params: gaps.flatMap(({ start, end }) => [start, end]) };
  return statement`WITH gap (start_at, end_at) AS (VALUES ${values})
    SELECT start_at FROM gap WHERE ${within('receipt', 'seq')}
      OR ${within('late_receipt', 'seq')} OR ${within('archived_movement', 'seq')}
      OR ${within('entry', 'transaction_id')}`;
}

/**
 * Returns statements that add receipts to the stored sums, and then delete these receipts. All of
 * the statements must run in one transaction.
 */
export function deletion(slice: Slice): readonly SqlStatement[] {
  const { archiveId, accountId, rows, engine } = slice;
  const ids = listOf(slice.ids);
  return [
    ...(engine === 'postgres' ? [LOCK, accountLock(accountId)] : []),
    unchanged(slice, ids),
    statement`INSERT INTO archived_request (request_id, archive_id)
      SELECT request_id, ${archiveId} FROM receipt WHERE request_id IN ${ids} RETURNING request_id`,
    addedDays(ids),
    addedSums(archiveId, ids),
    ...rows.map((row) => addedMovement(accountId, row)),
    statement`DELETE FROM overrun WHERE request_id IN ${ids} RETURNING request_id`,
    statement`DELETE FROM late_receipt WHERE request_id IN ${ids} RETURNING request_id`,
    ...(engine === 'postgres'
      ? [statement`DELETE FROM hold WHERE id IN ${ids} AND state <> 'pending' RETURNING id`]
      : []),
    statement`DELETE FROM receipt WHERE request_id IN ${ids} RETURNING request_id`,
  ];
}

const LOCK = statement`SELECT pg_advisory_xact_lock(1835491700, 7)`;

/** Locks the account as `books_lock` does. Refunds, corrections and charges take the same lock. */
const accountLock = (accountId: string): SqlStatement =>
  statement`SELECT account_id FROM wallet WHERE account_id = ${accountId} AND currency = 'USD'
    FOR NO KEY UPDATE`;

/**
 * Returns a statement that fails if the receipts no longer match the file. Another node may have
 * archived them, or a refund or a correction may have been written meanwhile. To fail, the
 * statement sets a NOT NULL column to null.
 */
function unchanged({ archiveId, sums, engine }: Slice, ids: SqlStatement): SqlStatement {
  // PostgreSQL adds some receipts to its usage sums later. Until then, these receipts must stay.
  const counted =
    engine === 'sqlite'
      ? raw('')
      : statement`AND NOT EXISTS (SELECT 1 FROM uncounted u
          CROSS JOIN LATERAL unnest(u.receipts) AS place (seq)
          JOIN receipt n ON n.seq = place.seq WHERE n.request_id IN ${ids})`;
  return statement`UPDATE archive SET receipts = (
      SELECT archive.receipts FROM (
        SELECT COUNT(*) AS receipts, COUNT(l.request_id) AS corrected,
          SUM(r.charge + r.loss + COALESCE(l.charge, 0) + COALESCE(l.loss, 0)) AS price
        FROM ${ARCHIVABLE} WHERE r.request_id IN ${ids}
      ) AS found
      WHERE found.receipts = ${sums.receipts} AND found.corrected = ${sums.corrected}
        AND found.price = ${sums.price}
        AND NOT EXISTS (SELECT 1 FROM refund WHERE request_id IN ${ids}) ${counted}
    ) WHERE id = ${archiveId} RETURNING id`;
}

const addedMovement = (accountId: string, row: ArchivedMovement): SqlStatement =>
  statement`INSERT INTO archived_movement (account_id, seq, line, currency, kind, receipts, amount,
      balance_after, at_ms)
    VALUES (${accountId}, ${row.seq}, ${row.line}, ${row.currency}, ${row.kind}, ${row.receipts},
      ${row.amount}, ${row.balanceAfter}, ${row.atMs}) RETURNING seq`;

const addedSums = (archiveId: string, ids: SqlStatement): SqlStatement =>
  statement`INSERT INTO archived_sum (archive_id, currency, receipts, charge, loss, bought, sold)
    SELECT ${archiveId}, r.currency, COUNT(*), SUM(r.charge + COALESCE(l.charge, 0)),
      SUM(r.loss + COALESCE(l.loss, 0)), SUM(r.bought + COALESCE(l.bought, 0)),
      SUM(r.sold + COALESCE(l.sold, 0))
    FROM ${ARCHIVABLE} WHERE r.request_id IN ${ids} GROUP BY r.currency
    ON CONFLICT (archive_id, currency) DO UPDATE SET
      receipts = archived_sum.receipts + excluded.receipts,
      charge = archived_sum.charge + excluded.charge, loss = archived_sum.loss + excluded.loss,
      bought = archived_sum.bought + excluded.bought, sold = archived_sum.sold + excluded.sold
    RETURNING archive_id`;

/**
 * Sums per day, as in `invariants.sql`: the counts of a correction replace those of its receipt,
 * and the amounts of both are added.
 */
const DAYS = withColumns(`SELECT account_id, day, key_id, model, channel, currency,
    COUNT(*) AS requests, SUM(incomplete) AS incomplete, {{buckets: SUM($) AS $}},
    SUM(images) AS images, SUM(charge) AS charge, SUM(loss) AS loss,
    SUM(CASE WHEN scaled IS NULL THEN charge
      ELSE charge / scaled * 100000000 + charge % scaled * 100000000 / scaled
        + CASE WHEN charge % scaled * 100000000 % scaled * 2 > scaled THEN 1
               WHEN charge % scaled * 100000000 % scaled * 2 = scaled
               THEN charge % scaled * 100000000 / scaled % 2
               ELSE 0 END END) AS metered
  FROM (
    SELECT r.account_id, r.settled_at_ms / 86400000 AS day, r.key_id, u.model, u.channel, r.currency,
      CASE WHEN u.outcome = 'completed' THEN 0 ELSE 1 END AS incomplete, {{buckets: u.$}},
      COALESCE(u.image_count, 0) AS images, r.charge + COALESCE(l.charge, 0) AS charge,
      r.loss + COALESCE(l.loss, 0) AS loss, f.scaled
    FROM receipt r LEFT JOIN late_receipt l ON l.request_id = r.request_id
    JOIN (
      SELECT request_id, 0 AS is_late, model, channel, outcome, {{buckets: $}}, image_count,
        fx_rate_id FROM receipt WHERE request_id IN IDS
      UNION ALL
      SELECT request_id, 1, model, channel, outcome, {{buckets: $}}, image_count, fx_rate_id
      FROM late_receipt WHERE request_id IN IDS
    ) AS u ON u.request_id = r.request_id
      AND u.is_late = CASE WHEN l.request_id IS NULL THEN 0 ELSE 1 END
    LEFT JOIN fx_rate f ON f.id = u.fx_rate_id AND f.base = 'USD'
    WHERE r.request_id IN IDS
  ) AS made WHERE 1 = 1
  GROUP BY account_id, day, key_id, model, channel, currency`).split('IDS');

const DAY_KEY = 'account_id, day, key_id, model, channel, currency';
const ORDERED = [
  ...['requests', 'incomplete'],
  ...COUNT_COLUMNS.filter((column) => !['requests', 'incomplete', 'metered'].includes(column)),
  'metered',
];

function addedDays(ids: SqlStatement): SqlStatement {
  const [first = '', second = '', third = '', last = ''] = DAYS;
  const names = raw(ORDERED.join(', '));
  const adds = raw(ORDERED.map((it) => `${it} = archived_day.${it} + excluded.${it}`).join(', '));
  const made = statement`${raw(first)}${ids}${raw(second)}${ids}${raw(third)}${ids}${raw(last)}`;
  return statement`INSERT INTO archived_day (${raw(DAY_KEY)}, ${names})
    SELECT ${raw(DAY_KEY)}, ${names} FROM (${made}) AS days WHERE 1 = 1
    ON CONFLICT (${raw(DAY_KEY)}) DO UPDATE SET ${adds} RETURNING day`;
}
