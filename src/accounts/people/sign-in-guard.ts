/**
 * How often a password or a code may be guessed: by e-mail address, and by where guesses come from. The
 * pauses grow, so that somebody who mistypes waits seconds and a program that tries passwords gets
 * nowhere. In memory of this process: a restart forgets, and with several nodes each counts for itself,
 * which gives a guesser a few more tries and no more than that.
 */
import type { Clock } from '../../clock.ts';
import { tryLater } from './people-refusals.ts';

/** Wrong guesses before the first pause. Many people may share an address, nobody shares an e-mail address. */
export const FREE_GUESSES = { email: 5, address: 20 } as const;
export const FIRST_PAUSE_MS = 5_000;
/** Each pause is twice the one before, up to this: so that nobody is kept out for long by a stranger. */
export const LONGEST_PAUSE_MS = 15 * 60_000;
/** Guesses are forgotten when none came for so long. */
const FORGET_MS = 60 * 60_000;
/** Of each kind; the one that guessed longest ago is forgotten beyond it. */
const MAX_REMEMBERED = 10_000;

type Kind = keyof typeof FREE_GUESSES;
type Guesses = { count: number; lastMs: number; pauseUntilMs: number };
/** One guess, which was counted as wrong when it was taken. */
export type Guess = {
  /** It was right: the e-mail address begins anew, and the address has it back. */
  readonly right: () => void;
  /** How long the e-mail address pauses because of it, if it is wrong; 0: it does not. */
  readonly pauseMs: number;
  /** Whether it is the one that began the pauses. */
  readonly isFirstPause: boolean;
};

export class SignInGuard {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** In the order of the last guess. */
  readonly #guesses: Readonly<Record<Kind, Map<string, Guesses>>> = {
    email: new Map(),
    address: new Map(),
  };

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /**
   * Counts a guess before it is judged, so that any number at once count too.
   * @param address null: it cannot be told, and all such count together.
   * @throws GatewayError `rate_limit_exceeded`.
   */
  take(email: string, address: string | null): Guess {
    const nowMs = this.#clock.monotonicMs();
    const from = address ?? 'unknown';
    const untilMs = Math.max(
      this.#pausesUntil('email', email, nowMs),
      this.#pausesUntil('address', from, nowMs),
    );
    if (untilMs > nowMs) {
      throw tryLater('Too many wrong passwords were tried', Math.ceil((untilMs - nowMs) / 1_000));
    }
    const byAddress = this.#count('address', from, nowMs);
    const byEmail = this.#count('email', email, nowMs);
    return {
      right: () => {
        this.#guesses.email.delete(email);
        byAddress.count -= 1;
        byAddress.pauseUntilMs = 0;
      },
      pauseMs: Math.max(0, byEmail.pauseUntilMs - nowMs),
      isFirstPause: byEmail.count === FREE_GUESSES.email,
    };
  }

  #pausesUntil(kind: Kind, who: string, nowMs: number): number {
    const known = this.#guesses[kind].get(who);
    return known === undefined || nowMs - known.lastMs > FORGET_MS ? 0 : known.pauseUntilMs;
  }

  #count(kind: Kind, who: string, nowMs: number): Guesses {
    const all = this.#guesses[kind];
    const known = all.get(who);
    const isFresh = known === undefined || nowMs - known.lastMs > FORGET_MS;
    const count = (isFresh ? 0 : known.count) + 1;
    const over = count - FREE_GUESSES[kind];
    const pauseMs = over < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** over, LONGEST_PAUSE_MS);
    const guesses = { count, lastMs: nowMs, pauseUntilMs: pauseMs === 0 ? 0 : nowMs + pauseMs };
    all.delete(who);
    const [oldest] = all.keys();
    if (all.size >= MAX_REMEMBERED && oldest !== undefined) all.delete(oldest);
    all.set(who, guesses);
    return guesses;
  }
}
