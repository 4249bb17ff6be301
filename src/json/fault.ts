/** Finds where a text stops being valid JSON. The runtime's parser does not report the position. */
import { BACKSLASH, QUOTE } from './cursor.ts';

/** A position in a text. Lines and columns count from 1, columns in characters. */
export type TextPlace = { readonly line: number; readonly column: number };

const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** A character below this one is a control character, which a string may contain only escaped. */
const FIRST_PRINTABLE = 0x20;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

export function findJsonFault(text: string): TextPlace | null {
  const reader = new Reader(text);
  return reader.readsWhole() ? null : placeOf(text, reader.at);
}

class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readsWhole(): boolean {
    return this.#value() && this.at === this.#text.length;
  }

  /**
   * Reads a value and the white space around it. Recursion is safe, because `JsonScan` has limited
   * the depth.
   */
  #value(): boolean {
    this.#takes(SPACE);
    const next = this.#text[this.at];
    const isRead =
      next === '{'
        ? this.#list('}', () => this.#member())
        : next === '['
          ? this.#list(']', () => this.#value())
          : next === '"'
            ? this.#string()
            : this.#takes(SCALAR);
    return isRead && this.#takes(SPACE);
  }

  #list(close: string, readItem: () => boolean): boolean {
    this.at += 1;
    this.#takes(SPACE);
    if (this.#is(close)) return true;
    do {
      if (!readItem()) return false;
    } while (this.#is(','));
    return this.#is(close);
  }

  #member(): boolean {
    this.#takes(SPACE);
    return this.#string() && this.#takes(SPACE) && this.#is(':') && this.#value();
  }

  /**
   * Reads a string in a loop, because a regular expression would take a microsecond per character.
   */
  #string(): boolean {
    const start = this.at;
    if (!this.#is('"')) return false;
    for (;;) {
      const unit = this.#text.charCodeAt(this.at);
      if (unit === QUOTE) {
        this.at += 1;
        return true;
      }
      // At the end of the text, `unit` is NaN and `isRead` false: the string is incomplete.
      const isRead = unit === BACKSLASH ? this.#takes(ESCAPE) : unit >= FIRST_PRINTABLE;
      if (!isRead) {
        this.at = start;
        return false;
      }
      if (unit !== BACKSLASH) this.at += 1;
    }
  }

  #is(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  #takes(token: RegExp): boolean {
    token.lastIndex = this.at;
    if (!token.test(this.#text)) return false;
    this.at = token.lastIndex;
    return true;
  }
}

function placeOf(text: string, at: number): TextPlace {
  let line = 1;
  let lineStart = 0;
  // Line ends are counted without splitting, which could create a million strings per megabyte.
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) {
    line += 1;
    lineStart = end + 1;
  }
  return { line, column: at - lineStart + 1 };
}
