/**
 * Batches of commands into PostgreSQL. A batch is one statement, the call of a function that decides and
 * writes, so it is one round trip and one transaction, durable when the answer is here; and no lock is
 * ever held for a client to make up its mind.
 *
 * When no answer comes, the batch may be in the books all the same. It is sent again, on another
 * connection, until it is answered: ids are idempotency keys, and the locks that the function takes first
 * make the second wait for the first to end, however late that comes.
 */
import postgres from 'postgres';
import type { Clock } from '../../clock.ts';
import {
  isCertainlyUndone,
  isServerTrouble,
  type PostgresLink,
} from '../../store/postgres/postgres-link.ts';
import { unavailable } from '../../store/store-fault.ts';
import type { Command } from '../ledger.ts';
import { OutcomeInDoubt } from '../ledger.ts';
import { decodeReplies, type Fault, type Reply } from '../wire.ts';
import { encodeBatch } from './postgres-wire.ts';

export type CommitLimits = {
  /** One attempt; a healthy server answers in some milliseconds. */
  readonly attemptMs: number;
  /** All attempts of one batch; then its callers are told. */
  readonly deadlineMs: number;
  /** As long as the last batch found nobody: callers are told soon, and one attempt looks for the server. */
  readonly probeMs: number;
  /** Between two attempts. */
  readonly pauseMs: number;
};

export const COMMIT_LIMITS: CommitLimits = {
  attemptMs: 2_000,
  deadlineMs: 6_000,
  probeMs: 500,
  pauseMs: 50,
};

/** The command's amount would take the wallet beyond what one may have; the words are for its caller. */
const AMOUNT_TOO_LARGE = 'MG001';

export class PostgresCommits {
  readonly #link: PostgresLink;
  readonly #clock: Clock;
  readonly #limits: CommitLimits;
  #isLost = false;

  constructor(link: PostgresLink, clock: Clock, limits: CommitLimits) {
    this.#link = link;
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * @throws OutcomeInDoubt when the batch may be in the books; GatewayError `store_unavailable` when it
   *   certainly is not.
   */
  async write(batch: readonly Command[]): Promise<readonly Reply[]> {
    const { probeMs, deadlineMs } = this.#limits;
    const untilMs = this.#clock.monotonicMs() + (this.#isLost ? probeMs : deadlineMs);
    return await this.#settleFaults(batch, untilMs);
  }

  /** One command's fault is not its neighbours': the batch is halved until the faulty one is alone. */
  async #settleFaults(batch: readonly Command[], untilMs: number): Promise<readonly Reply[]> {
    try {
      return await this.#persist(batch, untilMs);
    } catch (thrown) {
      if (isServerTrouble(thrown) || !(thrown instanceof postgres.PostgresError)) throw thrown;
      if (batch.length === 1) return [faultOf(thrown)];
      const middle = batch.length >> 1;
      const first = await this.#settleFaults(batch.slice(0, middle), untilMs);
      try {
        return [...first, ...(await this.#settleFaults(batch.slice(middle), untilMs))];
      } catch (failed) {
        // The first half is in the books, and all are told the same: not that nothing was done.
        throw failed instanceof OutcomeInDoubt ? failed : new OutcomeInDoubt(failed);
      }
    }
  }

  async #persist(batch: readonly Command[], untilMs: number): Promise<readonly Reply[]> {
    const encoded = encodeBatch(batch);
    let isInDoubt = false;
    for (;;) {
      const leftMs = untilMs - this.#clock.monotonicMs();
      try {
        const replies = await this.#send(encoded, Math.min(leftMs, this.#limits.attemptMs));
        this.#isLost = false;
        return replies;
      } catch (thrown) {
        if (!isServerTrouble(thrown)) throw thrown;
        isInDoubt ||= !isCertainlyUndone(thrown);
        if (this.#clock.monotonicMs() + this.#limits.pauseMs >= untilMs) {
          this.#isLost = true;
          throw isInDoubt ? new OutcomeInDoubt(thrown) : unavailable(String(thrown));
        }
        await this.#clock.sleep(this.#limits.pauseMs);
      }
    }
  }

  async #send(encoded: string, withinMs: number): Promise<readonly Reply[]> {
    const [row] = await this.#link.ask(Math.max(withinMs, 1), async (client) =>
      client.unsafe<{ replies: string }[]>(
        'SELECT books_apply($1::text::jsonb) AS replies',
        [encoded],
        { prepare: true },
      ),
    );
    if (row === undefined) throw new Error('books_apply answered nothing');
    return decodeReplies(row.replies);
  }
}

function faultOf({ code, message }: InstanceType<typeof postgres.PostgresError>): Fault {
  return code === AMOUNT_TOO_LARGE
    ? { status: 'fault', code: 'invalid_value', message, param: 'amount' }
    : { status: 'fault', code: 'internal_error', message, param: null };
}
