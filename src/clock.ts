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
