/** How exchanges with a route went over the last minutes and hours, in constant memory: counts, not samples. */
import type { AnswerForm } from './health.ts';

/** Five minutes: long enough to mean something on a quiet route, short enough to be about now. */
const WINDOW = { slots: 10, slotMs: 30_000 } as const;

/** A day: what a page of the state of things shows. */
export const HISTORY = { slots: 24, slotMs: 3_600_000 } as const;

/** Each bucket is a tenth longer than the one before, so that a figure is right to within some 5 %. */
const GROWTH = Math.log(1.1);
/** Up to 27 minutes; what takes longer counts as that. */
const BUCKETS = 150;

const OK = 0;
const BAD = 1;
const FIRST_BUCKET: Readonly<Record<AnswerForm, number>> = { stream: 2, whole: 2 + BUCKETS };
const WIDTH = 2 + 2 * BUCKETS;

/** Counts by kind, which add up over routes. */
export type Tally = Readonly<Float64Array>;

export type Summary = {
  /** Exchanges that ended and say something of the route. */
  readonly ended: number;
  /** In [0, 1]; null when none ended. */
  readonly successRatio: number | null;
  /** Milliseconds, of streams where there were any; null when no first byte came. */
  readonly firstByteMs: { readonly p50: number; readonly p95: number } | null;
};

/** How many ended well, and how many did not. */
export type HourTally = { readonly ok: number; readonly bad: number };

export class RecentFigures {
  readonly #sums = new RollingSums({ width: WIDTH, ...WINDOW });
  readonly #hours = new RollingSums({ width: 2, ...HISTORY });

  ended(ok: boolean, nowMs: number): void {
    this.#sums.add(ok ? OK : BAD, nowMs);
    this.#hours.add(ok ? OK : BAD, nowMs);
  }

  /** One for each of the last hours, the oldest first; the last one is still running. */
  hours(nowMs: number): readonly HourTally[] {
    return this.#hours.history(nowMs).map(([ok = 0, bad = 0]) => ({ ok, bad }));
  }

  firstByte(form: AnswerForm, tookMs: number, nowMs: number): void {
    const bucket = Math.floor(Math.log(Math.max(0, tookMs) + 1) / GROWTH);
    this.#sums.add(FIRST_BUCKET[form] + Math.min(BUCKETS - 1, bucket), nowMs);
  }

  /** What nineteen of twenty first bytes of streams took at most, milliseconds; null for fewer than `least`. */
  usualFirstByteMs(least: number, nowMs: number): number | null {
    const buckets = bucketsOf(this.tally(nowMs), 'stream');
    const count = buckets.reduce((sum, each) => sum + each, 0);
    return count < least ? null : (percentiles(buckets)?.p95 ?? null);
  }

  /** Valid until the next call. */
  tally(nowMs: number): Tally {
    return this.#sums.totals(nowMs);
  }
}

/** Of one route, or of several together. */
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

/** The middle of the bucket in which the `rank`-th smallest lies. */
function quantile(buckets: Tally, rank: number): number {
  let before = 0;
  const bucket = buckets.findIndex((count) => {
    before += count;
    return before >= rank && count > 0;
  });
  return Math.round(Math.exp((bucket + 0.5) * GROWTH) - 1);
}

export type RollingOptions = {
  /** How many things are counted. */
  readonly width: number;
  readonly slots: number;
  readonly slotMs: number;
};

/**
 * Counts of the recent past: a ring of slots, each of which forgets what it held when its time comes round.
 * What lies between `slots - 1` and `slots` times `slotMs` in the past is gone;
 * constant memory and time.
 */
export class RollingSums {
  readonly #slots: readonly Uint32Array[];
  readonly #totals: Float64Array;
  readonly #slotMs: number;
  /** Slots since the clock's zero, of the latest one that was looked at. */
  #head = 0;

  constructor({ width, slots, slotMs }: RollingOptions) {
    this.#slots = Array.from({ length: slots }, () => new Uint32Array(width));
    this.#totals = new Float64Array(width);
    this.#slotMs = slotMs;
  }

  /** @param nowMs monotonic. */
  add(what: number, nowMs: number): void {
    const slot = this.#turnTo(nowMs);
    slot[what] = (slot[what] ?? 0) + 1;
    this.#totals[what] = (this.#totals[what] ?? 0) + 1;
  }

  /** What the slots hold together, by what is counted. Valid until the next call. */
  totals(nowMs: number): Readonly<Float64Array> {
    this.#turnTo(nowMs);
    return this.#totals;
  }

  /** What each slot holds, the oldest first; the last one is still being filled. */
  history(nowMs: number): readonly (readonly number[])[] {
    this.#turnTo(nowMs);
    return this.#slots.map((_, age) => [...this.#slot(this.#head + age + 1)]);
  }

  clear(): void {
    for (const slot of this.#slots) slot.fill(0);
    this.#totals.fill(0);
  }

  #turnTo(nowMs: number): Uint32Array {
    const head = Math.floor(nowMs / this.#slotMs);
    const count = this.#slots.length;
    // After a long silence every slot is over, and none need be turned twice.
    for (let at = Math.max(this.#head + 1, head - count + 1); at <= head; at++) this.#empty(at);
    this.#head = Math.max(this.#head, head);
    return this.#slot(this.#head);
  }

  #empty(at: number): void {
    const slot = this.#slot(at);
    for (const [what, count] of slot.entries()) {
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
