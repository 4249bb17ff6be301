/** Finds what somebody meant to type. */

/**
 * The known word closest to `typed`, or null when none is close: more than a third of its letters,
 * or more than three, would have to change.
 */
export function nearest(typed: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestEdits = Number.POSITIVE_INFINITY;
  for (const word of known) {
    const edits = editsBetween(typed, word);
    if (edits < bestEdits && edits <= Math.min(3, Math.ceil(word.length / 3))) {
      best = word;
      bestEdits = edits;
    }
  }
  return best;
}

/** Insertions, deletions and substitutions that turn one word into the other (Levenshtein). */
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
