/**
 * Determines how much of a streaming answer may be announced: whole sentences, never half a word.
 */

/**
 * The end of a sentence with the following space, or the end of a line. In scripts without spaces,
 * no space has to follow.
 */
const SENTENCE_END = /[.!?…]["'”’)\]]*\s|[。！？；]["'”’」』）]*|\n/g;

/** Returns the index after the last complete sentence; `from` when no sentence was completed. */
export function sentenceEnd(text: string, from: number): number {
  let end = from;
  for (const match of text.slice(from).matchAll(SENTENCE_END)) {
    end = from + match.index + match[0].length;
  }
  return end;
}
