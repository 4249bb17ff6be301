/** Finds the known word that a user probably meant to type. */

/**
 * The maximum number of wrong letters in a typo. With more wrong letters, the user probably meant
 * another word.
 */
const MOST_EDITS = 3;

/**
 * Returns the known word that is most similar to the typed word, ignoring case. Returns null if
 * more than `most` letters, or more than a third of the letters, differ.
 */
export function nearest(
  typed: string,
  known: readonly string[],
  most: number = MOST_EDITS,
): string | null {
  let best: string | null = null;
  let bestEdits = Number.POSITIVE_INFINITY;
  for (const word of known) {
    const allowed = Math.min(most, Math.ceil(word.length / 3));
    // The input may be megabytes long by mistake. A comparison of the lengths is enough to reject
    // it.
    if (Math.abs(typed.length - word.length) > allowed) continue;
    const edits = editsBetween(typed.toLowerCase(), word.toLowerCase());
    if (edits < bestEdits && edits <= allowed) {
      best = word;
      bestEdits = edits;
    }
  }
  return best;
}

/** Returns the Levenshtein distance of two words. */
function editsBetween(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const substituted = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const inserted = (current[column] ?? 0) + 1;
      const deleted = (previous[column + 1] ?? 0) + 1;
      current.push(Math.min(substituted, inserted, deleted));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
