/**
 * This process's lease on the books. While it runs, its holds are its own; when it ends, because the
 * process died or stood still too long, any other node may resolve them. The same heartbeat brings in what
 * dead nodes left behind and sends the settlements that waited for the store.
 */
import { type Clock, newId, type Timer } from '../clock.ts';
import { asGatewayError } from '../errors.ts';
import type { Ledger } from './ledger.ts';
import { REAP_BATCH } from './settlement-plan.ts';
import type { SettlementSpool } from './settlement-spool.ts';

/** After this long without a heartbeat a node counts as dead. */
export const LEASE_MS = 10_000;
const HEARTBEAT_MS = 2_000;
/** Dead nodes are looked for less often than the own lease is lengthened. */
const REAP_EVERY_BEATS = 3;
/** Batches that are resolved then: what a busy node leaves behind is gone within a minute. */
const MOST_REAPS = 10;
/** A heartbeat sends what waits for this long at most; then it is time for the next one. */
const REPLAY_MS = LEASE_MS / 4;
/** A node that was killed and starts again under its own name waits for its old lease to end. */
const NAME_WAIT_MS = LEASE_MS + 2 * HEARTBEAT_MS;
const NAME_RETRY_MS = 250;

type LeaseLog = Readonly<
  Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>
>;

export type NodeLeaseDeps = {
  readonly ledger: Pick<Ledger, 'join' | 'renew' | 'leave' | 'reap' | 'apply'>;
  readonly spool: SettlementSpool;
  readonly clock: Clock;
  readonly log: LeaseLog;
  /** Null: the epoch is its name too. */
  readonly name: string | null;
  /** Told how many nodes run, this one included. */
  readonly onNodes: (nodes: number) => void;
};

export class NodeLease {
  readonly #deps: NodeLeaseDeps;
  #epoch: string;
  /** The epoch that it is to go on under: kept until the store has answered, since it may have it already. */
  #next: string | null = null;
  #beats = 0;
  #timer: Timer | null = null;
  #renewing: Promise<boolean> | null = null;
  #running: Promise<boolean> | null = null;
  /** Whether the last heartbeat failed, so that a store that is away is told of once. */
  #isAway = false;

  private constructor(deps: NodeLeaseDeps, epoch: string) {
    this.#deps = deps;
    this.#epoch = epoch;
  }

  /** The life under which this process sells; a new one when the last lease was lost. */
  get epoch(): string {
    return this.#epoch;
  }

  /**
   * Takes a lease, sends what an earlier process had to leave unsent, and resolves what dead nodes held.
   * @throws Error when another living node has the name; GatewayError `store_unavailable`.
   */
  static async take(deps: NodeLeaseDeps): Promise<NodeLease> {
    // Before the reaper: a settlement that was kept says more than a checkpoint. And before the lease, which
    // nobody would lengthen meanwhile.
    await replay(deps, () => true);
    const lease = new NodeLease(deps, await join(deps, newEpoch(deps)));
    await lease.#reap();
    lease.#timer = deps.clock.every(HEARTBEAT_MS, () => void lease.beat());
    return lease;
  }

  /**
   * One heartbeat: lengthens the lease, then brings in what dead nodes left and sends what waited. Neither
   * is overtaken by its own next; but however long a reap waits for a lock, the lease is lengthened.
   * Never rejects.
   */
  async beat(): Promise<void> {
    this.#renewing ??= this.#attempt(() => this.#renew()).finally(() => {
      this.#renewing = null;
    });
    if (await this.#renewing) await this.#errands();
  }

  /** Ends the lease: holds that are still pending are other nodes' to resolve. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#renewing;
    await this.#running;
    try {
      await this.#replay();
      await this.#deps.ledger.leave(this.#epoch);
    } catch (thrown) {
      this.#deps.log.warn({ err: thrown }, 'the lease of this node was left to end by itself');
    }
  }

  async #renew(): Promise<void> {
    const { isLive, nodes } = await this.#deps.ledger.renew(this.#epoch, LEASE_MS);
    if (!isLive) await this.#rejoin();
    this.#deps.onNodes(Math.max(1, nodes));
  }

  #errands(): Promise<boolean> {
    const run = async (): Promise<void> => {
      await this.#replay();
      this.#beats += 1;
      if (this.#beats % REAP_EVERY_BEATS === 0) await this.#reap();
      if (this.#isAway) this.#deps.log.info({}, 'the store is back');
      this.#isAway = false;
    };
    this.#running ??= this.#attempt(run).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** @returns whether the store did it; that it is away is told of once. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (thrown) {
      if (!this.#isAway) {
        const { message, cause } = asGatewayError(thrown);
        this.#deps.log.error(
          { err: cause ?? thrown },
          `the heartbeat of this node failed: ${message}`,
        );
      }
      this.#isAway = true;
      return false;
    }
  }

  /** Its holds may have been resolved already, so it goes on as another. */
  async #rejoin(): Promise<void> {
    const lost = this.#epoch;
    this.#next ??= newEpoch(this.#deps);
    this.#epoch = await join(this.#deps, this.#next);
    this.#next = null;
    this.#deps.log.warn(
      { lost, epoch: this.#epoch },
      'the lease of this node ended: it stood still, or the store was away; it goes on under a new one',
    );
  }

  async #replay(): Promise<void> {
    const { clock } = this.#deps;
    const untilMs = clock.monotonicMs() + REPLAY_MS;
    await replay(this.#deps, () => clock.monotonicMs() < untilMs);
  }

  async #reap(): Promise<void> {
    const { ledger, log } = this.#deps;
    const all = { settled: 0, voided: 0 };
    for (let reaps = 0; reaps < MOST_REAPS; reaps += 1) {
      const { settled, voided } = await ledger.reap();
      all.settled += settled;
      all.voided += voided;
      if (settled + voided < REAP_BATCH) break;
    }
    if (all.settled + all.voided === 0) return;
    log.warn(all, 'resolved holds that a dead node left behind');
  }
}

async function replay({ spool, ledger, log }: NodeLeaseDeps, isTime: () => boolean): Promise<void> {
  if (spool.waiting === 0) return;
  const { applied, refused } = await spool.replay(ledger, isTime);
  if (applied > 0) log.info({ applied }, 'settlements that waited for the store are written');
  for (const each of refused) {
    log.error(each, 'the books refuse a settlement that waited; it stays in the spool');
  }
}

const newEpoch = ({ clock }: NodeLeaseDeps): string => newId(clock, 'node');

/** @returns the epoch, once it has the lease. */
async function join({ ledger, clock, name }: NodeLeaseDeps, epoch: string): Promise<string> {
  const untilMs = clock.monotonicMs() + NAME_WAIT_MS;
  for (;;) {
    const joined = await ledger.join({ epoch, name: name ?? epoch }, LEASE_MS);
    if (joined === 'joined') return epoch;
    if (clock.monotonicMs() >= untilMs) {
      throw new Error(
        `Another running node is called ${JSON.stringify(name)}. Give each node a name of its own (node_name, or MODELGATE_NODE_NAME), or none.`,
      );
    }
    await clock.sleep(NAME_RETRY_MS);
  }
}
