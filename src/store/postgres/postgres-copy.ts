/**
 * Copies a PostgreSQL database to one file in a single snapshot, and reads such a file into an
 * empty database. The first line describes the copy. For each table, a line with its name and
 * columns follows, then its rows in the text format of COPY, then a line `\.`. The last line has a
 * hash of everything before it.
 */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import * as z from 'zod';
import { type Clock, nextTurn } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';
import { continueNumbers } from '../copy-to-postgres.ts';
import { MIGRATIONS, stepsAfter } from '../migrations.ts';
import type { SqlExecutor } from '../sql.ts';
import { type Asking, PostgresLink } from './postgres-link.ts';
import { migratePostgres } from './postgres-migrate.ts';

const FORMAT = 'modelgate postgres backup';
/** The time limit of a copy: enough for a large database over a slow network. */
const COPY_MS = 24 * 3_600_000;
const END_OF_TABLE = '\\.';
/** The number of characters that are sent to the server at a time. */
const SENT_CHARS = 1024 * 1024;
/** Maximum bytes of the first line. A file with a longer one is not a copy. */
const MAX_HEAD_BYTES = 1_024;

const HEAD = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  schema: z.number(),
  taken_at_ms: z.number(),
});
const TABLE = z.object({ table: z.string(), columns: z.array(z.string()) });
const END = z.object({ sha256: z.string(), breaches: z.number() });

export type CopyHead = { readonly schema: number; readonly takenAtMs: number };
export type RestoredCopy = CopyHead & {
  /** The tables and columns in the copy that are not part of the schema, and are not restored. */
  readonly others: readonly string[];
};

type Snapshot = Pick<SqlExecutor, 'query'>;
type Table = { readonly name: string; readonly columns: readonly string[] };

export type PostgresCopyOptions = {
  readonly url: Secret;
  readonly clock: Clock;
  /** Returns the number of rows in the snapshot that break an invariant of the ledger. */
  readonly verify: (snapshot: Snapshot) => Promise<number>;
};

/** Writes a consistent snapshot to the existing empty file, and flushes the file. */
export async function copyFromPostgres(
  path: string,
  { url, clock, verify }: PostgresCopyOptions,
): Promise<void> {
  const takenAtMs = clock.nowMs();
  const link = new PostgresLink({ url, clock, statementMs: 0, lockMs: 0 });
  const handle = openSync(path, 'w');
  try {
    await link.ask(COPY_MS, (client) =>
      client.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (snapshot) => {
        const hash = createHash('sha256');
        const write = (part: string | Uint8Array): void => {
          hash.update(part);
          writeWhole(handle, part);
        };
        const schema = await schemaOf(snapshot);
        const head = { format: FORMAT, version: 1, schema, taken_at_ms: takenAtMs };
        write(`${JSON.stringify(head)}\n`);
        for (const table of await tablesOf(snapshot)) await writeTable(snapshot, table, write);
        const breaches = await verify({
          query: async ({ sql, params }) => await snapshot.unsafe(sql, [...params]),
        });
        const sha256 = hash.digest('hex');
        writeWhole(handle, `${JSON.stringify({ sha256, breaches })}\n`);
      }),
    );
    fsyncSync(handle);
  } finally {
    closeSync(handle);
    await link.close();
  }
}

function writeWhole(handle: number, part: string | Uint8Array): void {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part;
  for (let done = 0; done < bytes.byteLength; )
    done += writeSync(handle, bytes, done, bytes.byteLength - done);
}

async function writeTable(
  snapshot: Asking,
  { name, columns }: Table,
  write: (part: string | Uint8Array) => void,
): Promise<void> {
  write(`${JSON.stringify({ table: name, columns })}\n`);
  const rows = await snapshot.unsafe(`COPY ${name} (${columns.join(', ')}) TO STDOUT`).readable();
  for await (const part of rows) write(part);
  // The driver pauses its socket while unread rows wait, and may leave it paused. This resumes it.
  rows._read(0);
  write(`${END_OF_TABLE}\n`);
}

async function schemaOf(asked: Asking): Promise<number> {
  const [row] = await asked.unsafe<{ id: bigint }[]>('SELECT MAX(id) AS id FROM schema_migration');
  return Number(row?.id ?? 0n);
}

/**
 * Returns the tables with their columns, each table after the tables that it refers to. Leaves out
 * tables of other programs, which this role may not read.
 */
async function tablesOf(asked: Asking): Promise<Table[]> {
  const named = await asked.unsafe<{ name: string; columns: string }[]>(
    `SELECT c.relname AS name, STRING_AGG(a.attname, ' ' ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND c.relname <> 'schema_migration' AND c.relpersistence = 'p'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND has_table_privilege(c.oid, 'SELECT')
     GROUP BY c.relname ORDER BY c.relname`,
  );
  const references = await asked.unsafe<{ child: string; parent: string }[]>(
    `SELECT DISTINCT c.relname AS child, p.relname AS parent
     FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
     WHERE f.contype = 'f' AND f.conrelid <> f.confrelid
       AND f.connamespace = current_schema()::regnamespace`,
  );
  const left = named.map(({ name, columns }) => ({ name, columns: columns.split(' ') }));
  const ordered: Table[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ name }) =>
      references.every(
        (it) => it.child !== name || !left.some((table) => table.name === it.parent),
      ),
    );
    const [table] = left.splice(next, 1);
    if (next < 0 || table === undefined) throw new Error('tables have circular foreign keys');
    ordered.push(table);
  }
  return ordered;
}

/** Whether the file begins like a copy of a PostgreSQL database. */
export function isPostgresCopy(path: string): boolean {
  const handle = openSync(path, 'r');
  try {
    const start = Buffer.alloc(MAX_HEAD_BYTES);
    const bytes = readSync(handle, start, 0, MAX_HEAD_BYTES, 0);
    return start.toString('utf8', 0, bytes).startsWith(`{"format":"${FORMAT}"`);
  } finally {
    closeSync(handle);
  }
}

type Reader = {
  readonly table?: (table: Table) => Promise<void>;
  /**
   * Called with each row, without its line break. The text is Latin-1: each character is one byte.
   */
  readonly row?: (row: string) => Promise<void> | void;
  readonly end?: () => Promise<void>;
};

/**
 * Reads the whole file and checks its hash. Returns the data of the first line, and the number of
 * rows that broke an invariant when the file was written.
 * @throws Error with a message for the operator when the file is cut off or damaged.
 */
export async function readPostgresCopy(
  path: string,
  { table, row, end }: Reader = {},
): Promise<CopyHead & { readonly breaches: number }> {
  const hash = createHash('sha256');
  let head: CopyHead | null = null;
  let inTable = false;
  let breaches: number | null = null;
  for await (const line of linesOf(path)) {
    if (breaches !== null) throw cut(path, 'data follows its end');
    if (inTable && line === END_OF_TABLE) {
      inTable = false;
      await end?.();
    } else if (inTable) await row?.(line);
    else if (head === null) head = headIn(line, path);
    else {
      const last = END.safeParse(parsed(line));
      if (last.success) {
        if (last.data.sha256 !== hash.digest('hex')) throw cut(path, 'its content was changed');
        breaches = last.data.breaches;
        continue;
      }
      const begun = TABLE.safeParse(parsed(line));
      if (!begun.success) throw cut(path, 'a line does not have the format of a backup');
      inTable = true;
      await table?.({ name: begun.data.table, columns: begun.data.columns });
    }
    hash.update(line, 'latin1').update('\n');
  }
  if (head === null || breaches === null) throw cut(path, 'its end is missing');
  return { ...head, breaches };
}

/**
 * Yields the complete lines of a file, decoded as Latin-1, in which each character is one byte.
 * `node:readline` would also split lines at other characters, such as U+2028.
 */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(path, { encoding: 'latin1' })) {
    const lines = (rest + String(part)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function headIn(line: string, path: string): CopyHead {
  const head = HEAD.safeParse(parsed(line));
  if (!head.success) throw cut(path, 'its first line is not that of a backup of PostgreSQL');
  // A restore creates the schema with the migrations of this version, so this version must know all
  // migrations of the copied database.
  const { schema } = head.data;
  stepsAfter({ at: schema, floor: schema }, MIGRATIONS, 'backup');
  return { schema: head.data.schema, takenAtMs: head.data.taken_at_ms };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The line is not JSON. `headIn` reports that it does not match the format.
    return null;
  }
}

const cut = (path: string, why: string): Error =>
  new Error(`${path} is incomplete or damaged: ${why}. Use another backup.`);

/**
 * Restores a copy into an empty database: all its rows or none, except tables and columns that the
 * operator has added. If the restore fails, only the schema remains.
 * @throws Error with a message for the operator.
 */
export async function copyToEmptyPostgres(
  path: string,
  { url, clock }: Omit<PostgresCopyOptions, 'verify'>,
): Promise<RestoredCopy> {
  // Reads the whole file first, so that a damaged file is found before the database changes.
  const { schema } = await readPostgresCopy(path);
  const link = new PostgresLink({ url, clock, statementMs: 0, lockMs: 0 });
  try {
    const steps = MIGRATIONS.filter(({ id }) => id <= schema);
    await link.ask(COPY_MS, async (client) => await refuseRows(client));
    await migratePostgres(link, steps, clock);
    return await link.ask(COPY_MS, (client) => client.begin((begun) => readAll(path, begun)));
  } finally {
    await link.close();
  }
}

async function readAll(path: string, begun: Asking): Promise<RestoredCopy> {
  const found = await tablesOf(begun);
  const tables = found.map(({ name }) => name);
  await begun.unsafe(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  await refuseRows(begun);
  for (const name of tables) await begun.unsafe(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  const known = new Map(found.map(({ name, columns }) => [name, new Set(columns)]));
  const sink = new RowSink(begun, known);
  const head = await readPostgresCopy(path, sink);
  for (const name of tables) await begun.unsafe(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  await continueNumbers(begun);
  return { ...head, others: sink.others };
}

/** Receives the rows of a copy and sends those of known tables to the server in batches. */
class RowSink implements Reader {
  readonly others: string[] = [];
  readonly #target: Asking;
  readonly #known: ReadonlyMap<string, ReadonlySet<string>>;
  /** The columns to leave out of each row, by their place; null for none. */
  #left: ReadonlySet<number> | null = null;
  #table = '';
  #rows: Writable | null = null;
  #text = '';

  constructor(target: Asking, known: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#target = target;
    this.#known = known;
  }

  readonly table = async ({ name, columns }: Table): Promise<void> => {
    this.#rows = null;
    const known = this.#known.get(name);
    if (known === undefined) {
      this.others.push(name);
      return;
    }
    const left = columns.flatMap((column, at) => (known.has(column) ? [] : [at]));
    for (const at of left) this.others.push(`${name}.${columns[at]}`);
    this.#left = left.length === 0 ? null : new Set(left);
    const kept = columns.filter((column) => known.has(column));
    const copy = `COPY ${name} (${kept.join(', ')}) FROM STDIN`;
    this.#rows = await this.#target.unsafe(copy).writable();
    this.#table = name;
  };

  readonly row = (row: string): Promise<void> | void => {
    if (this.#rows === null) return;
    // COPY writes a tab inside a value as `\t`, so each tab separates two columns.
    const left = this.#left;
    const kept =
      left === null
        ? row
        : row
            .split('\t')
            .filter((_, at) => !left.has(at))
            .join('\t');
    this.#text += `${kept}\n`;
    if (this.#text.length >= SENT_CHARS) return this.#send();
  };

  readonly end = async (): Promise<void> => {
    if (this.#rows === null) return;
    await this.#send();
    this.#rows.end();
    // The stream ends only in the next turn of the event loop. Only then may a query be sent.
    await nextTurn();
    try {
      // The driver does not report a refused row. But the transaction has then failed, so this
      // throws.
      await this.#target.unsafe('SELECT 1');
    } catch (thrown) {
      throw new Error(
        `PostgreSQL refused a row of ${this.#table}. The server's log has the reason. ` +
          'Nothing was restored.',
        { cause: thrown },
      );
    }
  };

  async #send(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text === '') return;
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    this.#rows?.write(text, 'latin1', () => resolve());
    await sent;
  }
}

/** @throws Error with a message for the operator when any table has rows. */
async function refuseRows(asked: Asking): Promise<void> {
  for (const { name } of await tablesOf(asked)) {
    const rows = await asked.unsafe(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new Error(
      `The PostgreSQL database is not empty: ${name} has rows. Nothing was restored. ` +
        'Use a new database, made with CREATE DATABASE.',
    );
  }
}
