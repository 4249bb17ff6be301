/**
 * Parses tables from the SQL text of `mysqldump`. The column names come from `CREATE TABLE`, and
 * the rows from `INSERT INTO`. Other statements are skipped.
 */
import type { SourceRow, SourceTable } from '../../movein/source-tables.ts';

const QUOTE = 39;
const BACKSLASH = 92;
const SEMICOLON = 59;

/**
 * The characters that MySQL escapes with a letter or digit after a backslash. After a backslash,
 * any other character stands for itself.
 */
const ESCAPED: Readonly<Record<string, string>> = {
  ...{ '0': '\u0000', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\u001a' },
};

const LAST_LINE = /^-- Dump completed/m;
const LAST_CHARS = 200;

/** Whether a text begins like a dump of MySQL or MariaDB. */
export const isMysqlDump = (head: string): boolean =>
  /^(?:\/\*M?!999999.*\n)?-- (?:MySQL|MariaDB) dump /.test(head);

/**
 * Returns the tables in `names`. For a table in `counted`, returns a single row whose column
 * `count` is the table's number of rows.
 * @throws Error that names the part of the dump that cannot be parsed.
 */
export function tablesInDump(
  dump: string,
  names: { readonly read: readonly string[]; readonly counted: readonly string[] },
): Map<string, SourceTable> {
  const tables = new Map<string, { columns: readonly string[]; rows: SourceRow[] }>();
  for (const statement of statementsOf(dump)) {
    const [, created] = /^CREATE TABLE `(\w+)` \(/.exec(statement) ?? [];
    if (created !== undefined && [...names.read, ...names.counted].includes(created))
      tables.set(created, { columns: columnsOf(statement), rows: [] });
    const [head, into = '', listed] =
      /^INSERT INTO `(\w+)` (?:\(([^)]*)\) )?VALUES\s*/.exec(statement) ?? [];
    const table = tables.get(into);
    if (head === undefined || table === undefined) continue;
    const columns =
      listed === undefined
        ? table.columns
        : [...listed.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    for (const values of tuplesOf(statement, head.length)) {
      if (values.length !== columns.length)
        throw new Error(
          `a row of ${into} has ${values.length} values for ${columns.length} columns`,
        );
      table.rows.push(Object.fromEntries(columns.map((column, at) => [column, values[at]])));
    }
  }
  // Refuses a truncated dump. If the dump ended between two statements, users would be missing
  // without an error.
  if (!LAST_LINE.test(dump.slice(-LAST_CHARS)))
    throw new Error('its last line, `-- Dump completed`, is missing, so it is incomplete');
  for (const name of names.counted) {
    const table = tables.get(name);
    if (table !== undefined)
      tables.set(name, { columns: ['count'], rows: [{ count: table.rows.length }] });
  }
  return tables;
}

/**
 * Yields the statements of a dump without the `--` comments before them. A semicolon within a
 * quoted text does not end a statement.
 */
function* statementsOf(dump: string): Generator<string> {
  let start = 0;
  let at = 0;
  while (at < dump.length) {
    const code = dump.charCodeAt(at);
    if (code === QUOTE) at = endOfText(dump, at);
    else if (dump.startsWith('--', at) && isLineStart(dump, at)) {
      const end = dump.indexOf('\n', at);
      at = end === -1 ? dump.length : end + 1;
      if (dump.slice(start, at).trim().startsWith('--')) start = at;
    } else if (code === SEMICOLON) {
      yield dump.slice(start, at).trim();
      at += 1;
      start = at;
    } else at += 1;
  }
  if (dump.slice(start).trim() !== '') throw new Error('it ends within a statement');
}

const isLineStart = (text: string, at: number): boolean => at === 0 || text[at - 1] === '\n';

/**
 * Returns the offset after the quoted text that begins at `at`.
 * @throws Error if the closing quote is missing.
 */
function endOfText(dump: string, at: number): number {
  for (let end = at + 1; end < dump.length; end++) {
    const code = dump.charCodeAt(end);
    if (code === BACKSLASH) end += 1;
    else if (code === QUOTE) {
      if (dump.charCodeAt(end + 1) !== QUOTE) return end + 1;
      end += 1;
    }
  }
  throw new Error('it ends within a string');
}

const columnsOf = (statement: string): readonly string[] =>
  [...statement.matchAll(/^\s+`(\w+)` /gm)].map(([, name = '']) => name);

/** Yields the rows of a VALUES list such as `(1,'a',NULL),(2,'b',0x00)`. */
function* tuplesOf(statement: string, from: number): Generator<readonly SourceValue[]> {
  const VALUE = /\s*(NULL|0x[0-9A-Fa-f]+|-?\d[\d.eE+-]*|(?:_binary )?')/y;
  let at = from;
  while (at < statement.length) {
    if (statement[at] !== '(')
      throw new Error(
        `a row does not begin with a parenthesis, but with ${statement.slice(at, at + 10)}`,
      );
    at += 1;
    const values: SourceValue[] = [];
    for (;;) {
      VALUE.lastIndex = at;
      const [whole = '', written = ''] = VALUE.exec(statement) ?? [];
      if (written === '') throw new Error(`a value is invalid: ${statement.slice(at, at + 20)}`);
      at += whole.length;
      if (written.endsWith("'")) {
        const end = endOfText(statement, at - 1);
        values.push(plainText(statement.slice(at, end - 1)));
        at = end;
      } else values.push(written === 'NULL' ? null : written);
      const next = statement[at];
      at += 1;
      if (next === ')') break;
      if (next !== ',') throw new Error(`a value is followed by ${next ?? 'nothing'}`);
    }
    yield values;
    at = statement[at] === ',' ? at + 1 : at;
    while (/\s/.test(statement[at] ?? '')) at += 1;
  }
}

type SourceValue = string | null;

const plainText = (written: string): string =>
  written.replaceAll(/\\([\s\S])|''/g, (_, char?: string) =>
    char === undefined ? "'" : (ESCAPED[char] ?? char),
  );
