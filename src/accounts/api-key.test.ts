import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { manualClock } from '../clock.fixture.ts';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { endsOf, generateKey, hashKey, isWellFormed, KEY_CHARS, maskOf } from './api-key.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * A key with a fixed value. It must stay valid in every version, because keys that were once
 * created must keep working.
 */
const KNOWN = 'sk-mg-0000000000000000000000000000000000000000' + '05LLQ1';

const seeds = fc.uint8Array({ minLength: 40, maxLength: 40 });
const keyFrom = (bytes: Uint8Array): string => {
  // The first call returns the given bytes. `generateKey` discards bytes that are too large and
  // calls again. Later calls return small bytes, which are never discarded.
  let drawn = 0;
  const randomBytes = (length: number) =>
    drawn++ === 0 ? bytes : Uint8Array.from({ length }, (_, i) => i);
  return generateKey({ randomBytes }).reveal();
};

describe('an API key', () => {
  test('is sk-mg-, 40 base62 characters and a 6-character checksum', () => {
    expect(generateKey(systemClock).reveal()).toMatch(/^sk-mg-[0-9A-Za-z]{46}$/);
    expect(KEY_CHARS).toBe(52);
  });

  test('never changes its format', () => {
    const zeros = generateKey({ randomBytes: (length) => new Uint8Array(length) }).reveal();
    expect(zeros).toBe(KNOWN);
    expect(isWellFormed(KNOWN)).toBe(true);
  });

  test('is well formed for any random bytes', () => {
    fc.assert(
      fc.property(seeds, (bytes) => isWellFormed(keyFrom(bytes))),
      { seed: 31, numRuns: 500 },
    );
  });

  test('is refused with any one character changed', () => {
    fc.assert(
      fc.property(seeds, fc.nat(KEY_CHARS - 1), fc.nat(61), (bytes, at, letter) => {
        const key = keyFrom(bytes);
        const other = BASE62.charAt(letter);
        fc.pre(key.charAt(at) !== other);
        return !isWellFormed(key.slice(0, at) + other + key.slice(at + 1));
      }),
      { seed: 62, numRuns: 2_000 },
    );
  });

  test('is refused with two neighbors swapped, shortened or extended', () => {
    const key = generateKey(manualClock()).reveal();
    for (let at = 6; at < KEY_CHARS - 1; at++) {
      const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
      expect(swapped === key || !isWellFormed(swapped)).toBe(true);
    }
    for (const bad of ['', key.slice(1), key.slice(0, -1), `${key}0`, `${key}\n`, ` ${key}`]) {
      expect(isWellFormed(bad)).toBe(false);
    }
  });

  test('draws its characters without bias: bytes past 4 x 62 are drawn again', () => {
    const first = (byte: number): string =>
      generateKey({ randomBytes: firstThenOnes(byte) })
        .reveal()
        .charAt(6);
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 248; byte++) {
      counts.set(first(byte), (counts.get(first(byte)) ?? 0) + 1);
    }
    expect([...counts.keys()].join('')).toBe(BASE62);
    expect(new Set(counts.values())).toEqual(new Set([4]));
    for (let byte = 248; byte < 256; byte++) expect(first(byte)).toBe('1');
  });

  test('is hashed with SHA-256 and masked to its two ends', () => {
    const secret = new Secret(KNOWN);
    const digest = new Bun.CryptoHasher('sha256').update(KNOWN).digest('hex');
    expect(Buffer.from(hashKey(KNOWN)).toString('hex')).toBe(digest);
    expect(maskOf(endsOf(secret))).toBe('sk-mg-0000...LLQ1');
    expect(`${generateKey(systemClock)}`).toBe('***');
  });
});

/** Returns a source of random bytes. The first byte is `byte`, all later bytes are 1. */
function firstThenOnes(byte: number): (length: number) => Uint8Array {
  let drawn = 0;
  return (length) => Uint8Array.from({ length }, () => (drawn++ === 0 ? byte : 1));
}
