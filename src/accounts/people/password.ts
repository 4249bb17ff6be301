/** Passwords: which may be set, and the one way they are kept. */
import { GatewayError } from '../../errors.ts';

/** Long enough that guessing over the network, which the lock-out slows, gets nowhere. */
export const MIN_PASSWORD_CHARS = 10;
/** Room for any passphrase; what is longer only costs time. */
export const MAX_PASSWORD_CHARS = 1_000;
/** Fewer different characters than this is a pattern, not a password. */
const MIN_DIFFERENT_CHARS = 5;
/** Parts of an e-mail address that are shorter occur in any text. */
const MIN_PART_CHARS = 4;

/** What people choose first where ten characters are asked for; letters only, so that digits behind do not help. */
const FIRST_CHOICES: readonly string[] = [
  'password',
  'passw',
  'passwort',
  'changeme',
  'letmein',
  'welcome',
  'qwerty',
  'qwertyuiop',
  'qwertyuiopasdf',
  'asdfghjkl',
  'administrator',
  'admin',
  'adminadmin',
  'iloveyou',
  'modelgate',
  'modelgateadmin',
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
  const letters = folded.replaceAll(/[^\p{L}]/gu, '');
  if (FIRST_CHOICES.includes(letters)) {
    throw weak(
      param,
      'is among the first that a guesser tries; use a few words that do not belong together',
    );
  }
  const [part = ''] = email.toLowerCase().split('@');
  const isOwn =
    folded === email.toLowerCase() ||
    (part.length >= MIN_PART_CHARS &&
      letters !== '' &&
      folded.startsWith(part) &&
      folded.length - part.length < MIN_PART_CHARS);
  if (isOwn) throw weak(param, 'is your e-mail address; use something that is not written on it');
}

/** Each character follows the one before: `0123456789`, `abcdefghij`, and downwards. */
function isSequence(text: string): boolean {
  const steps = [...text]
    .slice(1)
    .map((char, at) => Math.abs((char.codePointAt(0) ?? 0) - (text.codePointAt(at) ?? 0)));
  return steps.every((step) => step <= 1) || '01234567890123456789'.includes(text);
}

const weak = (param: string, problem: string): GatewayError =>
  new GatewayError('weak_password', `${param} ${problem}.`, { param });
