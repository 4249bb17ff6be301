/**
 * One or two letters that stand for a name in a small circle: the first of its first and last word; of a
 * name without spaces, such as a Chinese one, its first character.
 */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
