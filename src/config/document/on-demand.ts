/**
 * Builds schemas on demand. A gateway needs the schemas of its settings only at startup and when
 * settings change, so their memory is freed afterwards.
 */

const held = new Set<() => void>();

/**
 * Returns a function that calls `make` once and caches its result until `freeSchemas` is called.
 */
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

/**
 * Drops the cached values of all functions that `built` returned. The next call of such a function
 * builds its value again.
 */
export function freeSchemas(): void {
  for (const free of held) free();
  held.clear();
}
