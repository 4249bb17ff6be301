/** Lets commands that arrive during a transaction share the next transaction and its disk flush. */
import { nextTurn } from '../clock.ts';
import { GatewayError } from '../errors.ts';

/** Maximum commands in one transaction (512 take about 20 ms). More would save little. */
export const MAX_BATCH_COMMANDS = 512;
/**
 * Maximum queued commands: a second or two of work for a busy disk. Further commands are refused.
 */
export const MAX_QUEUED_COMMANDS = 10_000;

type Submission<Job, Done> = {
  readonly jobs: readonly Job[];
  readonly resolve: (done: readonly Done[]) => void;
  readonly reject: (thrown: unknown) => void;
};

export class GroupCommit<Job, Done> {
  /** Writes a batch as one transaction and resolves with the replies in order. */
  readonly #write: (batch: readonly Job[]) => Promise<readonly Done[]>;
  #waiting: Submission<Job, Done>[] = [];
  #waitingJobs = 0;
  /** Resolves when the queue is empty; null while nothing is being written. */
  #draining: Promise<void> | null = null;
  #closed = false;

  constructor(write: (batch: readonly Job[]) => Promise<readonly Done[]>) {
    this.#write = write;
  }

  /**
   * Resolves with the replies, in order, when all of `jobs` are durable.
   * @throws GatewayError `store_unavailable` when the queue is full or closed, `invalid_value` when
   *   there are too many `jobs` for one transaction; any error of the write.
   */
  submit(jobs: readonly Job[]): Promise<readonly Done[]> {
    if (jobs.length === 0) return Promise.resolve([]);
    if (jobs.length > MAX_BATCH_COMMANDS) {
      const message = `A batch may have at most ${MAX_BATCH_COMMANDS} commands.`;
      return Promise.reject(new GatewayError('invalid_value', message, { param: 'batch' }));
    }
    if (this.#closed) {
      return Promise.reject(new GatewayError('store_unavailable', 'The store is closed.'));
    }
    if (this.#waitingJobs + jobs.length > MAX_QUEUED_COMMANDS) {
      const message = 'The store is overloaded. Repeat the request in a moment.';
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

  /**
   * Refuses new jobs from now on. Resolves when all earlier jobs have been written or have failed.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#writeOne(this.#nextBatch());
      // Waits one turn of the event loop, so that callers that continue after this answer can share
      // the next batch. Without this wait, batches of one command would alternate with larger ones.
      await nextTurn();
    }
    this.#draining = null;
  }

  /**
   * Takes from the queue the first submissions that together fit into one batch. None of them is
   * split.
   */
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
