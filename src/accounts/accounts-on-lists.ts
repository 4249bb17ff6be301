/** Finds the accounts on price lists, so that a list in use is not removed. */
import { integer, text } from '../store/row.ts';
import { type SqlExecutor, statement } from '../store/sql.ts';

/**
 * Returns the number of accounts on each list. The map has no entries for lists without accounts.
 */
export async function accountsOnLists(
  sql: Pick<SqlExecutor, 'query'>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query(statement`SELECT price_list, COUNT(*) AS n FROM account
    WHERE price_list IS NOT NULL GROUP BY price_list ORDER BY price_list`);
  return new Map(rows.map((row) => [text(row, 'price_list'), Number(integer(row, 'n'))]));
}

/**
 * Maps the id of each account on a price list to the name of its list. Returns null if more than
 * `limit` accounts are on price lists.
 */
export async function listsByAccount(
  sql: Pick<SqlExecutor, 'query'>,
  limit: number,
): Promise<ReadonlyMap<string, string> | null> {
  const rows = await sql.query(statement`SELECT id, price_list FROM account
    WHERE price_list IS NOT NULL LIMIT ${limit + 1}`);
  if (rows.length > limit) return null;
  return new Map(rows.map((row) => [text(row, 'id'), text(row, 'price_list')]));
}

/** A price list that is not configured, although accounts are on it. */
export type MissingList = { readonly list: string; readonly message: string };

/**
 * Returns the price lists that accounts use but that are missing in `lists`, the price lists in new
 * settings. The gateway refuses such settings, because they would change the prices of those
 * accounts.
 */
export async function missingLists(
  sql: Pick<SqlExecutor, 'query'>,
  lists: Readonly<Record<string, unknown>>,
): Promise<readonly MissingList[]> {
  const used = [...(await accountsOnLists(sql))].filter(([list]) => !Object.hasOwn(lists, list));
  return used.map(([list, count]) => {
    const are = count === 1 ? '1 account is' : `${count} accounts are`;
    const remedy = 'before you remove the list, move its accounts with `modelgate account update`';
    return { list, message: `is missing, but ${are} on this price list; ${remedy}` };
  });
}
