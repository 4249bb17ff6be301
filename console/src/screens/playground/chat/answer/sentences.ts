/** Where an answer that is being written may be read aloud up to: whole sentences, never half a word. */

/** The end of a sentence and the space behind it, or of a line; languages written without spaces need none. */
const SENTENCE_END = /[.!?…]["'”’)\]]*\s|[。！？；]["'”’」』）]*|\n/g;

/** @returns the index behind the last whole sentence; `from` when none has ended since. */
export function sentenceEnd(text: string, from: number): number {
  let end = from;
  for (const match of text.slice(from).matchAll(SENTENCE_END)) {
    end = from + match.index + match[0].length;
  }
  return end;
}
