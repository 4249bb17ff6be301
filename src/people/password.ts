/** Passwords: which may be set, and how they are hashed. */
import { GatewayError } from '../errors.ts';

/** Long enough that guessing over the network, which is slowed down, gets nowhere. */
export const MIN_PASSWORD_CHARS = 10;
/** Room for any passphrase; what is longer only costs time. */
export const MAX_PASSWORD_CHARS = 1_000;
/** Fewer different characters than this is a pattern, not a password. */
const MIN_DIFFERENT_CHARS = 5;
/** An e-mail address with no more than so much added is still an e-mail address. */
const MAX_ADDED_CHARS = 3;

/** What people choose first where ten characters are asked for; the letters only, since digits behind do not help. */
const FIRST_CHOICES: readonly string[] = [
  ...['password', 'passwordpassword', 'passwort', 'changeme', 'letmein', 'welcome', 'secret'],
  ...['qwerty', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'administrator', 'admin', 'adminadmin'],
  ...['iloveyou', 'modelgate', 'modelgateadmin', 'adminmodelgate', 'passwordx'],
];

/**
 * Refuses what a guesser would try first.
 * @param email of whom it is: it must not be their own address.
 * @throws GatewayError `weak_password`, which says what is wrong with it.
 */
export function requireGoodPassword(password: string, email: string, param: string): void {
  const length = [...password].length;
  if (length < MIN_PASSWORD_CHARS) {
    throw weak(
      param,
      `must have at least ${MIN_PASSWORD_CHARS} characters; this one has ${length}`,
    );
  }
  if (password.length > MAX_PASSWORD_CHARS) {
    throw weak(param, `must have at most ${MAX_PASSWORD_CHARS} characters`);
  }
  const folded = password.normalize('NFKC').toLowerCase();
  if (new Set(folded).size < MIN_DIFFERENT_CHARS || isSequence(folded)) {
    throw weak(param, 'is a simple pattern; use a few words that do not belong together');
  }
  if (FIRST_CHOICES.includes(folded.replaceAll(/\P{L}/gu, ''))) {
    throw weak(
      param,
      'is among the first that a guesser tries; use a few words that do not belong together',
    );
  }
  if (isAddress(folded, email.toLowerCase())) {
    throw weak(param, 'is your e-mail address; use something that nobody knows of you');
  }
}

/** Each character follows from the one before it: `abcdefghij`, `1234567890`, and downwards. */
function isSequence(text: string): boolean {
  const codes = [...text].map((char) => char.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, at) => Math.abs(code - (codes[at] ?? 0)));
  // From 9 to 0 it goes on as well.
  return steps.every((step) => step <= 1 || step === 9);
}

function isAddress(password: string, email: string): boolean {
  const [name = ''] = email.split('@');
  return [email, name].some(
    (part) => password.startsWith(part) && password.length - part.length <= MAX_ADDED_CHARS,
  );
}

const weak = (param: string, problem: string): GatewayError =>
  new GatewayError('weak_password', `${param} ${problem}.`, { param });

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
