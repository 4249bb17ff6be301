/**
 * The format of a redeem code: `MG-` and five groups of five characters. Lower case, spaces,
 * missing dashes and common misreadings (O for 0, I and L for 1) are accepted. The last four
 * characters are a checksum, which detects typos without a query.
 */
import { createHash } from 'node:crypto';
import { crcChecksum } from '../accounts/checksum.ts';
import type { Clock } from '../clock.ts';

const PREFIX = 'MG';
/**
 * The 32 characters of codes, without I, L, O and U. A random byte modulo 32 selects each with
 * equal probability.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The random characters have 105 bits of entropy, so a fast hash is enough to store a code. */
const RANDOM_LETTERS = 21;
const CHECK_LETTERS = 4;
const LETTERS = RANDOM_LETTERS + CHECK_LETTERS;
const GROUP_LETTERS = 5;
/** Maximum length of an accepted input, which allows a separator between any two characters. */
const MAX_TEXT_CHARS = 80;
const CODE = new RegExp(`^[${ALPHABET}]{${LETTERS}}$`);

/** Returns a new code, such as `MG-7K3VQ-...`. */
export function newRedeemCode(clock: Pick<Clock, 'randomBytes'>): string {
  let letters = '';
  for (const byte of clock.randomBytes(RANDOM_LETTERS)) letters += ALPHABET.charAt(byte % 32);
  letters += checksum(letters);
  const groups: string[] = [];
  for (let at = 0; at < LETTERS; at += GROUP_LETTERS) {
    groups.push(letters.slice(at, at + GROUP_LETTERS));
  }
  return [PREFIX, ...groups].join('-');
}

/**
 * Returns the SHA-256 by which the store finds a code; null if the input is not a code or has a
 * typo.
 */
export function hashRedeemCode(text: string): Uint8Array | null {
  if (text.length > MAX_TEXT_CHARS) return null;
  const plain = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}_]/gu, '');
  if (!plain.startsWith(PREFIX)) return null;
  const letters = plain.slice(PREFIX.length).replaceAll('O', '0').replace(/[IL]/g, '1');
  if (!CODE.test(letters)) return null;
  const random = letters.slice(0, RANDOM_LETTERS);
  if (letters.slice(RANDOM_LETTERS) !== checksum(random)) return null;
  return new Uint8Array(createHash('sha256').update(letters).digest());
}

/** Returns the low 20 bits of a CRC-32 as four characters. */
const checksum = (random: string): string => crcChecksum(random, ALPHABET, CHECK_LETTERS);
