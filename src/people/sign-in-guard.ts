/**
 * Limits wrong passwords, sign-ups and requests for reset links. Guesses are counted per subject,
 * such as an email address, and per network. Each node counts in its own memory. Guesses on a
 * device from which the person has signed in before are counted separately, so that the guesses of
 * strangers cannot lock the person out.
 */
import { parseAddress } from '../accounts/limits/ip-range.ts';
import type { Clock } from '../clock.ts';
import { tryLater } from './people-errors.ts';

/**
 * The number of wrong guesses that cause the first pause. It is higher for a network, because many
 * people may share one.
 */
export const FREE_GUESSES = { email: 5, address: 20 } as const;
export const FIRST_PAUSE_MS = 5_000;
/** The maximum pause. Each wrong guess doubles the pause until this limit. */
export const LONGEST_PAUSE_MS = 15 * 60_000;
/** How long a count is kept after its last guess. */
const FORGET_MS = 60 * 60_000;
/**
 * Maximum number of counts of each kind. One more count replaces the one whose last guess is
 * oldest.
 */
const MAX_REMEMBERED = 10_000;

type Kind = keyof typeof FREE_GUESSES;
type Guesses = { count: number; lastMs: number; pauseUntilMs: number };
/** A guess, such as a password. It counts as wrong until the caller reports its result. */
export type Guess = {
  /**
   * Reports a correct guess. Resets the count of the email address, and removes the guess from the
   * count of the network.
   */
  readonly right: () => void;
  /**
   * Reports that the guess was not checked. Removes it from the count of the email address and from
   * that of the network.
   */
  readonly giveBack: () => void;
  /** The pause for the email address if the guess is wrong, in milliseconds; 0 for no pause. */
  readonly pauseMs: number;
  /** Whether a wrong guess starts the first pause. */
  readonly isFirstPause: boolean;
};

export class SignInGuard {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /**
   * The counts of each kind, by subject or by network, sorted by the time of the last guess, oldest
   * first.
   */
  readonly #guesses: Readonly<Record<Kind, Map<string, Guesses>>> = {
    email: new Map(),
    address: new Map(),
  };

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /**
   * Counts a guess before it is checked, so that concurrent guesses are counted too. Guesses from
   * unknown addresses (null) share one count.
   * @param email the email address, or another subject of guesses.
   * @param device the id of the device; null if the person has not signed in from it before.
   * @throws GatewayError `rate_limit_exceeded` during a pause.
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
   * Counts a guess for the device, but not for the network. Strangers may share the person's
   * network, but they do not have the cookie of the device.
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
        // Restores the earlier pause, unless a later guess has set another one, which may be
        // longer.
        if (guesses.pauseUntilMs === until) guesses.pauseUntilMs = before;
      },
    };
  }
}

/** Throws if a pause lasts until `untilMs`. @throws GatewayError `rate_limit_exceeded`. */
function refuseUntil(untilMs: number, nowMs: number): void {
  if (untilMs <= nowMs) return;
  throw tryLater('Too many sign-ins have failed', Math.ceil((untilMs - nowMs) / 1_000));
}

/** A count to which one guess was added, and the function that subtracts this guess again. */
type Counted = { readonly guesses: Readonly<Guesses>; readonly giveBack: () => void };

/**
 * Returns the network of an address. For IPv6, it is the /64, because providers assign a whole /64
 * to one customer.
 */
function networkOf(address: string): string {
  const parsed = parseAddress(address.replace(/%.*$/, ''));
  if (parsed === null) return address;
  return parsed.bits === 32 ? `v4 ${parsed.value}` : `v6 ${parsed.value >> 64n}`;
}
