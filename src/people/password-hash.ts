/** How passwords are kept: argon2id, computed off the event loop, so many at a time and no more. */
import { GatewayError } from '../errors.ts';

/** Memory of one hash in KiB, and passes over it: the least that OWASP advises, as many may sign in at once. */
export type HashCost = { readonly memoryCost: number; readonly timeCost: number };
const COST: HashCost = { memoryCost: 19_456, timeCost: 2 };
/** Each takes 19 MiB and a core for some 50 ms, and requests want those too. */
const MAX_AT_ONCE = 2;
/** About a second's worth; whoever comes behind them is asked to come back. */
const MAX_WAITING = 32;

/** The same characters however they were composed, so that another keyboard types the same password. */
const canonical = (password: string): string => password.normalize('NFKC');

export class PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #cost: HashCost;

  constructor(cost: HashCost = COST) {
    this.#cost = cost;
  }

  /** @throws GatewayError `rate_limit_exceeded` when too many wait. */
  async hash(password: string): Promise<string> {
    return await this.#inTurn(() =>
      Bun.password.hash(canonical(password), { algorithm: 'argon2id', ...this.#cost }),
    );
  }

  /** @throws GatewayError as `hash`. */
  async verify(password: string, hash: string): Promise<boolean> {
    return await this.#inTurn(() => Bun.password.verify(canonical(password), hash));
  }

  async #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.#running >= MAX_AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) throw tooManySignIns();
      // Whoever is done hands its turn on, so that the count stays as it is.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

const tooManySignIns = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'Too many people sign in at this moment. Try again in 2 seconds.',
    { retryAfterSeconds: 2 },
  );
