/** For tests: a seed that is printed, and the chance that follows from it. */

/** A draw in [0, 1). */
export type Chance = () => number;

/** Draws that follow from the seed alone (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A new seed, or the one in MODELGATE_TEST_SEED, which repeats its draws; printed either way. */
export function printedSeed(what: string): number {
  const given = process.env['MODELGATE_TEST_SEED'];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
  console.log(`${what}: MODELGATE_TEST_SEED=${seed}`);
  return seed;
}

/** A whole number from `low` up to and including `high`. */
export const between = (chance: Chance, low: number, high: number): number =>
  low + Math.floor(chance() * (high - low + 1));

export function oneOf<Item>(chance: Chance, items: readonly Item[]): Item {
  const item = items[Math.floor(chance() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

/** The same items in an order that chance gives. */
export function shuffled<Item>(chance: Chance, items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: chance() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
