/**
 * Records providers' answers to failed attempts, for administrators. While a provider is down, all
 * its answers are alike, so only a limited number per minute is recorded.
 */
import type { Clock, Timer } from '../../clock.ts';
import type { GatewayError } from '../../errors.ts';
import type { FailedAttempt } from '../../relay/failed-attempt.ts';
import { maskKeys, printable } from '../../routing/masking.ts';
import { integer, text } from '../../store/row.ts';
import { type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../../store/sql.ts';
import { BatchedRows } from '../batched-rows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ROWS_A_WRITE = 100;
/** Maximum answers of an upstream that a node records per minute. */
export const MAX_OF_UPSTREAM_A_MINUTE = 100;
const MAX_WAITING = 2_000;
/** Maximum answers in the store. They take about 100 MB. */
const MAX_KEPT = 200_000;
const DELETED_AT_ONCE = 500;
const MAX_ANSWER_CHARS = 1_000;
const MAX_NAME_CHARS = 200;

export type AttemptFailure = {
  readonly requestId: string;
  readonly attempt: number;
  readonly atMs: number;
  readonly upstream: string;
  readonly model: string;
  readonly code: string;
  readonly answer: string;
};

export type AttemptFailuresDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'after' | 'every'>;
  /** How long answers are stored, in milliseconds. */
  readonly keptMs: () => number;
  /** Called when a write fails. The unwritten rows are retried later. */
  readonly onFailure: (thrown: unknown) => void;
  /** Maximum answers that the store keeps. */
  readonly maxKept?: number;
};

export class AttemptFailures {
  readonly #deps: AttemptFailuresDeps;
  readonly #rows: BatchedRows<AttemptFailure>;
  readonly #hourly: Timer;
  /**
   * The errors that are already recorded. A request can end with the error of one of its attempts,
   * which must not be recorded twice.
   */
  readonly #known = new WeakSet<object>();
  #minute = 0;
  /** The number of answers that were recorded for each upstream in the current minute. */
  #kept = new Map<string, number>();
  #isPruned = false;

  constructor(deps: AttemptFailuresDeps) {
    this.#deps = deps;
    this.#rows = new BatchedRows({
      clock: deps.clock,
      maxWaiting: MAX_WAITING,
      rowsAWrite: ROWS_A_WRITE,
      write: async (rows) => {
        await deps.sql.query(insertion(rows));
      },
      onWritten: () => this.#prune(),
      onFailure: deps.onFailure,
    });
    this.#hourly = deps.clock.every(HOUR_MS, () => {
      this.#isPruned = false;
      this.#rows.flushSoon();
    });
  }

  /**
   * Records the answer to a failed attempt, unless the upstream already failed too often this
   * minute.
   */
  add({ requestId, number, upstream, model, failure }: FailedAttempt): void {
    const { cause } = failure;
    if (!(cause instanceof Error) || this.#known.has(cause) || !this.#isKept(upstream)) return;
    this.#known.add(cause);
    this.#rows.add({
      ...{ requestId, attempt: number, upstream, code: failure.code },
      atMs: this.#deps.clock.nowMs(),
      model: model.slice(0, MAX_NAME_CHARS),
      answer: answerOf(cause),
    });
  }

  /** Records the error that interrupted an answer, unless it is already recorded for an attempt. */
  brokeOff(requestId: string, failure: GatewayError): void {
    this.add({ requestId, number: 0, upstream: '', model: '', failure });
  }

  /** Returns the providers' answers to a request, in the order of its attempts. */
  async of(requestId: string): Promise<readonly AttemptFailure[]> {
    await this.flush();
    const rows = await this.#deps.sql.query(statement`SELECT * FROM attempt_failure
      WHERE request_id = ${requestId} ORDER BY CASE attempt WHEN 0 THEN 1 ELSE 0 END, attempt`);
    return rows.map(failureOf);
  }

  /** Writes the waiting answers. Never rejects. */
  flush(): Promise<void> {
    return this.#rows.flush();
  }

  async close(): Promise<void> {
    this.#hourly.cancel();
    await this.#rows.close();
  }

  #isKept(upstream: string): boolean {
    const minute = Math.floor(this.#deps.clock.nowMs() / MINUTE_MS);
    if (minute !== this.#minute) this.#kept.clear();
    this.#minute = minute;
    const kept = (this.#kept.get(upstream) ?? 0) + 1;
    this.#kept.set(upstream, kept);
    return kept <= MAX_OF_UPSTREAM_A_MINUTE;
  }

  /**
   * Deletes outdated answers. Also deletes the oldest answers if there are more than `maxKept`.
   * Runs at most once an hour.
   */
  async #prune(): Promise<void> {
    if (this.#isPruned) return;
    this.#isPruned = true;
    const { sql, clock, keptMs, maxKept = MAX_KEPT } = this.#deps;
    await this.#delete(statement`at_ms < ${clock.nowMs() - keptMs()}`);
    const [cut] = await sql.query(statement`SELECT at_ms FROM attempt_failure
      ORDER BY at_ms DESC LIMIT 1 OFFSET ${maxKept}`);
    if (cut !== undefined) await this.#delete(statement`at_ms <= ${integer(cut, 'at_ms')}`);
  }

  async #delete(where: SqlStatement): Promise<void> {
    let deleted = DELETED_AT_ONCE;
    while (deleted === DELETED_AT_ONCE) {
      const rows = await this.#deps.sql.query(statement`DELETE FROM attempt_failure
        WHERE (request_id, attempt) IN (SELECT request_id, attempt FROM attempt_failure
          WHERE ${where} LIMIT ${DELETED_AT_ONCE})
        RETURNING attempt`);
      deleted = rows.length;
    }
  }
}

/**
 * Returns the provider's answer with the API keys of all known providers masked. The upstream's own
 * key is already masked in `message`.
 */
const answerOf = ({ message }: Error): string =>
  printable(maskKeys(message.slice(0, 2 * MAX_ANSWER_CHARS)))
    .slice(0, MAX_ANSWER_CHARS)
    .toWellFormed();

const insertion = (rows: readonly AttemptFailure[]): SqlStatement => ({
  sql: `INSERT INTO attempt_failure (request_id, attempt, at_ms, upstream, model, code, answer)
    VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}
    ON CONFLICT (request_id, attempt) DO NOTHING`,
  params: rows.flatMap((of) => [
    ...[of.requestId, of.attempt, of.atMs, of.upstream, of.model, of.code, of.answer],
  ]),
});

const failureOf = (row: SqlRow): AttemptFailure => ({
  requestId: text(row, 'request_id'),
  attempt: Number(integer(row, 'attempt')),
  atMs: Number(integer(row, 'at_ms')),
  upstream: text(row, 'upstream'),
  model: text(row, 'model'),
  code: text(row, 'code'),
  answer: text(row, 'answer'),
});
