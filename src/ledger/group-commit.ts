/**
 * Group commit: what arrives while one transaction is being written goes together into the next. A lone
 * command waits for nobody, and a crowd shares one flush of the disk.
 */
import { GatewayError } from '../errors.ts';

/**
 * Commands in one transaction. Past a few hundred a flush is shared enough already, and a larger one
 * only makes its first caller wait for its last (512 take about 20 ms).
 */
export const MAX_BATCH_COMMANDS = 512;
/** Commands waiting their turn: a second or two of a busy disk; beyond that a caller had better know. */
export const MAX_QUEUED_COMMANDS = 10_000;

type Submission<Job, Done> = {
  readonly jobs: readonly Job[];
  readonly resolve: (done: readonly Done[]) => void;
  readonly reject: (thrown: unknown) => void;
};

export class GroupCommit<Job, Done> {
  /** Writes a batch as one transaction and answers in its order; rejects when all of it is in doubt. */
  readonly #write: (batch: readonly Job[]) => Promise<readonly Done[]>;
  #waiting: Submission<Job, Done>[] = [];
  #waitingJobs = 0;
  /** Settles when the queue is empty; null while it is. */
  #draining: Promise<void> | null = null;
  #closed = false;

  constructor(write: (batch: readonly Job[]) => Promise<readonly Done[]>) {
    this.#write = write;
  }

  /**
   * Resolves when all of `jobs` are durable, with their answers in order.
   * @throws GatewayError `store_unavailable` when the queue is full or closed, `invalid_value` when `jobs` are too
   *   many for one transaction, and whatever the write rejects with.
   */
  submit(jobs: readonly Job[]): Promise<readonly Done[]> {
    if (jobs.length === 0) return Promise.resolve([]);
    if (jobs.length > MAX_BATCH_COMMANDS) {
      const message = `A batch must be of at most ${MAX_BATCH_COMMANDS} commands.`;
      return Promise.reject(new GatewayError('invalid_value', message, { param: 'batch' }));
    }
    if (this.#closed) {
      return Promise.reject(new GatewayError('store_unavailable', 'The store is closed.'));
    }
    if (this.#waitingJobs + jobs.length > MAX_QUEUED_COMMANDS) {
      const message = 'The store has more to write than it can. Try again in a moment.';
      return Promise.reject(
        new GatewayError('store_unavailable', message, { retryAfterSeconds: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ jobs, resolve, reject });
      this.#waitingJobs += jobs.length;
      this.#draining ??= this.#drain();
    });
  }

  /** Refuses what comes from now on; resolves when all that came before has been written. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeOne(this.#nextBatch());
    this.#draining = null;
  }

  /** From the front of the queue, as many whole submissions as fit; each fits by itself. */
  #nextBatch(): Submission<Job, Done>[] {
    let jobs = 0;
    let taken = 0;
    for (const submission of this.#waiting) {
      if (jobs + submission.jobs.length > MAX_BATCH_COMMANDS) break;
      jobs += submission.jobs.length;
      taken += 1;
    }
    this.#waitingJobs -= jobs;
    return this.#waiting.splice(0, taken);
  }

  async #writeOne(batch: readonly Submission<Job, Done>[]): Promise<void> {
    try {
      const done = await this.#write(batch.flatMap((submission) => submission.jobs));
      let from = 0;
      for (const { jobs, resolve } of batch) {
        resolve(done.slice(from, from + jobs.length));
        from += jobs.length;
      }
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    }
  }
}
