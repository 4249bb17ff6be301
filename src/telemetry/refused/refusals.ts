/**
 * Stores the requests that were refused before anything was charged. Refusals wait in memory and
 * are written in batches. Callers can cause any number of refusals, so only a sample is stored when
 * there are too many.
 */
import type { Clock, Timer } from '../../clock.ts';
import { DAY_MS, dayOf } from '../../money/calendar.ts';
import { integer } from '../../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../../store/sql.ts';
import { BatchedRows } from '../batched-rows.ts';
import type { FinishedRequest } from '../request-journal.ts';
import type { Refusal } from './refusal-log.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ROWS_A_WRITE = 100;

/**
 * A node stores the first refusals of an account in a minute, up to this number. Of the account's
 * further refusals in that minute, it stores only a sample.
 */
export const MAX_A_MINUTE = 50;
/** Maximum refusals of all accounts together that a node stores per minute. */
export const MAX_OF_ALL_A_MINUTE = 2_000;
/** Maximum refusals (about 5 MB) and maximum counts that wait in memory to be written. */
export const MAX_WAITING = 5_000;
const MAX_WAITING_COUNTS = 20_000;
/** Maximum refusals in the store: of one account, and of all accounts together (about 300 MB). */
const MAX_OF_ACCOUNT = 20_000;
const MAX_KEPT = 500_000;
/** The number of new refusals after which an account's refusals beyond its limit are deleted. */
const TRIM_AFTER = 500;
/**
 * Maximum rows that one statement deletes. Such a statement occupies SQLite's thread for about 3
 * ms.
 */
const DELETED_AT_ONCE = 500;

const MAX_MESSAGE_CHARS = 500;
/**
 * Maximum length of a stored model name. The caller chooses the name, so it can have any length.
 */
const MAX_MODEL_CHARS = 200;

export type RefusalsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'after' | 'every'>;
  /** How long refusals are stored, in milliseconds. */
  readonly keptMs: () => number;
  /**
   * Called after each minute in which some refusals were only counted. `requests` is their number;
   * `accounts` is the number of accounts with more than `MAX_A_MINUTE` refusals.
   */
  readonly onSampled: (unlisted: { readonly requests: number; readonly accounts: number }) => void;
  /** Called when a write fails. The unwritten rows are retried later. */
  readonly onFailure: (thrown: unknown) => void;
  /** Maximum refusals in the store: `ofAccount` of one account, `kept` of all accounts. */
  readonly limits?: { readonly ofAccount: number; readonly kept: number };
};

type Count = { readonly day: number; readonly accountId: string; readonly code: string };

export class Refusals {
  readonly #deps: RefusalsDeps;
  readonly #limits: { readonly ofAccount: number; readonly kept: number };
  readonly #hourly: Timer;
  readonly #rows: BatchedRows<Refusal>;
  #minute = new Minute(0);
  #counts = new Map<string, Count & { requests: number }>();
  /**
   * For each account, the number of refusals that were written since the account's limit was last
   * checked.
   */
  #written = new Map<string, number>();
  #isPruned = false;

  constructor(deps: RefusalsDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? { ofAccount: MAX_OF_ACCOUNT, kept: MAX_KEPT };
    this.#rows = new BatchedRows({
      clock: deps.clock,
      maxWaiting: MAX_WAITING,
      rowsAWrite: ROWS_A_WRITE,
      write: (rows) => this.#insert(rows),
      onWritten: async () => {
        await this.#writeCounts();
        await this.#prune();
      },
      onFailure: deps.onFailure,
    });
    this.#hourly = deps.clock.every(HOUR_MS, () => {
      this.#isPruned = false;
      this.#rows.flushSoon();
    });
  }

  /**
   * Counts a request of a known caller that ended without a receipt. Also lists the request if it
   * is in the sample.
   */
  finished({ caller, endpoint, errorCode, errorMessage, ...request }: FinishedRequest): void {
    const { end, asked, startedAtMs: atMs } = request;
    if (caller === null || endpoint === null || errorCode === null) return;
    if (end !== 'refused' && end !== 'failed') return;
    const { accountId, keyId } = caller;
    this.#count({ day: dayOf(atMs), accountId, code: errorCode }, 1);
    if (!this.#isListed(accountId)) return;
    this.#rows.add({
      requestId: request.requestId,
      ...{ accountId, keyId, atMs, endpoint },
      model: asked === null ? null : storable(asked.model, MAX_MODEL_CHARS),
      status: request.status,
      code: errorCode,
      message: storable(errorMessage ?? '', MAX_MESSAGE_CHARS),
    });
  }

  /** Writes the waiting refusals. Never rejects. Concurrent calls share one flush. */
  flush(): Promise<void> {
    return this.#rows.flush();
  }

  async close(): Promise<void> {
    this.#hourly.cancel();
    await this.#rows.close();
    this.#reportSample();
  }

  /** Returns whether the refusal is listed. If not, it is only counted. */
  #isListed(accountId: string): boolean {
    const minute = Math.floor(this.#deps.clock.nowMs() / MINUTE_MS);
    if (minute !== this.#minute.minute) {
      this.#reportSample();
      this.#minute = new Minute(minute);
    }
    return this.#minute.admits(accountId, !this.#rows.isFull);
  }

  #reportSample(): void {
    const { unlisted, accounts } = this.#minute;
    if (unlisted > 0) this.#deps.onSampled({ requests: unlisted, accounts: accounts() });
  }

  #count(count: Count, requests: number): void {
    const key = `${count.day} ${count.code} ${count.accountId}`;
    const known = this.#counts.get(key);
    if (known !== undefined) known.requests += requests;
    else if (this.#counts.size < MAX_WAITING_COUNTS) this.#counts.set(key, { ...count, requests });
    this.#rows.flushSoon();
  }

  async #insert(rows: readonly Refusal[]): Promise<void> {
    await this.#deps.sql.query(insertion(rows));
    for (const { accountId } of rows)
      this.#written.set(accountId, (this.#written.get(accountId) ?? 0) + 1);
  }

  async #writeCounts(): Promise<void> {
    // All nodes write counts in the same order, so that their transactions cannot deadlock.
    const counts = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, of]) => of);
    this.#counts = new Map();
    try {
      while (counts.length > 0) {
        const some = counts.slice(0, ROWS_A_WRITE);
        await this.#deps.sql.query(addition(some));
        counts.splice(0, some.length);
      }
    } catch (thrown) {
      for (const { requests, ...count } of counts) this.#count(count, requests);
      throw thrown;
    }
  }

  /**
   * Deletes outdated refusals and refusals beyond the limits, once an hour. If an account has many
   * new refusals, its refusals beyond the limit are deleted at once.
   */
  async #prune(): Promise<void> {
    const isDue = !this.#isPruned;
    for (const [accountId, written] of this.#written) {
      if (!isDue && written < TRIM_AFTER) continue;
      this.#written.delete(accountId);
      await this.#trim(accountId);
    }
    if (!isDue) return;
    this.#isPruned = true;
    const { sql, clock, keptMs } = this.#deps;
    const fromMs = clock.nowMs() - keptMs();
    const { kept } = this.#limits;
    await this.#delete(statement`at_ms < ${BigInt(fromMs)}`);
    await sql.query(
      statement`DELETE FROM refusal_count WHERE day < ${Math.floor(fromMs / DAY_MS)}`,
    );
    // The sum of the counts is at least the number of stored refusals, and faster to compute. If
    // even the sum is within the limit, no refusal must be deleted.
    const [total] = await sql.query(
      statement`SELECT CAST(COALESCE(SUM(requests), 0) AS BIGINT) AS n FROM refusal_count`,
    );
    if (total === undefined || integer(total, 'n') <= kept) return;
    const [cut] = await sql.query(statement`SELECT at_ms, request_id FROM refusal
      ORDER BY at_ms DESC, request_id DESC LIMIT 1 OFFSET ${kept}`);
    if (cut !== undefined) await this.#delete(upTo(cut));
  }

  async #trim(accountId: string): Promise<void> {
    const [cut] = await this.#deps.sql.query(statement`SELECT at_ms, request_id FROM refusal
      WHERE account_id = ${accountId}
      ORDER BY at_ms DESC, request_id DESC LIMIT 1 OFFSET ${this.#limits.ofAccount}`);
    if (cut === undefined) return;
    await this.#delete(statement`account_id = ${accountId} AND ${upTo(cut)}`);
  }

  async #delete(where: SqlStatement): Promise<void> {
    let deleted = DELETED_AT_ONCE;
    while (deleted === DELETED_AT_ONCE) {
      const rows = await this.#deps.sql.query(statement`DELETE FROM refusal WHERE request_id IN
        (SELECT request_id FROM refusal WHERE ${where} LIMIT ${DELETED_AT_ONCE})
        RETURNING request_id`);
      deleted = rows.length;
    }
  }
}

/** Decides which refusals of one minute are listed and which are only counted. */
class Minute {
  readonly minute: number;
  unlisted = 0;
  #listed = 0;
  /** The number of refusals of each account. Only requests with a valid key reach this count. */
  readonly #accounts = new Map<string, number>();

  constructor(minute: number) {
    this.minute = minute;
  }

  /**
   * Counts a refusal and returns whether it is listed. While there is room, the first MAX_A_MINUTE
   * of an account are listed, and then its 64th, 128th, 256th and so on.
   */
  admits(accountId: string, hasRoom: boolean): boolean {
    const number = (this.#accounts.get(accountId) ?? 0) + 1;
    this.#accounts.set(accountId, number);
    const isSampled = number <= MAX_A_MINUTE || (number & (number - 1)) === 0;
    const isListed = isSampled && hasRoom && this.#listed < MAX_OF_ALL_A_MINUTE;
    if (isListed) this.#listed += 1;
    else this.unlisted += 1;
    return isListed;
  }

  /** Returns the number of accounts that had more than `MAX_A_MINUTE` refusals. */
  readonly accounts = (): number =>
    [...this.#accounts.values()].filter((refused) => refused > MAX_A_MINUTE).length;
}

/**
 * Truncates a text and replaces what PostgreSQL refuses: NUL characters and unpaired surrogates.
 */
const storable = (text: string, maxChars: number): string =>
  text.slice(0, maxChars).replaceAll('\0', ' ').toWellFormed();

const upTo = ({ at_ms, request_id }: Readonly<Record<string, SqlStatement['params'][number]>>) =>
  statement`(at_ms, request_id) <= (${at_ms ?? 0n}, ${request_id ?? ''})`;

const insertion = (rows: readonly Refusal[]): SqlStatement => ({
  sql: `INSERT INTO refusal
      (request_id, account_id, at_ms, key_id, endpoint, model, status, code, message)
    VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
    ON CONFLICT (request_id) DO NOTHING`,
  params: rows.flatMap((of) => [
    ...[of.requestId, of.accountId, of.atMs, of.keyId, of.endpoint, of.model],
    ...[of.status, of.code, of.message],
  ]),
});

const addition = (counts: readonly (Count & { readonly requests: number })[]): SqlStatement => ({
  sql: `INSERT INTO refusal_count (day, account_id, code, requests)
    VALUES ${counts.map(() => '(?, ?, ?, ?)').join(', ')}
    ON CONFLICT (day, account_id, code)
    DO UPDATE SET requests = refusal_count.requests + excluded.requests`,
  params: counts.flatMap(({ day, accountId, code, requests }) => [day, accountId, code, requests]),
});
