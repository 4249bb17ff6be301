/** For tests: random numbers from a seed that is printed, so that a failed run can be repeated. */

/** A source of random numbers in [0, 1). */
export type Random = () => number;

/** Returns a deterministic generator for this seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns the seed in the environment variable MODELGATE_TEST_SEED, or else a new one. Prints the
 * seed.
 */
export function printedSeed(what: string): number {
  const given = process.env['MODELGATE_TEST_SEED'];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
  console.log(`${what}: MODELGATE_TEST_SEED=${seed}`);
  return seed;
}

/** Returns a random integer from `low` to `high`, both inclusive. */
export const between = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));

export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

export function shuffled<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
