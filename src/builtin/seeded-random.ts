/** Seeded random numbers. They give equal requests equal answers with equal ids. */

/**
 * Returns a 64-bit hash of the text and of `chain`, an earlier hash. It is not collision-resistant.
 */
export const fingerprint = (text: string, chain = 0n): bigint => Bun.hash.wyhash(text, chain);

export type SeededRandom = {
  /** Returns a random integer from 0 to `limit - 1`. */
  readonly below: (limit: number) => number;
  /** Returns a random number of at least `low` and below `high`. */
  readonly between: (low: number, high: number) => number;
  /** Returns random characters from A-Z, a-z and 0-9, for ids and signatures. */
  readonly text: (length: number) => string;
};

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Creates a mulberry32 generator. Equal seeds give equal sequences. */
export function seededRandom(seed: bigint): SeededRandom {
  let state = Number((seed ^ (seed >> 32n)) & 0xffffffffn);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => next() % limit;
  const between = (low: number, high: number): number => low + ((high - low) * next()) / 2 ** 32;
  const text = (length: number): string => {
    let drawn = '';
    while (drawn.length < length) drawn += BASE62[below(BASE62.length)];
    return drawn;
  };
  return { below, between, text };
}

/**
 * Returns the id of an answer. The id has its own generator, so it does not depend on how many
 * random numbers the answer uses.
 */
export const idOf = (seed: bigint, length: number): string =>
  seededRandom(fingerprint('id', seed)).text(length);
