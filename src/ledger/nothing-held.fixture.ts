import type { HeldInMemory } from './held-in-memory.ts';

/** For tests that hold nothing in memory. */
export const NOTHING_HELD: HeldInMemory = {
  request: () => false,
  wallet: () => 0n,
  meter: () => 0n,
};
