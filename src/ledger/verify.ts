/** Runs every law of the books and names each row that breaks one. */

import { text } from '../store/row.ts';
import type { SqlExecutor } from '../store/sql.ts';
import invariants from './invariants.sql' with { type: 'text' };
import type { Breach } from './ledger.ts';
import { WIDE_LAWS } from './wide-laws.ts';

type Law = { readonly name: string; readonly sql: string };

/** The laws that SQL can state: `-- law: name`, then a query. */
export const LAWS: readonly Law[] = invariants
  .split('-- law: ')
  .slice(1)
  .map((part) => {
    const end = part.indexOf('\n');
    return { name: part.slice(0, end).trim(), sql: part.slice(end).trim().replace(/;$/, '') };
  });

/** Each law is one consistent look at the books; commands may be written between two laws. */
export async function verifyBooks(sql: SqlExecutor): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for (const { name, sql: query } of LAWS) {
    for (const row of await sql.query({ sql: query, params: [] })) {
      const subject = text(row, 'subject');
      breaches.push({ invariant: name, subject, detail: text(row, 'detail') });
    }
  }
  for (const { name, breaches: found } of WIDE_LAWS) {
    for await (const { subject, detail } of found(sql)) {
      breaches.push({ invariant: name, subject, detail });
    }
  }
  return breaches;
}
