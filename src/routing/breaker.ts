/** The circuit breaker of one route. It reads no clock: callers pass the time. */
import { RollingSums } from './recent-figures.ts';

/**
 * The states of the breaker. open: the route is paused after failures. half_open: a few requests
 * may try the route. cooling: the route is paused because the upstream asked for it.
 */
export type Standing = 'closed' | 'half_open' | 'open' | 'cooling';

/**
 * The sliding window of the results that decide whether the breaker opens: the last 30 seconds.
 * Older results say little about the route's current health.
 */
const WINDOW = { slots: 10, slotMs: 3_000 } as const;
/**
 * Minimum number of attempts in the window for the failure ratio to open the breaker. With fewer
 * attempts, only consecutive failures open it.
 */
const MIN_VOLUME = 20;
/**
 * The failure ratio at which the breaker opens. With so many failures, callers are better served by
 * an error at once than by this route.
 */
const MAX_FAILURE_RATIO = 0.5;
const MAX_FAILURES_IN_A_ROW = 5;

/** The first pause is short, as most outages are. Each new failure after a pause doubles it. */
const FIRST_OPEN_MS = 5_000;
/** The longest pause: a failing route is tried at least once a minute. */
const MAX_OPEN_MS = 60_000;
/** After this time without failure, the next pause is as short as the first. */
const FORGIVEN_AFTER_MS = 120_000;

/**
 * How many requests may try a half-open route at once. A request counts until its first byte
 * arrives.
 */
const MAX_TRIALS = 3;
/** How many trials must succeed before the breaker closes. */
const TRIALS_TO_CLOSE = 2;
/**
 * The wait that `waitMs` returns while `MAX_TRIALS` requests try a half-open route. It is also the
 * minimum wait while the route needs a probe.
 */
const TRIAL_WAIT_MS = 1_000;
/**
 * If the route needs a probe, only the probe may try it for this time after a pause. After that,
 * callers' requests may try it, too.
 */
const PROBE_GRACE_MS = 30_000;

const OK = 0;
const BAD = 1;

/**
 * One attempt. `generation` counts how often the breaker had changed its state before the attempt.
 * `waiting` is true while the attempt tries a half-open route and has no first byte yet.
 */
export type Pass = { readonly generation: number; waiting: boolean };

export class Breaker {
  /**
   * Returns whether, after an outage of this length, a probe must succeed before callers may try
   * the route.
   */
  readonly #isProbed: (outageMs: number) => boolean;
  #standing: Standing = 'closed';
  /** The time at which the pause ends. Only valid while the breaker is open or cooling down. */
  #untilMs = 0;
  #awaitsProbe = false;
  #closedMs = 0;
  /**
   * When the outage began: the first time that the breaker opened since it was last closed. Null
   * while the breaker is closed.
   */
  #outMs: number | null = null;
  /** How often the breaker has opened since it was last closed for `FORGIVEN_AFTER_MS`. */
  #openings = 0;
  #inARow = 0;
  #trials = 0;
  #trialsPassed = 0;
  #generation = 0;
  readonly #recent = new RollingSums(2, WINDOW);

  constructor(isProbed: (outageMs: number) => boolean = () => false) {
    this.#isProbed = isProbed;
  }

  standing(nowMs: number): Standing {
    if (this.#isPaused()) {
      const graceMs = this.#awaitsProbe ? PROBE_GRACE_MS : 0;
      if (nowMs >= this.#untilMs + graceMs) this.#become('half_open');
    }
    return this.#standing;
  }

  /** Returns whether the pause is over and a probe must test the route. */
  isProbeDue(nowMs: number): boolean {
    return this.standing(nowMs) === 'open' && this.#awaitsProbe && nowMs >= this.#untilMs;
  }

  /** Records the result of a probe. Has no effect when a probe is no longer due. */
  probed(ok: boolean, nowMs: number): void {
    if (!this.isProbeDue(nowMs)) return;
    if (ok) this.#become('half_open');
    else this.#open(nowMs);
  }

  /** Returns how many milliseconds remain until an attempt may begin; 0 when one may begin now. */
  waitMs(nowMs: number): number {
    switch (this.standing(nowMs)) {
      case 'closed':
        return 0;
      case 'half_open':
        return this.#trials < MAX_TRIALS ? 0 : TRIAL_WAIT_MS;
      case 'open':
      case 'cooling':
        return Math.max(this.#untilMs - nowMs, this.#awaitsProbe ? TRIAL_WAIT_MS : 0);
    }
  }

  begin(nowMs: number): Pass {
    const waiting = this.standing(nowMs) === 'half_open';
    if (waiting) this.#trials += 1;
    return { generation: this.#generation, waiting };
  }

  /** Called at the attempt's first byte or at its end: another request may then try the route. */
  arrived(pass: Pass): void {
    if (!pass.waiting) return;
    pass.waiting = false;
    if (pass.generation === this.#generation) this.#trials -= 1;
  }

  succeeded(pass: Pass, nowMs: number): void {
    // A request has tried the paused route as a last resort and succeeded. This counts like a
    // successful probe, so the breaker becomes half-open.
    if (this.standing(nowMs) === 'open' && pass.generation === this.#generation) {
      this.#become('half_open');
      return;
    }
    if (!this.#counts(pass, nowMs)) return;
    this.#recent.add(OK, nowMs);
    this.#inARow = 0;
    if (this.#standing !== 'half_open') return;
    this.#trialsPassed += 1;
    if (this.#trialsPassed < TRIALS_TO_CLOSE) return;
    this.#closedMs = nowMs;
    this.#outMs = null;
    this.#become('closed');
  }

  failed(pass: Pass, nowMs: number): void {
    if (!this.#counts(pass, nowMs)) return;
    this.#recent.add(BAD, nowMs);
    this.#inARow += 1;
    if (this.#standing === 'half_open' || this.#isBeyondBearing(nowMs)) this.#open(nowMs);
  }

  /**
   * Pauses the route because the upstream asked for a pause, by a 429 or `retry-after`. Does not
   * count as a failure.
   */
  cool(forMs: number, nowMs: number): void {
    const standing = this.standing(nowMs);
    if (standing === 'open') return;
    this.#untilMs = Math.max(standing === 'cooling' ? this.#untilMs : 0, nowMs + forMs);
    if (standing !== 'cooling') this.#become('cooling');
  }

  /**
   * Whether the result of an attempt counts. It does not count during a pause, or if the breaker's
   * state has changed since the attempt began.
   */
  #counts(pass: Pass, nowMs: number): boolean {
    this.standing(nowMs);
    return pass.generation === this.#generation && !this.#isPaused();
  }

  #isPaused(): boolean {
    return this.#standing === 'open' || this.#standing === 'cooling';
  }

  #isBeyondBearing(nowMs: number): boolean {
    const [ok = 0, bad = 0] = this.#recent.totals(nowMs);
    return ok + bad < MIN_VOLUME
      ? this.#inARow >= MAX_FAILURES_IN_A_ROW
      : bad / (ok + bad) >= MAX_FAILURE_RATIO;
  }

  #open(nowMs: number): void {
    const relapsed = this.#standing !== 'closed' || nowMs - this.#closedMs < FORGIVEN_AFTER_MS;
    this.#openings = relapsed ? this.#openings + 1 : 1;
    this.#outMs ??= nowMs;
    this.#untilMs = nowMs + Math.min(MAX_OPEN_MS, FIRST_OPEN_MS * 2 ** (this.#openings - 1));
    this.#become('open');
    this.#awaitsProbe = this.#isProbed(nowMs - this.#outMs);
  }

  #become(standing: Standing): void {
    this.#standing = standing;
    this.#awaitsProbe = false;
    this.#generation += 1;
    this.#trials = 0;
    this.#trialsPassed = 0;
    this.#inARow = 0;
    this.#recent.clear();
  }
}
