/** Counts the values of JSON that a body contains as a string, such as a tool call's arguments. */
import { BACKSLASH, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './cursor.ts';

/** Counts values in strings before they are parsed, since `JsonScan` does not look into strings. */
export class NestedValues {
  #left: number;

  /** @param most how many values all counted texts together may have. */
  constructor(most: number) {
    this.#left = most;
  }

  /** Counts the values of a text, and returns whether the text may be parsed. */
  take(text: string): boolean {
    this.#left -= valuesIn(text);
    return this.#left >= 0;
  }
}

/** Returns an upper bound of the values: the commas and opening brackets outside of strings. */
function valuesIn(text: string): number {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === COMMA || unit === OPEN_ARRAY || unit === OPEN_OBJECT) values += 1;
    else if (unit === QUOTE) at = endOfString(text, at + 1);
  }
  return values;
}

function endOfString(text: string, start: number): number {
  for (let at = start; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let before = at - 1;
    while (before >= start && text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
}
