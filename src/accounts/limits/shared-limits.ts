/**
 * Shares the counts of limits with the other nodes through the store. Only one query to the store
 * runs at a time. The next query contains all changes that were made meanwhile. If there is only
 * one node, the store is not queried.
 */
import type { Clock, Timer } from '../../clock.ts';
import type { LimitStore } from './limit-store.ts';
import { type Granted, type SharedCount, SharedRunning } from './shared-count.ts';

/** The maximum number of limits in one query. The store needs about 10 ms for this number. */
const MAX_ASKS = 500;
/**
 * The maximum number of requests that wait for the store. Further requests do not ask the store,
 * but must fit into this node's part of the limit.
 */
const MAX_WAITING = 10_000;
/** The interval of regular reports. Urgent reports are sent at once. */
const REPORT_MS = 1_000;
/** How often running requests are reported again, because a crash of the store loses the counts. */
const KEEP_MS = 60_000;
const SWEEP_MS = 600_000;
/** How long this node waits after a failed query before it queries the store again. */
const AWAY_MS = 1_000;
/**
 * How long limits stay shared after the last other node has left. By then, that node's use has
 * drained.
 */
const ALONE_MS = 60_000;

export type SharedLimitsDeps = {
  readonly store: LimitStore;
  readonly clock: Pick<Clock, 'monotonicMs' | 'every' | 'sleep'>;
  readonly epoch: () => string;
  /** Called for the first of several consecutive failed queries. */
  readonly onAway: (thrown: unknown) => void;
};

export class SharedLimits {
  readonly #deps: SharedLimitsDeps;
  /** The counts to report at once, by name of the limit. A query contains each limit only once. */
  readonly #urgent = new Map<string, SharedCount>();
  /** The counts for the next regular report. */
  readonly #later = new Map<string, SharedCount>();
  readonly #held = new Map<string, SharedRunning>();
  /**
   * The number of nodes. It is infinite before the first heartbeat, so that every use asks the
   * store first.
   */
  #nodes = Number.POSITIVE_INFINITY;
  #waiting = 0;
  #turn = 0;
  #isAsking = false;
  #epoch = '';
  #manyMs: number;
  #keptMs: number;
  #sweptMs: number;
  #awayUntilMs = Number.NEGATIVE_INFINITY;
  #isAway = false;
  #timer: Timer | null = null;

  constructor(deps: SharedLimitsDeps) {
    this.#deps = deps;
    this.#manyMs = this.#nowMs;
    this.#keptMs = this.#manyMs;
    this.#sweptMs = this.#manyMs;
  }

  get nodes(): number {
    return this.#nodes;
  }

  /** Whether limits are shared with other nodes, or were shared within the last minute. */
  get isOn(): boolean {
    return this.#nodes > 1 || this.#nowMs - this.#manyMs < ALONE_MS;
  }

  /**
   * Whether the store may be queried now. If not, each node enforces only its own part of a limit:
   * the limit divided by the number of nodes.
   */
  get isReachable(): boolean {
    return this.#nowMs >= this.#awayUntilMs;
  }

  setNodes(nodes: number): void {
    if (nodes > 1 || this.#nodes > 1) this.#manyMs = this.#nowMs;
    this.#nodes = nodes;
  }

  start(): void {
    this.#timer ??= this.#deps.clock.every(REPORT_MS, () => this.report());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Asks the store whether another `count` requests or tokens fit. Never rejects. */
  async ask(of: SharedCount, count: number): Promise<Granted> {
    if (!this.isReachable || this.#waiting >= MAX_WAITING) return 'away';
    this.#waiting += 1;
    const granted = of.wait(count);
    this.#urgent.set(of.name, of);
    this.#noteHeld(of);
    this.#flush();
    return await granted.finally(() => {
      this.#waiting -= 1;
    });
  }

  /** Reports a changed count: at once if the change is large, else with the next regular report. */
  changed(of: SharedCount): void {
    this.#noteHeld(of);
    if (!of.isUrgent) this.#later.set(of.name, of);
    else {
      this.#urgent.set(of.name, of);
      if (this.isReachable) this.#flush();
    }
  }

  /** Sends the regular report of changes that are not urgent. */
  report(): void {
    const nowMs = this.#nowMs;
    const epoch = this.#deps.epoch();
    if (epoch !== this.#epoch || nowMs - this.#keptMs >= KEEP_MS) {
      this.#epoch = epoch;
      this.#keptMs = nowMs;
      for (const [name, held] of this.#held) this.#urgent.set(name, held);
    }
    for (const [name, each] of this.#later) this.#urgent.set(name, each);
    this.#later.clear();
    for (const [name, held] of this.#held) if (!held.isHeld) this.#held.delete(name);
    if (this.isOn && this.isReachable) this.#flush();
    if (this.isOn && nowMs - this.#sweptMs >= SWEEP_MS) {
      this.#sweptMs = nowMs;
      this.#deps.store.sweep().catch((thrown) => this.#failed(thrown));
    }
  }

  #noteHeld(of: SharedCount): void {
    if (of instanceof SharedRunning) this.#held.set(of.name, of);
  }

  #flush(): void {
    if (this.#isAsking || this.#urgent.size === 0) return;
    this.#isAsking = true;
    void this.#askAll();
  }

  async #askAll(): Promise<void> {
    const { store, epoch } = this.#deps;
    // A request adds all its limits in the same turn of the event loop. Waiting for a microtask
    // puts all of them into one query.
    await Promise.resolve();
    while (this.#urgent.size > 0) {
      const batch = [...this.#urgent.values()].slice(0, MAX_ASKS);
      for (const { name } of batch) {
        this.#urgent.delete(name);
        this.#later.delete(name);
      }
      this.#turn += 1;
      const asks = batch.map((each) => each.ask());
      try {
        const answers = await store.count(asks, epoch(), this.#turn);
        for (const each of batch) this.#answered(each, answers);
        this.#isAway = false;
      } catch (thrown) {
        this.#failed(thrown);
        for (const each of [...batch, ...this.#urgent.values()]) {
          each.failed();
          this.#later.set(each.name, each);
        }
        this.#urgent.clear();
      }
    }
    this.#isAsking = false;
  }

  #answered(each: SharedCount, answers: Awaited<ReturnType<LimitStore['count']>>): void {
    const answer = answers.get(each.name);
    if (answer === undefined) throw new Error(`the limit store returned no count for ${each.name}`);
    each.answered(answer, this.#nowMs);
    if (each.isUrgent || each.isWaited) this.#urgent.set(each.name, each);
  }

  #failed(thrown: unknown): void {
    this.#awayUntilMs = this.#nowMs + AWAY_MS;
    if (!this.#isAway) this.#deps.onAway(thrown);
    this.#isAway = true;
  }

  get #nowMs(): number {
    return Math.floor(this.#deps.clock.monotonicMs());
  }
}
