/**
 * Deletes Idempotency-Keys after a day, and the oldest stored answers when an owner or the store
 * has too many.
 */
import type { Clock } from '../clock.ts';
import { andEquals, type SqlExecutor, statement } from '../store/sql.ts';

export type AnswerBound = { readonly answers: number; readonly bytes: number };

const MIB = 1024 * 1024;
/**
 * The limits on the stored answers of one owner. They are enough to repeat an interrupted day of
 * work.
 */
export const ACCOUNT_BOUND: AnswerBound = { answers: 1_000, bytes: 64 * MIB };
/** The limits on the stored answers of all owners: one gigabyte of disk. */
export const STORE_BOUND: AnswerBound = { answers: 50_000, bytes: 1024 * MIB };
/** An owner's limits are checked each time new answers have filled 1/8 of one of them. */
const LOOK_AFTER_PART = 8;
/**
 * Maximum owners whose new answers are counted. Only STORE_BOUND limits the answers of further
 * owners.
 */
const MAX_COUNTED_ACCOUNTS = 10_000;
/** Maximum rows per statement. The number is low, because settlements wait for the statement. */
const STEP_ROWS = 200;
const STEP_BYTES = 8 * MIB;
/** Maximum steps of one round. The next round does the rest of the work. */
const MAX_STEPS = 500;

export type UpkeepDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs'>;
  /**
   * The id of this node's lease (its epoch). The live node with the smallest one does the work that
   * all nodes share.
   */
  readonly epoch: () => string;
  /** Called when a round failed. The next round retries. */
  readonly onFailure: (thrown: unknown) => void;
  readonly accountBound?: AnswerBound;
  readonly storeBound?: AnswerBound;
};

type Kept = { answers: number; bytes: number };

export class IdempotencyUpkeep {
  readonly #deps: UpkeepDeps;
  readonly #accountBound: AnswerBound;
  readonly #storeBound: AnswerBound;
  /**
   * The number and bytes of the answers that this process has stored for each owner since the
   * owner's limits were last checked.
   */
  readonly #kept = new Map<string, Kept>();
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: UpkeepDeps) {
    this.#deps = deps;
    this.#accountBound = deps.accountBound ?? ACCOUNT_BOUND;
    this.#storeBound = deps.storeBound ?? STORE_BOUND;
  }

  /** Counts a stored answer. Checks the owner's limits when enough new answers were counted. */
  count(ownerId: string, bytes: number): void {
    const kept = this.#kept.get(ownerId) ?? { answers: 0, bytes: 0 };
    if (this.#kept.size >= MAX_COUNTED_ACCOUNTS && !this.#kept.has(ownerId)) return;
    kept.answers += 1;
    kept.bytes += bytes;
    this.#kept.set(ownerId, kept);
    const bound = this.#accountBound;
    const isDue =
      kept.answers * LOOK_AFTER_PART >= bound.answers ||
      kept.bytes * LOOK_AFTER_PART >= bound.bytes;
    if (!isDue) return;
    this.#kept.delete(ownerId);
    void this.#after(() => this.#trim(ownerId, bound));
  }

  /**
   * Deletes the oldest answers of each counted owner who is above a limit. One of the nodes also
   * deletes expired keys, and applies the limits on the answers of all owners. Never rejects.
   */
  round(): Promise<void> {
    return this.#after(async () => {
      const accounts = [...this.#kept.keys()];
      this.#kept.clear();
      for (const ownerId of accounts) await this.#trim(ownerId, this.#accountBound);
      if (!(await this.#isFirst())) return;
      await this.#inSteps(() => this.#forgetExpired());
      await this.#trim(null, this.#storeBound);
    });
  }

  /** Starts no further work. Resolves when the current work has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  /** Runs tasks one after the other, so that only one of their queries runs at a time. */
  #after(work: () => Promise<void>): Promise<void> {
    this.#working = this.#working.then(async () => {
      try {
        if (!this.#stopped) await work();
      } catch (thrown) {
        this.#deps.onFailure(thrown);
      }
    });
    return this.#working;
  }

  /**
   * Whether this node has the smallest epoch of all live nodes. That node does the work that all
   * nodes share.
   */
  async #isFirst(): Promise<boolean> {
    const { sql, clock, epoch } = this.#deps;
    const [first] = await sql.query(statement`SELECT MIN(epoch) AS epoch FROM node
      WHERE lease_until_ms > ${clock.nowMs()}`);
    return first?.['epoch'] === epoch();
  }

  /** Deletes a limited number of the oldest expired keys. @returns the number of deleted keys. */
  async #forgetExpired(): Promise<number> {
    const { sql, clock } = this.#deps;
    const forgotten = await sql.query(statement`DELETE FROM idempotency WHERE claim_id IN (
        SELECT claim_id FROM (SELECT claim_id,
            SUM(answer_bytes) OVER (ORDER BY expires_at_ms, claim_id) - answer_bytes AS earlier
          FROM (SELECT claim_id, expires_at_ms, answer_bytes FROM idempotency
            WHERE expires_at_ms <= ${clock.nowMs()}
            ORDER BY expires_at_ms, claim_id LIMIT ${STEP_ROWS}) AS due
        ) AS weighed WHERE earlier < ${STEP_BYTES}) RETURNING claim_id`);
    return forgotten.length;
  }

  /** Drops the oldest answers until the remaining ones are within the limit. */
  async #trim(ownerId: string | null, bound: AnswerBound): Promise<void> {
    const { sql } = this.#deps;
    const isMeant = statement`state = 'kept' ${andEquals('owner_id', ownerId)}`;
    const [kept] = await sql.query(statement`SELECT COUNT(*) AS answers,
      COALESCE(SUM(answer_bytes), 0) AS bytes FROM idempotency WHERE ${isMeant}`);
    let answers = Number(kept?.['answers'] ?? 0) - bound.answers;
    let bytes = Number(kept?.['bytes'] ?? 0) - bound.bytes;
    await this.#inSteps(async () => {
      if (answers <= 0 && bytes <= 0) return 0;
      const dropped: string[] = [];
      let stepBytes = 0;
      const oldestKept = await sql.query(statement`SELECT claim_id, answer_bytes FROM idempotency
        WHERE ${isMeant} ORDER BY created_at_ms, claim_id LIMIT ${STEP_ROWS}`);
      for (const oldest of oldestKept) {
        if ((answers <= 0 && bytes <= 0) || stepBytes >= STEP_BYTES) break;
        dropped.push(String(oldest['claim_id']));
        stepBytes += Number(oldest['answer_bytes']);
        answers -= 1;
        bytes -= Number(oldest['answer_bytes']);
      }
      if (dropped.length === 0) return 0;
      // The keys of dropped answers are still marked as charged.
      await sql.query({
        sql: `UPDATE idempotency SET state = 'spent', answer = NULL, answer_bytes = 0
          WHERE state = 'kept' AND claim_id IN (${dropped.map(() => '?').join(', ')})`,
        params: dropped,
      });
      return dropped.length;
    });
  }

  /** Repeats a step until it returns 0, at most `MAX_STEPS` times. */
  async #inSteps(step: () => Promise<number>): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS && !this.#stopped; steps++) {
      if ((await step()) === 0) return;
    }
  }
}
