/**
 * One node's copy of the count of a limit that all nodes share. The node may use a small part of
 * the limit before it reports this use to the store. For more, it asks the store first. Therefore
 * all nodes together exceed a limit by at most 1/AHEAD, and never exceed a limit that is below
 * AHEAD times the number of nodes.
 */
import {
  drain,
  type LeakyBucket,
  MINUTE_MS,
  newBucket,
  remainingOf,
  resetMs,
  waitMs,
} from './leaky-bucket.ts';
import type { LimitAnswer, LimitAsk } from './limit-store.ts';

/** All nodes together may use 1/AHEAD of a limit (5 %) before they report this use to the store. */
export const AHEAD = 20;
/**
 * Once a rate limit is reached, how long a node refuses requests before it asks the store again.
 */
const FULL_RATE_MS = 1_000;
/** How long a node refuses requests at a concurrency limit before it asks the store again. */
const FULL_RUNNING_MS = 50;
/**
 * The `retry-after` at the concurrency limit. It is fixed, because no node knows when a running
 * request will end.
 */
export const CONCURRENCY_RETRY_MS = 1_000;

/** The store's answer when a node asks for further use. `away`: the store did not answer. */
export type Granted = 'granted' | 'full' | 'away';
/**
 * The result for a request: `fits`, `ask` if only the store knows whether it fits, or the time to
 * wait because it does not fit.
 */
export type Verdict = 'fits' | 'ask' | { readonly waitMs: number };
export type Terms = { readonly limit: number; readonly nodes: number; readonly nowMs: number };
type Waiter = { readonly count: number; readonly resolve: (granted: Granted) => void };

export abstract class SharedCount {
  readonly name: string;
  protected limit: number;
  /** How many requests or tokens this node may use before it reports them to the store. */
  protected ahead = 0;
  /** When the store last answered. */
  protected answeredMs = Number.NEGATIVE_INFINITY;
  #waiting: Waiter[] = [];
  #asked: readonly Waiter[] = [];

  constructor(name: string, limit: number) {
    this.name = name;
    this.limit = limit;
  }

  /** How much this node's use has changed since its last report to the store; may be negative. */
  protected abstract get change(): number;
  abstract isIdle(nowMs: number): boolean;
  /**
   * Counts use without asking the store. With a negative `count`, reverts use, or capacity that the
   * store has granted.
   */
  abstract take(count: number): void;
  /** Builds the next query to the store. The caller must then call `answered` or `failed`. */
  abstract ask(): LimitAsk;
  protected abstract judged(count: number, nowMs: number): Verdict;
  protected abstract absorb(answer: LimitAnswer, nowMs: number): void;
  /**
   * Called after a failed query. The store may have processed the query, or may still process it.
   */
  protected abstract doubted(): void;

  judge(count: number, { limit, nodes, nowMs }: Terms): Verdict {
    this.limit = limit;
    this.ahead = Math.floor(limit / (AHEAD * nodes));
    return limit === 0 ? { waitMs: MINUTE_MS } : this.judged(count, nowMs);
  }

  get hasChanged(): boolean {
    return this.change !== 0;
  }

  /**
   * Whether the change must be reported at once, because it is at least half of what this node may
   * use before it reports (`ahead`).
   */
  get isUrgent(): boolean {
    return this.hasChanged && Math.abs(this.change) * 2 >= this.ahead;
  }

  /** Adds `count` to the next query to the store, and waits for its answer. */
  wait(count: number): Promise<Granted> {
    const { promise, resolve } = Promise.withResolvers<Granted>();
    this.#waiting.push({ count, resolve });
    return promise;
  }

  get isWaited(): boolean {
    return this.#waiting.length > 0 || this.#asked.length > 0;
  }

  answered(answer: LimitAnswer, nowMs: number): void {
    this.answeredMs = nowMs;
    this.absorb(answer, nowMs);
    const asked = this.#asked;
    this.#asked = [];
    let left = answer.granted;
    for (const { count, resolve } of asked) {
      const fits = count <= left;
      if (fits) left -= count;
      resolve(fits ? 'granted' : 'full');
    }
    if (left > 0) this.take(-left);
  }

  /**
   * Called after a failed query, whose use the store may have counted. Answers all calls of `wait`
   * with `away`.
   */
  failed(): void {
    this.doubted();
    const all = [...this.#asked, ...this.#waiting];
    this.#asked = [];
    this.#waiting = [];
    for (const { resolve } of all) resolve('away');
  }

  /**
   * Returns the sum (`want`) and the smallest (`least`) of the counts for which calls of `wait` are
   * waiting.
   */
  protected wanted(): Pick<LimitAsk, 'want' | 'least'> {
    this.#asked = this.#waiting;
    this.#waiting = [];
    const counts = this.#asked.map(({ count }) => count);
    const want = counts.reduce((sum, count) => sum + count, 0);
    return { want, least: Math.min(want, ...counts) };
  }
}

export class SharedRate extends SharedCount {
  /** The bucket of all nodes: the level that the store last reported, drained since then. */
  readonly #bucket: LeakyBucket;
  /**
   * The time when this count started. It distinguishes this count from an earlier one of the same
   * limit.
   */
  readonly #life: number;
  /** The total use of this node. It decreases when a request uses fewer tokens than estimated. */
  #used: number;
  /** The part of `#used` that the store has confirmed. */
  #confirmed = 0;
  /**
   * The lowest use that the store may have counted for this node. It is below `#confirmed` if a
   * pending or failed query reported a lower use.
   */
  #least = 0;
  #sent: number | null = null;

  /** @param start the use before this node shared the limit, and the time when sharing begins. */
  constructor(name: string, limit: number, { used, nowMs }: { used: number; nowMs: number }) {
    super(name, limit);
    this.#bucket = newBucket(nowMs);
    this.#life = nowMs;
    this.#used = used;
  }

  isIdle(nowMs: number): boolean {
    const { debt, perMs, atMs } = this.#bucket;
    return !this.hasChanged && !this.isWaited && debt <= perMs * (nowMs - atMs);
  }

  take(count: number): void {
    this.#used += count;
  }

  /**
   * Returns how much of the limit remains, as far as this node knows, and the time until all use
   * has drained.
   */
  state(limit: number, nowMs: number): { readonly remaining: number; readonly resetMs: number } {
    const bucket = this.#levelAt(limit, nowMs);
    return { remaining: remainingOf(bucket, limit, 1), resetMs: resetMs(bucket, limit) };
  }

  ask(): LimitAsk {
    this.#sent = this.#used;
    this.#least = Math.min(this.#least, this.#sent);
    return {
      name: this.name,
      limit: this.limit,
      kind: 'rate',
      used: this.#sent,
      confirmed: this.#confirmed,
      life: this.#life,
      ...this.wanted(),
    };
  }

  protected judged(count: number, nowMs: number): Verdict {
    const ms = waitMs(this.#levelAt(this.limit, nowMs), count, this.limit, 1);
    if (ms > 0) return nowMs - this.answeredMs < FULL_RATE_MS ? { waitMs: ms } : 'ask';
    return this.#used - this.#least + count <= this.ahead ? 'fits' : 'ask';
  }

  protected absorb({ level }: LimitAnswer, nowMs: number): void {
    this.#confirmed = this.#sent ?? this.#confirmed;
    this.#least = this.#confirmed;
    this.#sent = null;
    this.#bucket.debt = level;
    this.#bucket.atMs = nowMs;
    this.#bucket.perMs = this.limit;
  }

  protected doubted(): void {
    this.#sent = null;
  }

  protected get change(): number {
    return this.#used - (this.#sent ?? this.#confirmed);
  }

  #levelAt(limit: number, nowMs: number): LeakyBucket {
    drain(this.#bucket, limit, nowMs);
    const ahead = (this.#used - this.#confirmed) * MINUTE_MS;
    return { ...this.#bucket, debt: Math.max(0, this.#bucket.debt + ahead) };
  }
}

export class SharedRunning extends SharedCount {
  /** The number of running requests of this key or account on this node. */
  readonly #own: { readonly running: number };
  /** The number of requests that are admitted but not yet counted in `running`. */
  #taken = 0;
  /** Number of this node's requests that the store has counted, according to its last answer. */
  #counted = 0;
  #others = 0;
  #sent: number | null = null;

  constructor(name: string, limit: number, own: { readonly running: number }) {
    super(name, limit);
    this.#own = own;
  }

  /** Whether this node has running requests, or the store still counts some for this node. */
  get isHeld(): boolean {
    return this.#all > 0 || this.#counted > 0;
  }

  isIdle(): boolean {
    return !this.isHeld && !this.isWaited;
  }

  take(count: number): void {
    this.#taken += count;
  }

  ask(): LimitAsk {
    this.#sent = this.#all;
    const { name, limit } = this;
    return {
      ...{ name, limit, kind: 'running', used: this.#sent, confirmed: 0, life: 0 },
      ...this.wanted(),
    };
  }

  protected judged(count: number, nowMs: number): Verdict {
    const isFull = this.#others + this.#all + count > this.limit;
    if (isFull) {
      const isFresh = nowMs - this.answeredMs < FULL_RUNNING_MS;
      return isFresh ? { waitMs: CONCURRENCY_RETRY_MS } : 'ask';
    }
    const certain = Math.min(this.#counted, this.#sent ?? this.#counted);
    return this.#all + count - certain <= this.ahead ? 'fits' : 'ask';
  }

  protected absorb({ granted, level }: LimitAnswer): void {
    this.#counted = (this.#sent ?? 0) + granted;
    this.#others = level - this.#counted;
    this.#taken += granted;
    this.#sent = null;
  }

  protected doubted(): void {
    this.#counted = Math.min(this.#counted, this.#sent ?? this.#counted);
    this.#sent = null;
  }

  protected get change(): number {
    return this.#all - (this.#sent ?? this.#counted);
  }

  get #all(): number {
    return this.#own.running + this.#taken;
  }
}
