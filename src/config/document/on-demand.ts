/**
 * Builds schemas when they are first needed. The many schemas of settings are freed after the
 * start, because a gateway reads its settings only then and when they change.
 */

const held = new Set<() => void>();

/** Makes a value at the first call. Later calls return the same value, until `freeSchemas`. */
export function built<Made extends object>(make: () => Made): () => Made {
  let made: Made | null = null;
  const free = (): void => {
    made = null;
  };
  return () => {
    if (made === null) {
      made = make();
      held.add(free);
    }
    return made;
  };
}

/** Frees all values of `built`. The next call for each value makes it again. */
export function freeSchemas(): void {
  for (const free of held) free();
  held.clear();
}
