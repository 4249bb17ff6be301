/**
 * The statements that a migration step must not contain, so that earlier versions keep working
 * during and after the step.
 */

/** Forbidden statements, with the reason why an earlier version would fail or wait. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/^DROP (?!TRIGGER IF EXISTS\b)/i, 'DROP removes what the previous version uses'],
  [/^ALTER .*\bDROP\b/i, 'DROP removes what the previous version uses'],
  [/^ALTER .*\bRENAME\b/i, 'RENAME removes what the previous version uses'],
  [/^ALTER .*\bTYPE\b/i, 'TYPE rewrites the whole table'],
  [/^ALTER .*\bSET NOT NULL\b/i, 'SET NOT NULL refuses rows of the previous version'],
  [/^ALTER .*\bADD CONSTRAINT\b/i, 'ADD CONSTRAINT reads the whole table, and refuses rows'],
  [/^ALTER .*\bADD (?:COLUMN )?(?!.*\bDEFAULT\b).*\bNOT NULL\b/i, 'NOT NULL without a default'],
  [/^(?:UPDATE|DELETE|TRUNCATE)\b/i, 'it changes, and so locks, rows of an earlier version'],
];
const TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i;
const INDEX = /^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+ ON (?:ONLY )?(\w+)/i;

/**
 * Returns why a migration step with these statements must be `contract`; null if it may be
 * `expand`.
 */
export function contractsBy(sql: string): string | null {
  const made = new Set<string>();
  for (const statement of statementsOf(sql)) {
    const forbidden = FORBIDDEN.find(([pattern]) => pattern.test(statement));
    if (forbidden !== undefined) return `${forbidden[1]}: ${statement.slice(0, 80)}`;
    const table = TABLE.exec(statement)?.[1];
    if (table !== undefined) made.add(table);
    const indexed = INDEX.exec(statement)?.[1];
    if (indexed !== undefined && !made.has(indexed)) {
      return `an index on a table with rows stops all writes to it: ${statement.slice(0, 80)}`;
    }
  }
  return null;
}

/** Splits SQL at semicolons. Drops comments, and the bodies of functions and triggers. */
const statementsOf = (sql: string): readonly string[] =>
  sql
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/(CREATE TRIGGER [^;]*?)\bBEGIN\b.*?;\s*END\s*;/gis, '$1;')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
