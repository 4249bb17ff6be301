/** Sends what the float writes to the store's thread, several writes in one transaction. */
import { asGatewayError } from '../../errors.ts';
import { unavailable } from '../../store/store-fault.ts';
import { GroupCommit } from '../group-commit.ts';
import type { Outcome } from '../ledger.ts';
import { outcomeOf } from '../shared-ledger.ts';
import { decodeReplies, type Reply } from '../wire.ts';
import type { FloatLink } from './float-store.ts';
import { encodeWrites, type WireWrite } from './float-wire.ts';

type Job = {
  readonly wire: WireWrite;
  /** Called with the reply before any later question to the store is answered. */
  readonly received: (reply: Reply) => void;
};

const IGNORED = (): void => {};

export class FloatCommits {
  readonly #commits: GroupCommit<Job, Reply>;
  /** Whether the last write failed. Nothing is sold until one succeeds, or a heartbeat does. */
  #isAway = false;

  constructor(link: FloatLink) {
    this.#commits = new GroupCommit<Job, Reply>(async (batch) => {
      let replies: readonly Reply[] = [];
      await link.ask('write', encodeWrites(batch.map(({ wire }) => wire)), (answer) => {
        replies = decodeReplies(answer);
        for (const [at, { received }] of batch.entries()) {
          const reply = replies[at];
          if (reply !== undefined) received(reply);
        }
      });
      return replies;
    });
  }

  /** @throws GatewayError `store_unavailable` while the store cannot be written. */
  requireStore(): void {
    if (this.#isAway) throw unavailable('its last write failed');
  }

  /** Resolves with the outcomes, in order, when all is durable. @throws as `Ledger.apply` */
  async write(
    wires: readonly WireWrite[],
    received: (reply: Reply, at: number) => void = IGNORED,
  ): Promise<readonly Outcome[]> {
    const jobs = wires.map((wire, at) => ({ wire, received: (it: Reply) => received(it, at) }));
    return (await this.noteWrite(this.#commits.submit(jobs))).map(outcomeOf);
  }

  /** Remembers whether the store could be written. */
  async noteWrite<Result>(writing: Promise<Result>): Promise<Result> {
    try {
      const result = await writing;
      this.#isAway = false;
      return result;
    } catch (thrown) {
      if (asGatewayError(thrown).code === 'store_unavailable') this.#isAway = true;
      throw thrown;
    }
  }

  close(): Promise<void> {
    return this.#commits.close();
  }
}
