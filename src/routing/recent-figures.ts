/** Counts a route's results over the last minutes, in constant memory. */

/**
 * The two forms of an answer. A non-streaming answer (`whole`) sends its first byte only when it is
 * complete. So each form has its own statistics of the time to the first byte.
 */
export type AnswerForm = 'stream' | 'whole';

/**
 * The counts cover the last five minutes. This gives enough results even on a route with few
 * requests, and the results are still current.
 */
const WINDOW = { slots: 10, slotMs: 30_000 } as const;

/** Each time bucket is 10 % wider than the one before, so times are accurate to about 5 %. */
const GROWTH = Math.log(1.1);
/** The buckets reach up to 27 minutes; longer times count as 27 minutes. */
const BUCKETS = 150;

const OK = 0;
const BAD = 1;
const FIRST_BUCKET: Readonly<Record<AnswerForm, number>> = { stream: 2, whole: 2 + BUCKETS };
const WIDTH = 2 + 2 * BUCKETS;

/**
 * The counts of a route: successes, failures, and the first bytes in each time bucket. To combine
 * routes, add their counts.
 */
export type Tally = Readonly<Float64Array>;

export type Summary = {
  /** The number of attempts that ended with a success or a failure of the route. */
  readonly ended: number;
  /** The fraction of attempts that succeeded, in [0, 1]; null when no attempt ended. */
  readonly successRatio: number | null;
  /**
   * Percentiles of the milliseconds to the first byte. They are those of streams, or those of
   * non-streaming answers if there were no streams; null if there were neither.
   */
  readonly firstByteMs: { readonly p50: number; readonly p95: number } | null;
};

/** A first byte within this time never counts as slow, since long prompts take time. */
const NEVER_SLOW_MS = 20_000;
/**
 * A stream counts as failed when its first byte takes this many times longer than the 95th
 * percentile of the route.
 */
const SLOW_TIMES_USUAL = 8;
/** With fewer recent streams than this, no first byte counts as slow. */
const MIN_HISTORY = 20;

export class RecentFigures {
  readonly #sums = new RollingSums(WIDTH, WINDOW);

  ended(ok: boolean, nowMs: number): void {
    this.#sums.add(ok ? OK : BAD, nowMs);
  }

  firstByte(form: AnswerForm, tookMs: number, nowMs: number): void {
    const bucket = Math.floor(Math.log(Math.max(0, tookMs) + 1) / GROWTH);
    this.#sums.add(FIRST_BUCKET[form] + Math.min(BUCKETS - 1, bucket), nowMs);
  }

  /**
   * Checks whether `tookMs` is far above the usual time to a stream's first byte. If so, returns
   * the usual time, which is the 95th percentile, in ms; otherwise null.
   */
  usualIfSlow(tookMs: number, nowMs: number): number | null {
    if (tookMs < NEVER_SLOW_MS) return null;
    const usualMs = this.usualFirstByteMs(MIN_HISTORY, nowMs);
    return usualMs !== null && tookMs > SLOW_TIMES_USUAL * usualMs ? usualMs : null;
  }

  /**
   * Returns the 95th percentile of the streams' times to the first byte, in ms; null if there are
   * fewer than `least` such times.
   */
  usualFirstByteMs(least: number, nowMs: number): number | null {
    const buckets = bucketsOf(this.tally(nowMs), 'stream');
    const count = buckets.reduce((sum, each) => sum + each, 0);
    return count < least ? null : (percentiles(buckets)?.p95 ?? null);
  }

  /** Returns the current counts. The array is valid until the next call. */
  tally(nowMs: number): Tally {
    return this.#sums.totals(nowMs);
  }
}

export function summaryOf(...tallies: readonly Tally[]): Summary {
  const sums = new Float64Array(WIDTH);
  for (const tally of tallies) {
    for (const [what, count] of tally.entries()) sums[what] = (sums[what] ?? 0) + count;
  }
  const [ok = 0, bad = 0] = sums;
  const ended = ok + bad;
  return {
    ended,
    successRatio: ended === 0 ? null : ok / ended,
    firstByteMs: percentiles(bucketsOf(sums, 'stream')) ?? percentiles(bucketsOf(sums, 'whole')),
  };
}

const bucketsOf = (tally: Tally, form: AnswerForm): Tally =>
  tally.subarray(FIRST_BUCKET[form], FIRST_BUCKET[form] + BUCKETS);

function percentiles(buckets: Tally): { readonly p50: number; readonly p95: number } | null {
  const count = buckets.reduce((sum, each) => sum + each, 0);
  if (count === 0) return null;
  return { p50: quantile(buckets, count / 2), p95: quantile(buckets, count * 0.95) };
}

/** Returns the middle of the bucket that contains the `rank`-th smallest value. */
function quantile(buckets: Tally, rank: number): number {
  let before = 0;
  const bucket = buckets.findIndex((count) => {
    before += count;
    return before >= rank && count > 0;
  });
  return Math.round(Math.exp((bucket + 0.5) * GROWTH) - 1);
}

/** Sums counters in constant memory over a sliding window of about `slots` times `slotMs`. */
export class RollingSums {
  readonly #slots: readonly Uint32Array[];
  readonly #totals: Float64Array;
  readonly #slotMs: number;
  /**
   * The index of the newest slot, counted in steps of `slotMs` since the clock's zero. Only the
   * last few slots are kept.
   */
  #head = 0;

  /** @param width the number of counters in a slot. */
  constructor(width: number, { slots, slotMs }: { slots: number; slotMs: number }) {
    this.#slots = Array.from({ length: slots }, () => new Uint32Array(width));
    this.#totals = new Float64Array(width);
    this.#slotMs = slotMs;
  }

  /** @param nowMs the monotonic time. */
  add(what: number, nowMs: number): void {
    const slot = this.#turnTo(nowMs);
    slot[what] = (slot[what] ?? 0) + 1;
    this.#totals[what] = (this.#totals[what] ?? 0) + 1;
  }

  /** Returns the sum of all slots for each counter. The array is valid until the next call. */
  totals(nowMs: number): Readonly<Float64Array> {
    this.#turnTo(nowMs);
    return this.#totals;
  }

  clear(): void {
    for (const slot of this.#slots) slot.fill(0);
    this.#totals.fill(0);
  }

  #turnTo(nowMs: number): Uint32Array {
    const head = Math.floor(nowMs / this.#slotMs);
    const count = this.#slots.length;
    // After a long idle time all slots are outdated; the loop clears each slot once.
    for (let at = Math.max(this.#head + 1, head - count + 1); at <= head; at++) this.#empty(at);
    this.#head = Math.max(this.#head, head);
    return this.#slot(this.#head);
  }

  #empty(at: number): void {
    const slot = this.#slot(at);
    // A loop over `entries()` would allocate an array for each counter.
    for (let what = 0; what < slot.length; what++) {
      const count = slot[what] ?? 0;
      if (count === 0) continue;
      this.#totals[what] = (this.#totals[what] ?? 0) - count;
      slot[what] = 0;
    }
  }

  #slot(at: number): Uint32Array {
    const slot = this.#slots[at % this.#slots.length];
    if (slot === undefined) throw new Error('a ring has at least one slot');
    return slot;
  }
}

/** The weight of the latest first byte in the moving average. */
const AVERAGE_WEIGHT = 0.2;
/**
 * The average expires this long after the last measurement. Without this, a route with a high
 * average would never be measured again, because requests avoid it.
 */
const AVERAGE_HOLDS_MS = 60_000;

/** The moving average of the times to the first byte, in milliseconds. */
export class MovingAverage {
  #value = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  add(value: number, nowMs: number): void {
    const weight = this.at(nowMs) === null ? 1 : AVERAGE_WEIGHT;
    this.#value += weight * (value - this.#value);
    this.#atMs = nowMs;
  }

  at(nowMs: number): number | null {
    return nowMs - this.#atMs > AVERAGE_HOLDS_MS ? null : this.#value;
  }
}
