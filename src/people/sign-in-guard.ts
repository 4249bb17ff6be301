/**
 * How often a password or a code may be guessed: by e-mail address, and by where guesses come from. The
 * pauses grow, so that somebody who mistypes waits seconds and a program that tries passwords gets
 * nowhere. In memory of this process: a restart forgets, and with several nodes each counts for itself,
 * which gives a guesser a few more tries and no more than that.
 */
import { parseAddress } from '../accounts/limits/ip-range.ts';
import type { Clock } from '../clock.ts';
import { tryLater } from './people-errors.ts';

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
  /** It was never judged, so nothing is known of it: both have it back, and no more than it. */
  readonly giveBack: () => void;
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
    const from = address === null ? 'unknown' : networkOf(address);
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
        byAddress.giveBack();
      },
      giveBack: () => {
        byEmail.giveBack();
        byAddress.giveBack();
      },
      pauseMs: Math.max(0, byEmail.guesses.pauseUntilMs - nowMs),
      isFirstPause: byEmail.guesses.count === FREE_GUESSES.email,
    };
  }

  #pausesUntil(kind: Kind, who: string, nowMs: number): number {
    const known = this.#guesses[kind].get(who);
    return known === undefined || nowMs - known.lastMs > FORGET_MS ? 0 : known.pauseUntilMs;
  }

  #count(kind: Kind, who: string, nowMs: number): Counted {
    const all = this.#guesses[kind];
    const known = all.get(who);
    const isFresh = known === undefined || nowMs - known.lastMs > FORGET_MS;
    const guesses = isFresh ? { count: 0, lastMs: nowMs, pauseUntilMs: 0 } : known;
    const before = guesses.pauseUntilMs;
    guesses.count += 1;
    guesses.lastMs = nowMs;
    const over = guesses.count - FREE_GUESSES[kind];
    const pauseMs = over < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** over, LONGEST_PAUSE_MS);
    const until = pauseMs === 0 ? before : nowMs + pauseMs;
    guesses.pauseUntilMs = until;
    all.delete(who);
    const [oldest] = all.keys();
    if (all.size >= MAX_REMEMBERED && oldest !== undefined) all.delete(oldest);
    all.set(who, guesses);
    return {
      guesses,
      giveBack: () => {
        guesses.count -= 1;
        // A pause that another guess began since then stays.
        if (guesses.pauseUntilMs === until) guesses.pauseUntilMs = before;
      },
    };
  }
}

/** What one guess did, and how it is undone. */
type Counted = { readonly guesses: Readonly<Guesses>; readonly giveBack: () => void };

/**
 * One IPv6 customer has a whole /64, and would otherwise have as many guesses.
 * @param address as the socket or a trusted proxy reports it.
 */
function networkOf(address: string): string {
  const parsed = parseAddress(address.replace(/%.*$/, ''));
  if (parsed === null) return address;
  return parsed.bits === 32 ? `v4 ${parsed.value}` : `v6 ${parsed.value >> 64n}`;
}
