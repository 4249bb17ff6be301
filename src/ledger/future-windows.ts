/**
 * Resets spending periods that begin in the future. While a clock is far ahead, a charge moves the
 * periods of its key and account to the future day. Periods never move back by themselves. So each
 * later charge, up to that day, would count as if it were made on that day.
 */
import { daysAt } from '../money/calendar.ts';
import type { AuditEntry } from '../store/audit.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';

/**
 * Moves periods that begin after `nowMs` back to the current day, week and month. A moved period
 * counts all charges since that day, week or month began, even charges dated in the future.
 * @returns how many keys and accounts changed.
 */
export async function resetFutureWindows(
  sql: SqlExecutor,
  actor: string,
  nowMs: number,
): Promise<number> {
  const { day, week, month } = daysAt(nowMs);
  const since = (first: bigint): SqlStatement => statement`(SELECT COALESCE(SUM(used.metered), 0)
    FROM usage_by_day AS used WHERE used.day >= ${first} AND
    (used.key_id = spend_meter.owner_id OR used.account_id = spend_meter.owner_id))`;
  const isAhead = statement`day > ${day} OR week > ${week} OR month > ${month}`;
  // On PostgreSQL, a charge locks the wallet of its account before its meters, and wallets in the
  // order of accounts. The reset does the same, so that the two cannot deadlock.
  const ahead = statement`SELECT DISTINCT COALESCE(k.account_id, m.owner_id) AS id
    FROM spend_meter AS m LEFT JOIN api_key AS k ON k.id = m.owner_id
    WHERE ${isAhead} ORDER BY id`;
  const accounts = await sql.query(ahead);
  const lockWallets = accounts.map(
    ({ id = null }) =>
      statement`UPDATE wallet SET held = held WHERE account_id = ${id} AND currency = 'USD'`,
  );
  // Locks the meters, also of accounts that came ahead since. So the sums below contain every
  // charge that was written before, and later charges wait.
  const lock = statement`UPDATE spend_meter SET day = day WHERE ${isAhead} RETURNING owner_id`;
  const reset = statement`UPDATE spend_meter SET
    in_day = CASE WHEN day > ${day} THEN ${since(day)} ELSE in_day END,
    in_week = CASE WHEN week > ${week} THEN ${since(week)} ELSE in_week END,
    in_month = CASE WHEN month > ${month} THEN ${since(month)} ELSE in_month END,
    day = CASE WHEN day > ${day} THEN ${day} ELSE day END,
    week = CASE WHEN week > ${week} THEN ${week} ELSE week END,
    month = CASE WHEN month > ${month} THEN ${month} ELSE month END
    WHERE ${isAhead} RETURNING owner_id`;
  const entry: AuditEntry = {
    ...{ atMs: nowMs, actor, action: 'ledger.reset_windows', subject: 'spend_meter' },
    detail: { day: Number(day) },
  };
  const answers = await sql.transaction([...lockWallets, lock, reset], entry);
  return answers.at(-1)?.length ?? 0;
}
