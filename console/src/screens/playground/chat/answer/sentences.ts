/**
 * Determines how much of a streaming answer may be announced: whole sentences, never half a word.
 */

/**
 * Matches the end of a sentence with the space that follows, or the end of a line. After Chinese
 * punctuation, no space is needed.
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
