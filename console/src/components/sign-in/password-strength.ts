/**
 * Estimates the strength of a password while it is typed. This is only a hint: the gateway decides
 * whether it accepts the password, and has its own list of common passwords.
 */

export type PasswordStrength = 'short' | 'simple' | 'good';

/** The minimum number of distinct characters, as in the gateway. Fewer are easy to guess. */
const MIN_DIFFERENT = 5;
/**
 * A password counts as easy to guess if it starts with the email address, or with the part of the
 * address before the `@`, and adds at most this many characters.
 */
const MAX_ADDED = 3;
const COMMON =
  /^(?:password|passwort|passwordpassword|passwordx|changeme|letmein|welcome|secret|qwerty\w*|qwertz\w*|asdfghjkl|admin\w*|iloveyou|modelgate\w*)$/;

export function passwordStrength(password: string, email: string, min: number): PasswordStrength {
  if ([...password].length < min) return 'short';
  const folded = password.normalize('NFKC').toLowerCase();
  const address = email.trim().toLowerCase();
  const [name = ''] = address.split('@');
  const isAddress = [address, name].some(
    (part) => part !== '' && folded.startsWith(part) && folded.length - part.length <= MAX_ADDED,
  );
  const isSimple =
    isAddress ||
    new Set(folded).size < MIN_DIFFERENT ||
    isSequence(folded) ||
    COMMON.test(folded.replaceAll(/\P{L}/gu, ''));
  return isSimple ? 'simple' : 'good';
}

/**
 * Whether each character equals its predecessor or is next to it in order, as in `abcdef` or
 * `998877`. The digits 9 and 0 count as next to each other.
 */
function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, at) => Math.abs(code - (codes[at] ?? 0)));
  return steps.every((step) => step <= 1 || step === 9);
}
