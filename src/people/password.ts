/** Passwords: which may be set. */
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
