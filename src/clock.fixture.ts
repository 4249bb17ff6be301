/** A clock that tests advance by hand. */
import type { Clock, Timer } from './clock.ts';

export type ManualClock = Clock & {
  /** Advances the time and runs every due timer in order. */
  readonly advance: (byMs: number) => void;
};

/**
 * Returns a clock for tests. Its time changes only by `advance`, and its random bytes are a fixed
 * sequence.
 */
export function manualClock(startMs = 1_790_000_000_000): ManualClock {
  let nowMs = startMs;
  const drawByte = fixedSequence();
  const due = new Set<{ atMs: number; periodMs: number | null; run: () => void }>();
  const schedule = (delayMs: number, periodMs: number | null, run: () => void): Timer => {
    const entry = { atMs: nowMs + delayMs, periodMs, run };
    due.add(entry);
    return { cancel: () => due.delete(entry) };
  };
  const advance = (byMs: number): void => {
    const untilMs = nowMs + byMs;
    for (;;) {
      const next = [...due].filter((t) => t.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      nowMs = next.atMs;
      if (next.periodMs === null) due.delete(next);
      else next.atMs += next.periodMs;
      next.run();
    }
    nowMs = untilMs;
  };
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs - startMs,
    after: (delayMs, run) => schedule(delayMs, null, run),
    every: (periodMs, run) => schedule(periodMs, periodMs, run),
    sleep: (delayMs) => new Promise((resolve) => schedule(delayMs, null, resolve)),
    randomBytes: (length) => Uint8Array.from({ length }, drawByte),
    advance,
  };
}

/**
 * Returns a source of pseudo-random bytes. The sequence is the same in every run and does not
 * repeat within a test.
 */
function fixedSequence(): () => number {
  let state = 0x6d676174;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
}
