import type { HeldInMemory } from './held-in-memory.ts';

/** The holds in memory for tests that hold no money. */
export const NOTHING_HELD: HeldInMemory = {
  request: () => false,
  wallet: () => 0n,
  meter: () => 0n,
};
