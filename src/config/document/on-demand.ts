/**
 * Builds schemas when they are first needed. A gateway reads its settings at the start and when
 * they change, so the schemas of settings, which are many, are freed after the start.
 */

const held = new Set<() => void>();

/** Makes a value at the first call. Later calls return the same one, until `freeSchemas`. */
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

/** Frees all values of `built`. The next call of each makes it again. */
export function freeSchemas(): void {
  for (const free of held) free();
  held.clear();
}
