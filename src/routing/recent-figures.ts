/** How exchanges with a route went over the last minutes and hours, in constant memory: counts, not samples. */
import type { AnswerForm } from './health.ts';
import { RollingSums } from './rolling-sums.ts';

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
