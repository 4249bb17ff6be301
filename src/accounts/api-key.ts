/**
 * API keys. Their checksum detects typos without a query, and lets secret scanners recognize leaked
 * keys.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { crcChecksum } from './checksum.ts';

export const KEY_PREFIX = 'sk-mg-';
/** 40 base62 characters have 238 bits of entropy, so a fast hash is safe for storage. */
const RANDOM_CHARS = 40;
/** Six base62 characters can represent any CRC-32, since 62^6 is more than 2^32. */
const CHECKSUM_CHARS = 6;
const BODY_CHARS = KEY_PREFIX.length + RANDOM_CHARS;
export const KEY_CHARS = BODY_CHARS + CHECKSUM_CHARS;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * Random bytes are reduced modulo 62. Bytes from 248 (a multiple of 62) up are discarded, because
 * they would make the low digits more likely.
 */
const UNBIASED_BYTES = 248;
const SHOWN_CHARS = 4;

const KEY_PATTERN = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/** Returns a new key. Show it once, and store only `hashKey` and `maskOf` of it. */
export function generateKey(clock: Pick<Clock, 'randomBytes'>): Secret {
  const body = KEY_PREFIX + randomBase62(clock, RANDOM_CHARS);
  return new Secret(body + checksum(body));
}

/** Returns a text of `length` base62 characters, all equally likely. */
export function randomBase62(clock: Pick<Clock, 'randomBytes'>, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of clock.randomBytes(length)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

/** Whether the text has the format and the checksum of a key. A well-formed key need not exist. */
export function isWellFormed(text: string): boolean {
  if (text.length !== KEY_CHARS || !KEY_PATTERN.test(text)) return false;
  return text.slice(BODY_CHARS) === checksum(text.slice(0, BODY_CHARS));
}

/** Returns the SHA-256 of the whole key in hex. The cache finds keys by this hash. */
export const hashHex = (text: string): string => hash('sha256', text, 'hex');

/** Returns the SHA-256 of the whole key as bytes. The store finds keys by this hash. */
export const hashKey = (text: string): Uint8Array => Uint8Array.fromHex(hashHex(text));

/** The start and end of a key, which may be shown and stored: `sk-mg-abcd` and `wxyz`. */
export type KeyEnds = { readonly prefix: string; readonly last4: string };

export function endsOf(key: Secret): KeyEnds {
  const text = key.reveal();
  return {
    prefix: text.slice(0, KEY_PREFIX.length + SHOWN_CHARS),
    last4: text.slice(-SHOWN_CHARS),
  };
}

/**
 * Returns the masked form of a key, such as `sk-mg-abcd...wxyz`. The whole key is shown only when
 * it is created.
 */
export const maskOf = (ends: KeyEnds): string => `${ends.prefix}...${ends.last4}`;

const checksum = (body: string): string => crcChecksum(body, BASE62, CHECKSUM_CHARS);
