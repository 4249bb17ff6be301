/**
 * The circuit breaker of one route: closed while it answers, open while it fails, half open while a
 * few requests test it. Pure: time comes in as a number.
 */
import { RollingSums } from './recent-figures.ts';

/**
 * closed: in use. open: failing, paused. half_open: the pause is over, and a few requests may try
 * it. cooling: the upstream asked for a pause (429).
 */
export type Standing = 'closed' | 'half_open' | 'open' | 'cooling';

/** Older results say little about now. */
const WINDOW = { slots: 10, slotMs: 3_000 } as const;
/** From this many attempts on, the failure ratio decides; below, consecutive failures do. */
const MIN_VOLUME = 20;
/** Callers are better off without a route that fails every second request. */
const MAX_FAILURE_RATIO = 0.5;
const MAX_FAILURES_IN_A_ROW = 5;

/** The first pause is short, as most outages are. Each relapse doubles it. */
const FIRST_OPEN_MS = 5_000;
/** The longest pause: a failing route is tried at least once a minute. */
const MAX_OPEN_MS = 60_000;
/** After this long without failure the first pause is short again. */
const FORGIVEN_AFTER_MS = 120_000;

/** How many requests may wait for the first byte of a half-open route at once. */
const MAX_TRIALS = 3;
/** How many trials must succeed before the breaker closes. */
const TRIALS_TO_CLOSE = 2;
/** When to try again while all trials are taken or a probe runs. */
const TRIAL_WAIT_MS = 1_000;
/** How long callers wait for a probe. After that they try the route themselves. */
const PROBE_GRACE_MS = 30_000;

const OK = 0;
const BAD = 1;

/** One attempt as the breaker sees it. Only trials begun while half open can close it. */
export type Pass = { readonly generation: number; waiting: boolean };

export class Breaker {
  /** Whether a route is probed after an outage of this length before callers may try it. */
  readonly #isProbed: (outageMs: number) => boolean;
  #standing: Standing = 'closed';
  /** The end of the pause, while open or cooling down. */
  #untilMs = 0;
  #awaitsProbe = false;
  /** When the breaker last closed. */
  #closedMs = 0;
  /** When it first opened since then; null: it has not. */
  #outMs: number | null = null;
  /** How often it opened without a long period of success in between. */
  #openings = 0;
  #inARow = 0;
  #trials = 0;
  #trialsPassed = 0;
  /** Counts the state changes. */
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

  /** Whether the pause is over and a probe must test the route. */
  isProbeDue(nowMs: number): boolean {
    return this.standing(nowMs) === 'open' && this.#awaitsProbe && nowMs >= this.#untilMs;
  }

  /** Reports the result of a probe. Has no effect when no probe is due any more. */
  probed(ok: boolean, nowMs: number): void {
    if (!this.isProbeDue(nowMs)) return;
    if (ok) this.#become('half_open');
    else this.#open(nowMs);
  }

  /** How long until an attempt may begin, milliseconds; 0: now. */
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

  /** The first byte came, or the attempt ended: the next trial may begin. */
  arrived(pass: Pass): void {
    if (!pass.waiting) return;
    pass.waiting = false;
    if (pass.generation === this.#generation) this.#trials -= 1;
  }

  succeeded(pass: Pass, nowMs: number): void {
    // It answered as a last resort during its pause, which counts like a successful probe.
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

  /** The upstream asked for a pause. It is not a failure, but the route is not used until then. */
  cool(forMs: number, nowMs: number): void {
    const standing = this.standing(nowMs);
    if (standing === 'open') return;
    this.#untilMs = Math.max(standing === 'cooling' ? this.#untilMs : 0, nowMs + forMs);
    if (standing !== 'cooling') this.#become('cooling');
  }

  /** Attempts from before the last state change are outdated, and nothing is decided in a pause. */
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
