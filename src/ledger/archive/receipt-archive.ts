/**
 * Moves the receipts of a past month to a file. The file is written and read back before the first
 * receipt is deleted, and only receipts in the file are deleted. Sums replace the movements of the
 * deleted receipts, so statements stay exact and all invariants hold after each step.
 *
 * A receipt stays if it was refunded, because the refund refers to it. It also stays if it was
 * corrected in another month. The receipt with the highest sequence number (its own or its
 * correction's) stays too, because the next movement gets the number after it.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Clock, newId } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { Currency } from '../../money/amount.ts';
import { DAY_MS, dateOf, firstOfMonth } from '../../money/calendar.ts';
import { integer, text } from '../../store/row.ts';
import { type SqlRow, type SqlStatement, statement } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import {
  type ArchivedReceipt,
  checkArchive,
  type FileSums,
  lineOf,
  readArchive,
  sumsOfRows,
  writeArchive,
} from './archive-file.ts';
import {
  ARCHIVABLE,
  deletion,
  keptBetween,
  NEWEST_PLACE,
  presentOf,
  receiptsOf,
} from './archive-statements.ts';
import { archivedRuns, type RequestMovement } from './archived-runs.ts';

const FOLDER = 'archives';
const HOUR_MS = 3_600_000;
const UNFINISHED = '.partial';
/**
 * Receipts of this many past months are never archived, because reports compare a month with the
 * same month of the previous year.
 */
export const KEPT_MONTHS = 13;
const PAGE_ROWS = 500;
/** Maximum receipts to delete in one transaction. SQLite needs about 20 ms for this number. */
const SLICE_ROWS = 200;

export type ReceiptArchiveDeps = {
  readonly database: Pick<Store, 'sql' | 'engine'>;
  readonly dataDir: string;
  readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>;
};

/** A month with receipts, such as `2025-01`. */
export type ArchiveMonth = {
  readonly month: string;
  readonly requests: bigint;
  /** The number of requests whose receipts were moved to a file. */
  readonly archived: bigint;
};

export type MonthArchive = {
  /** The absolute path of the file; null when no receipt could be archived. */
  readonly file: string | null;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly receipts: bigint;
};

export class ReceiptArchive {
  readonly #deps: ReceiptArchiveDeps;
  readonly #folder: string;
  #isRunning = false;

  constructor(deps: ReceiptArchiveDeps) {
    this.#deps = deps;
    this.#folder = resolve(deps.dataDir, FOLDER);
  }

  /** Returns the months that may be archived, oldest first. */
  async months(): Promise<readonly ArchiveMonth[]> {
    const end = firstOfMonth(this.#deps.clock.nowMs(), -KEPT_MONTHS);
    const rows = await this.#deps.database.sql.query(statement`SELECT u.month AS month,
        CAST(SUM(u.requests) AS BIGINT) AS requests, COALESCE((SELECT CAST(SUM(s.receipts) AS BIGINT)
          FROM archived_sum s JOIN archive a ON a.id = s.archive_id WHERE a.month = u.month), 0)
          AS archived
      FROM usage_by_month u WHERE u.month < ${end} GROUP BY u.month ORDER BY u.month`);
    return rows.map((row) => ({
      month: dateOf(Number(integer(row, 'month'))).slice(0, 7),
      requests: integer(row, 'requests'),
      archived: integer(row, 'archived'),
    }));
  }

  /**
   * Archives a month, such as `2025-01`. If the process is killed during the archiving, a second
   * run archives the remaining receipts in another file.
   * @throws GatewayError `invalid_value` if the month is too recent, `conflict` during another run
   */
  async archive(month: string, actor: string): Promise<MonthArchive> {
    const first = Date.parse(`${month}-01T00:00:00Z`) / DAY_MS;
    if (first >= firstOfMonth(this.#deps.clock.nowMs(), -KEPT_MONTHS)) {
      const message = `The receipts of the last ${KEPT_MONTHS} months and of the current month cannot be archived.`;
      throw new GatewayError('invalid_value', message, { param: 'month' });
    }
    if (this.#isRunning)
      throw new GatewayError(
        'conflict',
        'Another archive is being written. Wait until it is done.',
      );
    this.#isRunning = true;
    try {
      return await this.#archive(month, first, actor);
    } finally {
      this.#isRunning = false;
    }
  }

  async #archive(month: string, first: number, actor: string): Promise<MonthArchive> {
    const { database, clock } = this.#deps;
    const { sql, engine } = database;
    const found = await this.#sums(first);
    const receipts = [...found.values()].reduce((sum, of) => sum + of.receipts, 0n);
    if (receipts === 0n) return { file: null, bytes: 0, sha256: null, receipts };
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const id = newId(clock, 'arc');
    const file = join(this.#folder, `receipts-${month}-${id}.jsonl.gz`);
    const unfinished = `${file}${UNFINISHED}`;
    try {
      await writeArchive(unfinished, month, this.#receipts(first));
      const { sha256, sums } = await checkArchive(unfinished);
      requireSame(sums, found);
      renameSync(unfinished, file);
      // Without this flush, a power failure could lose the file's directory entry after receipts
      // were deleted.
      flushFolder(this.#folder);
      flushFolder(dirname(this.#folder));
      await sql.transaction(
        [
          statement`INSERT INTO archive (id, month, file, sha256, receipts, created_at_ms)
            VALUES (${id}, ${first}, ${file}, ${sha256}, ${receipts}, ${clock.nowMs()})
            RETURNING id`,
        ],
        {
          ...{ atMs: clock.nowMs(), actor, action: 'ledger.archive', subject: month },
          detail: { receipts: `${receipts}`, sha256 },
        },
      );
      if (engine === 'postgres') await sql.query(statement`SELECT books_count_uses()`);
      await this.#delete(id, file);
      return { file, bytes: statSync(file).size, sha256, receipts };
    } finally {
      rmSync(unfinished, { force: true });
    }
  }

  /** Sums a month hour by hour, so that each statement is short. */
  async #sums(first: number): Promise<FileSums> {
    const isOf = await this.#isOf(first);
    const [fromMs, endMs] = [first * DAY_MS, firstOfMonth(first * DAY_MS, 1) * DAY_MS];
    const rows: SqlRow[] = [];
    for (let atMs = fromMs; atMs < endMs; atMs += HOUR_MS) {
      rows.push(
        ...(await this.#deps.database.sql.query(statement`SELECT r.currency AS currency,
            COUNT(*) AS receipts, CAST(SUM(r.charge + r.loss + COALESCE(l.charge, 0)
              + COALESCE(l.loss, 0)) AS BIGINT) AS price
          FROM ${ARCHIVABLE} WHERE r.settled_at_ms >= ${atMs}
            AND r.settled_at_ms < ${atMs + HOUR_MS} AND ${isOf} GROUP BY r.currency`)),
      );
    }
    return sumsOfRows(rows);
  }

  /** Returns the SQL condition for those receipts of a month that may be archived. */
  async #isOf(first: number): Promise<SqlStatement> {
    const endMs = firstOfMonth(first * DAY_MS, 1) * DAY_MS;
    const [newest] = await this.#deps.database.sql.query(NEWEST_PLACE);
    const place = newest === undefined ? 0n : integer(newest, 'seq');
    return statement`r.settled_at_ms >= ${first * DAY_MS} AND r.settled_at_ms < ${endMs}
      AND r.seq < ${place} AND (l.seq IS NULL OR (l.seq < ${place}
        AND l.settled_at_ms >= ${first * DAY_MS} AND l.settled_at_ms < ${endMs}))
      AND NOT EXISTS (SELECT 1 FROM refund f WHERE f.request_id = r.request_id)`;
  }

  /** Yields the receipts of a month that may be archived, sorted by account and time. */
  async *#receipts(first: number): AsyncGenerator<ArchivedReceipt> {
    const { sql } = this.#deps.database;
    const isOf = await this.#isOf(first);
    const accounts = await sql.query(statement`SELECT DISTINCT account_id FROM usage_by_month
      WHERE month = ${first} ORDER BY account_id`);
    for (const account of accounts) {
      let after = { atMs: -1n, id: '' };
      for (;;) {
        const rows = await sql.query(statement`${receiptsOf(text(account, 'account_id'))}
          AND ${isOf} AND (r.settled_at_ms, r.request_id) > (${after.atMs}, ${after.id})
          ORDER BY r.settled_at_ms, r.request_id LIMIT ${PAGE_ROWS}`);
        for (const row of rows) yield lineOf(row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE_ROWS) break;
        after = { atMs: integer(last, 'settled_at_ms'), id: text(last, 'request_id') };
      }
    }
  }

  /**
   * Deletes the receipts in a file from the store, one slice per transaction. The receipts of a
   * slice belong to one account.
   */
  async #delete(id: string, file: string): Promise<void> {
    let slice: ArchivedReceipt[] = [];
    for await (const line of readArchive(file)) {
      const isNext = ownerOf(line) !== ownerOf(slice[0] ?? line);
      if (isNext || slice.length === SLICE_ROWS) {
        await this.#deleteSlice(id, slice);
        slice = [];
      }
      slice.push(line);
    }
    if (slice.length > 0) await this.#deleteSlice(id, slice);
  }

  /**
   * Returns those of the given receipts that still exist and were neither refunded nor corrected
   * since the file was written.
   */
  async #unchanged(written: readonly ArchivedReceipt[]): Promise<readonly ArchivedReceipt[]> {
    const ids = written.map(({ receipt }) => String(receipt['request_id']));
    const rows = await this.#deps.database.sql.query(presentOf(ids));
    const present = new Map(rows.map((row) => [text(row, 'request_id'), row]));
    return written.filter((line) => {
      const row = present.get(String(line.receipt['request_id']));
      if (row === undefined || integer(row, 'price') !== priceOf(line)) return false;
      return (integer(row, 'corrected') === 1n) === (line.correction !== null);
    });
  }

  async #deleteSlice(archiveId: string, written: readonly ArchivedReceipt[]): Promise<void> {
    const { sql, engine } = this.#deps.database;
    const slice = await this.#unchanged(written);
    const [first] = slice;
    if (first === undefined) return;
    const accountId = ownerOf(first);
    const ids = slice.map(({ receipt }) => String(receipt['request_id']));
    const moved = slice.flatMap(movementsOf);
    const own = new Set(moved.map(({ seq }) => seq));
    const places = [...own].toSorted(byPlace);
    const gaps = places.length < 2 ? [] : await sql.query(keptBetween(accountId, places));
    const rows = archivedRuns(moved, gaps.map((row) => integer(row, 'start_at')).toSorted(byPlace));
    const sums = {
      receipts: BigInt(slice.length),
      corrected: BigInt(slice.filter(({ correction }) => correction !== null).length),
      price: slice.reduce((sum, line) => sum + priceOf(line), 0n),
    };
    await sql.transaction(deletion({ archiveId, accountId, ids, sums, rows, engine }));
  }
}

/** Compares two sequence numbers of movements. */
const byPlace = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the sum of the charges and losses of a receipt and its correction. */
const priceOf = ({ receipt, correction }: ArchivedReceipt): bigint =>
  [receipt, ...(correction === null ? [] : [correction])].reduce(
    (sum, part) => sum + BigInt(String(part['charge'])) + BigInt(String(part['loss'])),
    0n,
  );

const ownerOf = ({ receipt }: ArchivedReceipt): string => String(receipt['account_id']);

/** Returns the movements of a receipt and its correction, like the view `movement`. */
function movementsOf({ receipt, correction }: ArchivedReceipt): readonly RequestMovement[] {
  return [
    ...partsOf(receipt, 'settle'),
    ...(correction === null ? [] : partsOf(correction, 'late')),
  ];
}

function partsOf(
  row: ArchivedReceipt['receipt'],
  kind: 'settle' | 'late',
): readonly RequestMovement[] {
  const number = (column: string): bigint => BigInt(String(row[column] ?? 0));
  const own: Currency = row['currency'] === 'USD' ? 'USD' : 'CNY';
  const other: Currency = own === 'USD' ? 'CNY' : 'USD';
  const at = { seq: number('seq'), atMs: number('settled_at_ms') };
  const [charge, bought, sold] = [number('charge'), number('bought'), number('sold')];
  const after = number('balance_after');
  const paid = { ...at, line: 5n, currency: own, kind, amount: -charge, balanceAfter: after };
  const exchange = { ...at, kind: 'exchange' } as const;
  const into = {
    ...exchange,
    line: 3n,
    currency: own,
    amount: bought,
    balanceAfter: after + charge,
  };
  const from = { ...exchange, line: 1n, currency: other, amount: -sold };
  return [
    ...(charge === 0n ? [] : [paid]),
    ...(bought === 0n ? [] : [into]),
    ...(bought === 0n || sold === 0n ? [] : [{ ...from, balanceAfter: number('other_after') }]),
  ];
}

/** @throws Error if the sums of the file differ from those of the store. */
function requireSame(file: FileSums, stored: FileSums): void {
  const textOf = (sums: FileSums): string =>
    [...sums]
      .map(([currency, of]) => `${currency} ${of.receipts} ${of.price}`)
      .toSorted()
      .join();
  if (textOf(file) === textOf(stored)) return;
  throw new Error(
    `the receipts in the file do not match those in the store: the file has ${textOf(file)}, the store has ${textOf(stored)} (currency, number of receipts, sum of prices)`,
  );
}

function flushFolder(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Opens the archive of an installation, whose files are in its data folder. */
export const openArchive = (
  { config, clock }: Pick<ReceiptArchiveDeps, 'clock'> & { readonly config: { data_dir: string } },
  database: ReceiptArchiveDeps['database'],
): ReceiptArchive => new ReceiptArchive({ database, dataDir: config.data_dir, clock });
