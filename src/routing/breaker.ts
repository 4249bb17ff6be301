/**
 * The breaker of one route: closed while it answers, open while it does not, half open while a few
 * requests find out whether it does again. Time comes in as a number, so it is as pure as a counter.
 */
import type { Standing } from './health.ts';
import { RollingSums } from './recent-figures.ts';

/** What happened longer ago than this says little about now. */
const WINDOW = { slots: 10, slotMs: 3_000 } as const;
/** From so many exchanges on their ratio is judged; with fewer, how many failed in a row. */
const MIN_VOLUME = 20;
/** Of a route that fails every second request the caller is better off without. */
const MAX_FAILURE_RATIO = 0.5;
const MAX_FAILURES_IN_A_ROW = 5;

/** The first pause is short, since most troubles are; each relapse doubles it. */
const FIRST_OPEN_MS = 5_000;
/** Then once a minute somebody has to look. */
const MAX_OPEN_MS = 60_000;
/** A route that stood so long has earned the short pause again. */
const FORGIVEN_AFTER_MS = 120_000;

/** So many may await the first byte of a half open route at once. */
const MAX_TRIALS = 3;
/** So many must succeed before it is closed. */
const TRIALS_TO_CLOSE = 2;
/** How soon there may be room among the trials, or a probe be over. */
const TRIAL_WAIT_MS = 1_000;
/** A probe that has not been made by then is not waited for: callers find out. */
const PROBE_GRACE_MS = 30_000;

const OK = 0;
const BAD = 1;

/** How one exchange stands to the breaker: only a trial that was begun while half open decides there. */
export type Pass = { readonly generation: number; waiting: boolean };

export class Breaker {
  /** Whether a route that has been out for so long is probed before callers may try it. */
  readonly #isProbed: (outageMs: number) => boolean;
  #standing: Standing = 'closed';
  /** Of the pause, while open or cooling. */
  #untilMs = 0;
  #awaitsProbe = false;
  /** When it was closed last. */
  #closedMs = 0;
  /** When it opened first since; null: it did not. */
  #outMs: number | null = null;
  /** Openings without a long good time between them. */
  #openings = 0;
  #inARow = 0;
  #trials = 0;
  #trialsPassed = 0;
  /** Counts the changes of standing. */
  #generation = 0;
  readonly #recent = new RollingSums({ width: 2, ...WINDOW });

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

  /** Whether its pause is over, and a probe is to find out how it is. */
  isProbeDue(nowMs: number): boolean {
    return this.standing(nowMs) === 'open' && this.#awaitsProbe && nowMs >= this.#untilMs;
  }

  /** The probe that was due is over; one that no longer is changes nothing. */
  probed(ok: boolean, nowMs: number): void {
    if (!this.isProbeDue(nowMs)) return;
    if (ok) this.#become('half_open');
    else this.#open(nowMs);
  }

  /** Until an exchange may begin, milliseconds; 0: now. */
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

  /** Its first byte came, or it ended: a trial makes room for the next. */
  arrived(pass: Pass): void {
    if (!pass.waiting) return;
    pass.waiting = false;
    if (pass.generation === this.#generation) this.#trials -= 1;
  }

  succeeded(pass: Pass, nowMs: number): void {
    // It was asked in its pause, as the last resort, and it answered: that is as good as a probe.
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

  /** It asked for a pause: no failure, but nobody is to ask it before that is over. */
  cool(forMs: number, nowMs: number): void {
    const standing = this.standing(nowMs);
    if (standing === 'open') return;
    this.#untilMs = Math.max(standing === 'cooling' ? this.#untilMs : 0, nowMs + forMs);
    if (standing !== 'cooling') this.#become('cooling');
  }

  /** What was begun before the last change tells of a time that is over; in a pause nothing is decided. */
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
