/**
 * Writes a batch to PostgreSQL as one call of a database function: one round trip, one transaction.
 * A batch that the server refuses is halved, and each half has its own transaction.
 *
 * A batch without a reply is retried until the deadline. Retries are safe: ids are idempotency
 * keys, and the function's locks make the second call wait for the first.
 */
import postgres from 'postgres';
import type { Clock } from '../../clock.ts';
import {
  isCertainlyUndone,
  isServerTrouble,
  type PostgresLink,
} from '../../store/postgres/postgres-link.ts';
import { unavailable } from '../../store/store-fault.ts';
import { OutcomeInDoubt } from '../ledger.ts';
import { ABOVE_MAX_BALANCE } from '../settlement-plan.ts';
import type { Fault, Reply } from '../wire.ts';

export type CommitLimits = {
  /** The time limit of one attempt. A healthy server replies within milliseconds. */
  readonly attemptMs: number;
  /** The time limit of all attempts to write a batch. After that, the callers get an error. */
  readonly deadlineMs: number;
  /** Replaces `deadlineMs` after a batch without a reply, so that callers fail quickly. */
  readonly probeMs: number;
  /** The pause between two attempts. */
  readonly pauseMs: number;
};

export const COMMIT_LIMITS: CommitLimits = {
  attemptMs: 2_000,
  deadlineMs: 6_000,
  probeMs: 500,
  pauseMs: 50,
};

/** The SQLSTATE of an amount that would raise a wallet above its maximum. */
const AMOUNT_TOO_LARGE = 'MG001';

/** The SQLSTATE of a settlement whose request has an archived receipt. */
const ARCHIVED = 'MG002';

/** The statement that writes a batch of jobs, with its encoding. */
export type BatchStatement<Job, Answer = Reply> = {
  /** The statement. It returns one row with one column, `replies`. */
  readonly sql: string;
  readonly encode: (batch: readonly Job[]) => string[];
  /** Decodes the replies: one for each job of the batch, in order. */
  readonly decode: (replies: string | null, batch: readonly Job[]) => readonly Answer[];
  /** Returns the reply to a job that fails even when it is alone in a batch. */
  readonly faulty: (fault: Fault) => Answer;
};

/**
 * `isLost`: whether the last batch got no reply. All statements of a connection share this object.
 */
export type StoreHealth = { isLost: boolean };

export class PostgresCommits<Job, Answer = Reply> {
  readonly #statement: BatchStatement<Job, Answer>;
  readonly #link: PostgresLink;
  readonly #clock: Clock;
  readonly #limits: CommitLimits;
  readonly #health: StoreHealth;

  constructor(
    statement: BatchStatement<Job, Answer>,
    link: PostgresLink,
    clock: Clock,
    limits: CommitLimits,
    health: StoreHealth = { isLost: false },
  ) {
    this.#statement = statement;
    this.#link = link;
    this.#clock = clock;
    this.#limits = limits;
    this.#health = health;
  }

  /**
   * @throws OutcomeInDoubt when jobs may have been applied; `store_unavailable` when none was
   *   applied.
   */
  async write(batch: readonly Job[]): Promise<readonly Answer[]> {
    const { probeMs, deadlineMs } = this.#limits;
    const untilMs = this.#clock.monotonicMs() + (this.#health.isLost ? probeMs : deadlineMs);
    return await this.#settleFaults(batch, untilMs);
  }

  /** Halves a failing batch until each failing job is alone, so that all other jobs are applied. */
  async #settleFaults(batch: readonly Job[], untilMs: number): Promise<readonly Answer[]> {
    try {
      return await this.#persist(batch, untilMs);
    } catch (thrown) {
      if (isServerTrouble(thrown) || !(thrown instanceof postgres.PostgresError)) throw thrown;
      if (batch.length === 1) return [this.#statement.faulty(faultOf(thrown))];
      const middle = batch.length >> 1;
      const first = await this.#settleFaults(batch.slice(0, middle), untilMs);
      try {
        return [...first, ...(await this.#settleFaults(batch.slice(middle), untilMs))];
      } catch (failed) {
        // The first half of the batch was applied, but all callers of the batch get this one error.
        // So it says that each command may have been applied.
        throw failed instanceof OutcomeInDoubt ? failed : new OutcomeInDoubt(failed);
      }
    }
  }

  async #persist(batch: readonly Job[], untilMs: number): Promise<readonly Answer[]> {
    const encoded = this.#statement.encode(batch);
    let isInDoubt = false;
    for (;;) {
      const leftMs = untilMs - this.#clock.monotonicMs();
      try {
        const withinMs = Math.min(leftMs, this.#limits.attemptMs);
        const replies = this.#statement.decode(await this.#send(encoded, withinMs), batch);
        this.#health.isLost = false;
        return replies;
      } catch (thrown) {
        if (!isServerTrouble(thrown)) throw thrown;
        isInDoubt ||= !isCertainlyUndone(thrown);
        if (this.#clock.monotonicMs() + this.#limits.pauseMs >= untilMs) {
          this.#health.isLost = true;
          throw isInDoubt ? new OutcomeInDoubt(thrown) : unavailable(String(thrown));
        }
        await this.#clock.sleep(this.#limits.pauseMs);
      }
    }
  }

  async #send(encoded: string[], withinMs: number): Promise<string | null> {
    const { sql } = this.#statement;
    const [row] = await this.#link.ask(Math.max(withinMs, 1), async (client) =>
      client.unsafe<{ replies: string | null }[]>(sql, encoded, { prepare: true }),
    );
    if (row === undefined) throw new Error(`no row returned by ${sql}`);
    return row.replies;
  }
}

function faultOf({ code, message }: InstanceType<typeof postgres.PostgresError>): Fault {
  if (code === ARCHIVED) return { status: 'fault', code: 'conflict', message, param: null };
  return code === AMOUNT_TOO_LARGE
    ? { status: 'fault', code: 'invalid_value', message: ABOVE_MAX_BALANCE, param: 'amount' }
    : { status: 'fault', code: 'internal_error', message, param: null };
}
