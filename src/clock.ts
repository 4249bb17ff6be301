/** The only source of time and randomness, so that tests can stop time and reproduce ids. */

export type Timer = { readonly cancel: () => void };

export type Clock = {
  /**
   * The wall clock, in milliseconds since 1970 (UTC). It can jump, so it must not be used to
   * measure durations.
   */
  readonly nowMs: () => number;
  /** A monotonic clock for durations, in milliseconds with a fraction. */
  readonly monotonicMs: () => number;
  readonly after: (delayMs: number, run: () => void) => Timer;
  readonly every: (periodMs: number, run: () => void) => Timer;
  readonly sleep: (delayMs: number) => Promise<void>;
  readonly randomBytes: (length: number) => Uint8Array;
};

/** A timer of the JavaScript runtime. An unreferenced timer does not keep the process alive. */
type NativeTimer = { ref(): unknown; unref(): unknown };

export type TimerSource = {
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  readonly start: (run: () => void, delayMs: number) => NativeTimer;
};

/**
 * Timers with the same delay share one timer of the JavaScript runtime. This saves work, because
 * every request starts timers with the same few delays, and cancels almost all of them. Timers with
 * the same delay fire in the order of their start, so the runtime timer waits only for the oldest
 * timer.
 */
export class SharedTimers {
  readonly #source: TimerSource;
  readonly #queues = new Map<number, TimerQueue>();

  constructor(source: TimerSource) {
    this.#source = source;
  }

  /** The number of distinct delays. Each delay has one runtime timer. */
  get size(): number {
    return this.#queues.size;
  }

  /** Calls `run` once after the delay, unless the returned timer is canceled first. */
  after(askedMs: number, run: () => void): Timer {
    // A requested delay below 0, for a due time that has just passed, becomes 0. For a negative
    // delay, the runtime would print a warning to standard error.
    const delayMs = Math.max(0, askedMs);
    let queue = this.#queues.get(delayMs);
    if (queue === undefined) {
      queue = new TimerQueue(this.#source, delayMs, () => this.#queues.delete(delayMs));
      this.#queues.set(delayMs, queue);
    }
    return queue.add(run);
  }
}

/**
 * The maximum delay of a runtime timer, 24 days. A timer with a longer delay would fire at once.
 */
const LONGEST_MS = 2 ** 31 - 1;

/** The running timers with one delay, as a doubly linked list, oldest first. */
class TimerQueue {
  readonly #source: TimerSource;
  readonly #delayMs: number;
  readonly #onEmpty: () => void;
  readonly #fire = (): void => this.#runDue();
  #native: NativeTimer;
  #first: QueuedTimer | null = null;
  #last: QueuedTimer | null = null;

  /** @param onEmpty called when the runtime timer fires and no timer remains. */
  constructor(source: TimerSource, delayMs: number, onEmpty: () => void) {
    this.#source = source;
    this.#delayMs = delayMs;
    this.#onEmpty = onEmpty;
    this.#native = source.start(this.#fire, Math.min(delayMs, LONGEST_MS));
  }

  add(run: () => void): QueuedTimer {
    const timer = new QueuedTimer(this, run, this.#source.nowMs() + this.#delayMs);
    timer.before = this.#last;
    if (this.#last === null) {
      this.#first = timer;
      this.#native.ref();
    } else this.#last.after = timer;
    this.#last = timer;
    return timer;
  }

  remove(timer: QueuedTimer): void {
    const { before, after } = timer;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    timer.before = null;
    timer.after = null;
    // No timer is left. The runtime timer is kept for reuse, but must not keep the process alive.
    if (this.#first === null) this.#native.unref();
  }

  #runDue(): void {
    const nowMs = this.#source.nowMs();
    try {
      while (this.#first !== null && this.#first.dueMs <= nowMs) this.#first.end();
    } finally {
      if (this.#first === null) this.#onEmpty();
      else {
        const leftMs = Math.min(Math.max(0, this.#first.dueMs - nowMs), LONGEST_MS);
        this.#native = this.#source.start(this.#fire, leftMs);
      }
    }
  }
}

class QueuedTimer implements Timer {
  readonly dueMs: number;
  before: QueuedTimer | null = null;
  after: QueuedTimer | null = null;
  #queue: TimerQueue | null;
  readonly #run: () => void;

  constructor(queue: TimerQueue, run: () => void, dueMs: number) {
    this.#queue = queue;
    this.#run = run;
    this.dueMs = dueMs;
  }

  /** Cancels the timer. Has no effect if the timer has already fired. */
  cancel(): void {
    this.#queue?.remove(this);
    this.#queue = null;
  }

  end(): void {
    this.cancel();
    this.#run();
  }
}

const sharedTimers = new SharedTimers({
  nowMs: () => performance.now(),
  start: (run, delayMs) => setTimeout(run, delayMs),
});

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, run) => sharedTimers.after(delayMs, run),
  every: (periodMs, run) => {
    const timer = setInterval(run, periodMs);
    timer.unref();
    return { cancel: () => clearInterval(timer) };
  },
  sleep: (delayMs) => new Promise((resolve) => sharedTimers.after(delayMs, resolve)),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

/**
 * Resolves in the next turn of the event loop. Long work awaits this regularly, so that it does not
 * block the loop.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARS = 16;
/**
 * A reused buffer for the random characters of an id, since appending them one by one takes 1 µs.
 */
const randomChars = Buffer.alloc(RANDOM_CHARS);
/** The time part of the last id, cached because many ids are created in the same millisecond. */
let lastTime = { ms: Number.NaN, text: '' };

/**
 * Returns an id that sorts by time. It consists of the prefix, `_`, 10 characters for the time in
 * milliseconds, and 16 random characters.
 */
export function newId(clock: Pick<Clock, 'nowMs' | 'randomBytes'>, prefix: string): string {
  const ms = clock.nowMs();
  if (ms !== lastTime.ms) lastTime = { ms, text: timeText(ms) };
  const random = clock.randomBytes(RANDOM_CHARS);
  for (let i = 0; i < RANDOM_CHARS; i++)
    randomChars[i] = CROCKFORD.charCodeAt((random[i] ?? 0) % CROCKFORD.length);
  return `${prefix}_${lastTime.text}${randomChars.toString('latin1')}`;
}

/** Returns the lower bound of the ids that `newId` creates with this prefix from time `ms` on. */
export const firstIdAt = (prefix: string, ms: number): string => `${prefix}_${timeText(ms)}`;

function timeText(ms: number): string {
  let text = '';
  let time = ms;
  for (let i = 0; i < 10; i++) {
    text = CROCKFORD[time % 32] + text;
    time = Math.floor(time / 32);
  }
  return text;
}
