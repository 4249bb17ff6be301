/** Counts the values of JSON inside strings of a body, such as a tool call's arguments. */
import { BACKSLASH, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './cursor.ts';

/** The scan does not see these values, so they are counted before they are parsed. */
export class NestedValues {
  #left: number;

  /** @param most the most values in all texts together. */
  constructor(most: number) {
    this.#left = most;
  }

  /** Counts a text, and returns whether it may be parsed. */
  take(text: string): boolean {
    this.#left -= valuesIn(text);
    return this.#left >= 0;
  }
}

/** Returns the commas and opening brackets outside of strings, which no values exceed. */
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
