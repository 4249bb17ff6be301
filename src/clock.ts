/**
 * Time and randomness as one value that is passed in. Nothing else in the project reads the clock,
 * starts a timer or draws a random number, so tests can stop time and replay ids.
 */

export type Timer = { readonly cancel: () => void };

export type Clock = {
  /** Wall clock, milliseconds since 1970 (UTC). Can jump. */
  readonly nowMs: () => number;
  /** Monotonic; for durations, milliseconds with a fraction. */
  readonly monotonicMs: () => number;
  readonly after: (delayMs: number, run: () => void) => Timer;
  readonly every: (periodMs: number, run: () => void) => Timer;
  readonly sleep: (delayMs: number) => Promise<void>;
  readonly randomBytes: (length: number) => Uint8Array;
};

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
  every: (periodMs, run) => {
    const timer = setInterval(run, periodMs);
    timer.unref();
    return { cancel: () => clearInterval(timer) };
  },
  sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

/** Yields to the event loop, for long work that would otherwise block it. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export type ManualClock = Clock & {
  /** Advances time and runs every due timer in order. */
  readonly advance: (byMs: number) => void;
};

/** A clock for tests: time stands still until it is advanced; random bytes are a fixed sequence. */
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

/** Pseudo-random bytes, the same in every run, which do not repeat within a test. */
function fixedSequence(): () => number {
  let state = 0x6d676174;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
}

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A sortable unique id: `prefix_` + 10 characters of time (ms) + 16 of randomness (80 bits), lower
 * case.
 */
export function newId(clock: Pick<Clock, 'nowMs' | 'randomBytes'>, prefix: string): string {
  let id = '';
  let time = clock.nowMs();
  for (let i = 0; i < 10; i++) {
    id = CROCKFORD[time % 32] + id;
    time = Math.floor(time / 32);
  }
  for (const byte of clock.randomBytes(16)) id += CROCKFORD[byte % 32];
  return `${prefix}_${id}`;
}
