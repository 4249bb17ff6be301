/** Checks the strength of new passwords, and hashes passwords. */
import { GatewayError } from '../errors.ts';
import { tryLater } from './people-errors.ts';
import { FREE_GUESSES } from './sign-in-guard.ts';

/** The minimum length of a password. Ten characters suffice, since wrong guesses cause pauses. */
export const MIN_PASSWORD_CHARS = 10;
/** The maximum length of a password. A longer password would only take more time to hash. */
export const MAX_PASSWORD_CHARS = 1_000;
/** Minimum number of distinct characters. With fewer, the password is a simple pattern. */
const MIN_DIFFERENT_CHARS = 5;
/** A password that adds at most this many characters to the email address is too weak. */
const MAX_ADDED_CHARS = 3;

/** Common passwords. Only letters are compared, because appended digits add no strength. */
const FIRST_CHOICES: readonly string[] = [
  ...['password', 'passwordpassword', 'passwort', 'changeme', 'letmein', 'welcome', 'secret'],
  ...['qwerty', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'administrator', 'admin', 'adminadmin'],
  ...['iloveyou', 'modelgate', 'modelgateadmin', 'adminmodelgate', 'passwordx'],
];

/**
 * Rejects a password that has a wrong length, is a simple pattern, is common, or resembles the
 * person's email address.
 * @throws GatewayError `weak_password`.
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
    throw weak(param, 'is a simple pattern; use a few unrelated words');
  }
  if (FIRST_CHOICES.includes(folded.replaceAll(/\P{L}/gu, ''))) {
    throw weak(param, 'is a commonly used password; use a few unrelated words');
  }
  if (isAddress(folded, email.toLowerCase())) {
    throw weak(param, 'is your email address; use a few unrelated words');
  }
}

/** Whether each character equals its predecessor or is next to it, as in `abcdef`, `998877`. */
function isSequence(text: string): boolean {
  const codes = [...text].map((char) => char.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, at) => Math.abs(code - (codes[at] ?? 0)));
  // 9 and 0 count as neighbors too, because their keys are adjacent on a keyboard.
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

/**
 * The memory (KiB) and the number of passes of Argon2id. The default is the minimum that OWASP
 * recommends, so that sign-ins are fast.
 */
export type HashCost = { readonly memoryCost: number; readonly timeCost: number };
const COST: HashCost = { memoryCost: 19_456, timeCost: 2 };
/**
 * Maximum number of concurrent hashes. Each takes 19 MiB of memory and occupies a CPU core for 50
 * ms, which slows down requests.
 */
const MAX_AT_ONCE = 2;
/**
 * Maximum number of calls that wait while `MAX_AT_ONCE` others run. They take about a second.
 * Further calls are refused.
 */
const MAX_WAITING = 32;
/**
 * Maximum number of concurrent checks of one person's password, waiting ones included. So nobody
 * can keep others from signing in with sign-ins of their own. Strangers get a pause before they
 * reach it, so that it does not tell them which addresses have an account.
 */
const MAX_OF_ONE_PERSON = FREE_GUESSES.email;
const RETRY_SECONDS = 2;

/** Normalizes Unicode, since keyboards and systems encode the same character in different ways. */
const canonical = (password: string): string => password.normalize('NFKC');

export class PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** How many checks run or wait, by the hash of the person's password. */
  readonly #checks = new Map<string, number>();
  readonly #cost: HashCost;

  constructor(cost: HashCost = COST) {
    this.#cost = cost;
  }

  /** Hashes a password. @throws GatewayError `rate_limit_exceeded` when too many calls wait. */
  async hash(password: string): Promise<string> {
    return await this.#inTurn(() =>
      Bun.password.hash(canonical(password), { algorithm: 'argon2id', ...this.#cost }),
    );
  }

  /**
   * Checks a password against a person's hash.
   * @throws GatewayError `rate_limit_exceeded` when too many calls wait, in all or for this person.
   */
  async verify(password: string, hash: string): Promise<boolean> {
    const others = this.#checks.get(hash) ?? 0;
    if (others >= MAX_OF_ONE_PERSON)
      throw tryLater('Too many sign-ins of one person are running', RETRY_SECONDS);
    this.#checks.set(hash, others + 1);
    try {
      return await this.#inTurn(() => Bun.password.verify(canonical(password), hash));
    } finally {
      const left = (this.#checks.get(hash) ?? 1) - 1;
      if (left === 0) this.#checks.delete(hash);
      else this.#checks.set(hash, left);
    }
  }

  async #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.#running >= MAX_AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING)
        throw tryLater('Too many people are signing in', RETRY_SECONDS);
      // Waits until another call ends and lets this one run in its place. So `#running` does not
      // change.
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
