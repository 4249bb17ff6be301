/** Counts the values of JSON that is inside a string of a body, such as a tool call's arguments. */

import { BACKSLASH, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './cursor.ts';
import { hasLongNumber } from './exact-numbers.ts';

/**
 * Limits for JSON inside strings. `values` limits the number of values, and `length` the length, of
 * all texts that one `NestedValues` counts. `lengthOfOne` limits the length of each text.
 */
export type NestedLimits = {
  readonly values: number;
  readonly length: number;
  readonly lengthOfOne: number;
};

/**
 * In a text with long numbers, each value counts as this many values, because keeping all digits
 * takes longer.
 */
export const EXACT_COST = 4;
/**
 * Counts the values of JSON inside strings, before this JSON is parsed. `JsonScan` does not count
 * them, because it does not look into strings.
 */
export class NestedValues {
  readonly #most: NestedLimits;
  #values = 0;
  #length = 0;

  constructor(most: NestedLimits) {
    this.#most = most;
  }

  /**
   * Counts the length of a text that is forwarded without parsing. Returns false if a limit on
   * length is exceeded.
   */
  takeLength(length: number): boolean {
    this.#length += length;
    return length <= this.#most.lengthOfOne && this.#length <= this.#most.length;
  }

  /** Counts the values of a text, and returns whether the text may be parsed. */
  take(text: string): boolean {
    if (!this.takeLength(text.length)) return false;
    this.#values += valuesIn(text) * (hasLongNumber(text) ? EXACT_COST : 1);
    return this.#values <= this.#most.values;
  }
}

/**
 * Returns an upper bound of the number of values: the number of commas and opening brackets outside
 * of strings.
 */
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
