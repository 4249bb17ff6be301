/**
 * This process's lease on the ledger. While the lease is live, no other node resolves the process's
 * holds before they expire.
 */
import { type Clock, newId, type Timer } from '../clock.ts';
import { asGatewayError } from '../errors.ts';
import type { Ledger } from './ledger.ts';
import { REAP_BATCH } from './settlement-plan.ts';
import type { MayCharge, SettlementSpool } from './settlement-spool.ts';

/** A node without a heartbeat for this long counts as dead. */
export const LEASE_MS = 10_000;
const HEARTBEAT_MS = 2_000;
/**
 * Only every second heartbeat reaps (resolves the holds of dead nodes), because that is less urgent
 * than renewing the lease.
 */
const REAP_EVERY_BEATS = 2;
/**
 * Maximum batches of one reap, enough to resolve all holds of a busy node within a minute of its
 * death.
 */
const MOST_REAPS = 10;
/**
 * The maximum time in which one heartbeat sends spooled commands. More would delay the next
 * heartbeat.
 */
const REPLAY_MS = LEASE_MS / 4;
/**
 * How long a starting node waits until no live lease has its name. If the previous process was
 * killed, its lease must end first.
 */
const NAME_WAIT_MS = LEASE_MS + 2 * HEARTBEAT_MS;
const NAME_RETRY_MS = 250;
/** How often a stopping node checks whether its spool is empty. */
const SPOOL_LOOK_MS = 250;

type LeaseLog = Readonly<
  Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>
>;

export type NodeLeaseDeps = {
  readonly ledger: Pick<Ledger, 'join' | 'renew' | 'leave' | 'reap' | 'apply'>;
  readonly spool: SettlementSpool;
  readonly mayCharge: MayCharge;
  readonly clock: Clock;
  readonly log: LeaseLog;
  /** The operator's name for this node. If it is null, the epoch is the name. */
  readonly name: string | null;
  /** Called with the number of live nodes, this one included. */
  readonly onNodes: (nodes: number) => void;
};

export class NodeLease {
  readonly #deps: NodeLeaseDeps;
  #epoch: string;
  /**
   * The epoch of the next attempt to join. After a failed attempt, the next one uses the same
   * epoch, because the store may have granted the lease.
   */
  #next: string | null = null;
  #beats = 0;
  #timer: Timer | null = null;
  #renewing: Promise<boolean> | null = null;
  #running: Promise<boolean> | null = null;
  /** Whether the last heartbeat failed, so that an unavailable store is logged only once. */
  #isAway = false;

  private constructor(deps: NodeLeaseDeps, epoch: string) {
    this.#deps = deps;
    this.#epoch = epoch;
  }

  /** The epoch of this process's holds. It changes when the node takes a new lease. */
  get epoch(): string {
    return this.#epoch;
  }

  /**
   * Sends spooled commands (settlements and voids that wait on disk), takes a lease, and resolves
   * the holds of dead nodes.
   * @throws Error when another node has the name.
   */
  static async take(deps: NodeLeaseDeps): Promise<NodeLease> {
    // Spooled settlements are sent before holds are reaped, because a reaped hold is charged by its
    // last checkpoint, which is less exact than its settlement. They are also sent before the lease
    // is taken, because nothing would renew the lease meanwhile.
    await replay(deps, () => true);
    const { ofNewerVersions } = deps.spool;
    if (ofNewerVersions > 0) {
      deps.log.error(
        { rows: ofNewerVersions },
        'the spool has settlements of a newer version, and keeps them until that version starts with ' +
          'this data folder',
      );
    }
    const lease = new NodeLease(deps, await join(deps, newEpoch(deps)));
    await lease.#reap();
    lease.#timer = deps.clock.every(HEARTBEAT_MS, () => void lease.beat());
    return lease;
  }

  /**
   * Renews the lease, then sends spooled commands and reaps the holds of dead nodes. The next
   * heartbeat renews the lease even if this reap still waits for a lock. Never rejects.
   */
  async beat(): Promise<void> {
    this.#renewing ??= this.#attempt(() => this.#renew()).finally(() => {
      this.#renewing = null;
    });
    if (await this.#renewing) await this.#errands();
  }

  /**
   * Waits up to `mostMs` until heartbeats have sent all spooled commands, because the node's disk
   * may be deleted after the stop. Returns how many commands are left.
   */
  async emptied(mostMs: number): Promise<number> {
    const { spool, clock, log } = this.#deps;
    const untilMs = clock.monotonicMs() + mostMs;
    if (spool.waiting > 0) await this.beat();
    if (spool.waiting > 0) {
      log.warn(
        { waiting: spool.waiting, mostMs },
        'the shutdown waits until the database accepts the settlements on disk',
      );
    }
    while (spool.waiting > 0 && clock.monotonicMs() < untilMs) await clock.sleep(SPOOL_LOOK_MS);
    if (spool.waiting > 0) {
      log.error(
        { waiting: spool.waiting },
        'settlements still wait on disk; the next start with this data folder writes them to the database',
      );
    }
    return spool.waiting;
  }

  /**
   * Sends spooled commands, then ends the lease. Other nodes then resolve the holds that are still
   * pending.
   */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#renewing;
    await this.#running;
    try {
      await this.#replay();
      await this.#deps.ledger.leave(this.#epoch);
    } catch (thrown) {
      this.#deps.log.warn({ err: thrown }, 'could not end the lease of this node; it will expire');
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
      if (this.#isAway) this.#deps.log.info({}, 'the database is available again');
      this.#isAway = false;
    };
    this.#running ??= this.#attempt(run).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Runs `work` and returns whether it succeeded. Logs only the first of several failures in a row.
   */
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

  /** Takes a lease under a new epoch, because the holds of the old one may have been resolved. */
  async #rejoin(): Promise<void> {
    const lost = this.#epoch;
    this.#next ??= newEpoch(this.#deps);
    this.#epoch = await join(this.#deps, this.#next);
    this.#next = null;
    this.#deps.log.warn(
      { lost, epoch: this.#epoch },
      'the lease of this node ended, because the node hung or the store was unavailable; the node has a new lease',
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
    log.warn(all, 'resolved the holds of a dead node');
  }
}

async function replay(
  { spool, ledger, mayCharge, log }: NodeLeaseDeps,
  isTime: () => boolean,
): Promise<void> {
  if (spool.waiting === 0) return;
  const { applied, refused } = await spool.replay(ledger, isTime, mayCharge);
  if (applied > 0) log.info({ applied }, 'wrote the settlements that waited for the store');
  for (const each of refused) {
    log.error(each, 'the ledger refused a spooled settlement; it stays in the spool');
  }
}

const newEpoch = ({ clock }: NodeLeaseDeps): string => newId(clock, 'node');

/**
 * Takes a lease for `first`, or for a new epoch if the lease of `first` has ended. Returns the
 * epoch. Waits while another live lease has the node's name.
 */
async function join(deps: NodeLeaseDeps, first: string): Promise<string> {
  const { ledger, clock, name } = deps;
  let epoch = first;
  const untilMs = clock.monotonicMs() + NAME_WAIT_MS;
  for (;;) {
    const joined = await ledger.join({ epoch, name: name ?? epoch }, LEASE_MS);
    if (joined === 'joined') return epoch;
    if (joined === 'epoch_over') {
      epoch = newEpoch(deps);
      continue;
    }
    if (clock.monotonicMs() >= untilMs) {
      throw new Error(
        `Another running node is called ${JSON.stringify(name)}. Give each node its own name ` +
          '(node_name or MODELGATE_NODE_NAME), or leave the names out.',
      );
    }
    await clock.sleep(NAME_RETRY_MS);
  }
}
