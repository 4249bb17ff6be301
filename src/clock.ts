/** The only source of time and randomness, so that tests can stop time and reproduce ids. */

export type Timer = { readonly cancel: () => void };

export type Clock = {
  /** The wall clock, in milliseconds since 1970 (UTC). It can jump. */
  readonly nowMs: () => number;
  /** A monotonic clock for durations, in milliseconds with a fraction. */
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

/** Resolves in the next turn of the event loop. Long work awaits it so as not to block the loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns an id that sorts by time: `prefix_`, 10 characters of time (ms) and 16 random ones. */
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
