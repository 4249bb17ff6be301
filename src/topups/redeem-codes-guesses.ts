/**
 * How often an account may name a code that it is not given. In memory of this process: a code has too
 * much chance in it to be guessed anyway, so this only keeps guessing from costing anybody else.
 */
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';

/** A person with a card in hand needs few; a program that tries codes would need them all. */
export const MAX_GUESSES = 20;
export const GUESS_WINDOW_MS = 15 * 60_000;
/** Accounts that are remembered; the one whose window began first is forgotten beyond it. */
const MAX_ACCOUNTS = 10_000;
/** The longest that clients wait for. */
const MAX_RETRY_SECONDS = 60;

type Window = { readonly sinceMs: number; guesses: number };

export class RedeemGuesses {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** In the order in which windows began. */
  readonly #windows = new Map<string, Window>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /**
   * Counts a guess before it is looked up, so that any number at once count too.
   * @returns what takes it back, for a code that was right.
   * @throws GatewayError `rate_limit_exceeded`.
   */
  take(accountId: string): () => void {
    const nowMs = this.#clock.monotonicMs();
    const window = this.#current(accountId, nowMs);
    if (window.guesses >= MAX_GUESSES) throw tooMany(window.sinceMs + GUESS_WINDOW_MS - nowMs);
    window.guesses += 1;
    return () => {
      window.guesses -= 1;
    };
  }

  #current(accountId: string, nowMs: number): Window {
    const known = this.#windows.get(accountId);
    if (known !== undefined && nowMs - known.sinceMs < GUESS_WINDOW_MS) return known;
    this.#windows.delete(accountId);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= MAX_ACCOUNTS && oldest !== undefined) this.#windows.delete(oldest);
    const window = { sinceMs: nowMs, guesses: 0 };
    this.#windows.set(accountId, window);
    return window;
  }
}

function tooMany(waitMs: number): GatewayError {
  const seconds = Math.ceil(waitMs / 1000);
  return new GatewayError(
    'rate_limit_exceeded',
    `Too many codes were tried that this account cannot redeem. Try again in ${seconds} seconds.`,
    { retryAfterSeconds: Math.min(seconds, MAX_RETRY_SECONDS) },
  );
}
