/**
 * Limits wrong passwords, sign-ups and requests for reset links, per subject (such as an email
 * address) and per network. Each node counts in memory. A device from which the person has signed
 * in before is counted separately, so that the guesses of strangers cannot lock the person out.
 */
import { parseAddress } from '../accounts/limits/ip-range.ts';
import type { Clock } from '../clock.ts';
import { tryLater } from './people-errors.ts';

/** The number of guesses before the first pause. A network has more: many people may share it. */
export const FREE_GUESSES = { email: 5, address: 20 } as const;
export const FIRST_PAUSE_MS = 5_000;
/** The maximum pause. Each wrong guess doubles the pause up to this. */
export const LONGEST_PAUSE_MS = 15 * 60_000;
/** How long a count is kept after its last guess. */
const FORGET_MS = 60 * 60_000;
/** Maximum number of counts of each kind. Beyond this, the least recent count is dropped. */
const MAX_REMEMBERED = 10_000;

type Kind = keyof typeof FREE_GUESSES;
type Guesses = { count: number; lastMs: number; pauseUntilMs: number };
/** One guess, such as of a password. It counts as wrong until its result is known. */
export type Guess = {
  /**
   * Records a correct guess: resets the email's count, and removes the guess from the network's
   * count.
   */
  readonly right: () => void;
  /** Records that the guess was never checked: removes it from both counts. */
  readonly giveBack: () => void;
  /** The pause of the email address if the guess is wrong, in milliseconds; 0 for no pause. */
  readonly pauseMs: number;
  /** Whether a wrong guess begins the first pause. */
  readonly isFirstPause: boolean;
};

export class SignInGuard {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** The counts, in order of their last guess. */
  readonly #guesses: Readonly<Record<Kind, Map<string, Guesses>>> = {
    email: new Map(),
    address: new Map(),
  };

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /**
   * Counts a guess before its check, so that concurrent guesses count too. All unknown addresses
   * (null) count together. @param email the email address, or another subject of guesses.
   * @param device the device's id; null if it is not remembered for the person.
   * @throws GatewayError `rate_limit_exceeded`.
   */
  take(email: string, address: string | null, device: string | null = null): Guess {
    const nowMs = this.#clock.monotonicMs();
    if (device !== null) return this.#takeOnDevice(`${email} on ${device}`, nowMs);
    const from = address === null ? 'unknown' : networkOf(address);
    const untilMs = Math.max(
      this.#pausesUntil('email', email, nowMs),
      this.#pausesUntil('address', from, nowMs),
    );
    refuseUntil(untilMs, nowMs);
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

  /**
   * Counts a guess for the device, but not for the network. Strangers may share the network, but
   * they do not have the device's cookie.
   */
  #takeOnDevice(device: string, nowMs: number): Guess {
    refuseUntil(this.#pausesUntil('email', device, nowMs), nowMs);
    const counted = this.#count('email', device, nowMs);
    return {
      right: () => this.#guesses.email.delete(device),
      giveBack: counted.giveBack,
      pauseMs: Math.max(0, counted.guesses.pauseUntilMs - nowMs),
      isFirstPause: counted.guesses.count === FREE_GUESSES.email,
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
        // Undoes only the pause that this guess began, not a longer one by a later guess.
        if (guesses.pauseUntilMs === until) guesses.pauseUntilMs = before;
      },
    };
  }
}

/** Refuses a guess during a pause. @throws GatewayError `rate_limit_exceeded`. */
function refuseUntil(untilMs: number, nowMs: number): void {
  if (untilMs <= nowMs) return;
  throw tryLater('Too many sign-ins have failed', Math.ceil((untilMs - nowMs) / 1_000));
}

/** A count after one guess, and the function that removes the guess from it. */
type Counted = { readonly guesses: Readonly<Guesses>; readonly giveBack: () => void };

/** Returns the network of an address. For IPv6, a /64 is one network, since one customer has it. */
function networkOf(address: string): string {
  const parsed = parseAddress(address.replace(/%.*$/, ''));
  if (parsed === null) return address;
  return parsed.bits === 32 ? `v4 ${parsed.value}` : `v6 ${parsed.value >> 64n}`;
}
