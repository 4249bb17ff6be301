/**
 * Decodes the input of a custom tool while it arrives. A chat server knows only functions, so the
 * model writes the input as the string in `{"input": "..."}`.
 */
import { asString, parsedObject } from '../../json/object.ts';

const OPENING = /^\s*\{\s*"input"\s*:\s*"/;
/**
 * Maximum UTF-16 code units to wait for a match of `OPENING`. Longer arguments without a match do
 * not begin with `{"input": "`.
 */
const MAX_OPENING_UNITS = 64;

export class CustomInput {
  #phase: 'opening' | 'other' | 'string' | 'whole' = 'opening';
  /**
   * Arguments that are not decoded yet: all of them until the string begins, then only the
   * incomplete end of a piece.
   */
  #pending = '';
  #decoded = '';

  /** Takes the next piece of the arguments. Returns the part of the input that this piece adds. */
  push(piece: string): string {
    if (this.#phase === 'whole') return '';
    this.#pending += piece;
    if (this.#phase === 'string') return this.#decode();
    if (this.#phase === 'other') return '';
    const opening = OPENING.exec(this.#pending);
    if (opening === null) {
      if (this.#pending.length > MAX_OPENING_UNITS) this.#phase = 'other';
      return '';
    }
    this.#phase = 'string';
    this.#pending = this.#pending.slice(opening[0].length);
    return this.#decode();
  }

  /** Called after the last piece of the arguments. Returns the rest of the input. */
  finish(): string {
    const rest = this.#pending;
    this.#pending = '';
    if (this.#phase === 'string' || this.#phase === 'whole') return this.#append(unescaped(rest));
    // If the arguments are not an object with a string `input`, their whole text is the input.
    return this.#append(asString(parsedObject(rest)?.['input']) ?? rest);
  }

  get text(): string {
    return this.#decoded;
  }

  #decode(): string {
    const json = this.#pending;
    const { length, isWhole } = decodable(json);
    this.#pending = isWhole ? '' : json.slice(length);
    if (isWhole) this.#phase = 'whole';
    return this.#append(unescaped(json.slice(0, length)));
  }

  #append(input: string): string {
    this.#decoded += input;
    return input;
  }
}

/** The length of an escape such as `\u00e9`. */
const UNICODE_ESCAPE = 6;
const HIGH_SURROGATE = /^\\u[Dd][89ABab][\dA-Fa-f]{2}$/;

/**
 * Returns the number of UTF-16 units of a JSON string's content that can be decoded now. `isWhole`
 * is true if the string ends after them.
 */
function decodable(json: string): { readonly length: number; readonly isWhole: boolean } {
  let at = 0;
  while (at < json.length) {
    if (json[at] === '"') return { length: at, isWhole: true };
    if (json[at] !== '\\') {
      at += 1;
      continue;
    }
    const next = at + (json[at + 1] === 'u' ? UNICODE_ESCAPE : 2);
    if (next > json.length) break;
    // The two escapes of a surrogate pair must be decoded together.
    const rest = json.slice(next, next + UNICODE_ESCAPE);
    const mayBePair = rest.length < UNICODE_ESCAPE && '\\u'.startsWith(rest.slice(0, 2));
    if (mayBePair && HIGH_SURROGATE.test(json.slice(at, next))) break;
    at = next;
  }
  return { length: at, isWhole: false };
}

/**
 * Decodes the inside of a JSON string, even if it has line breaks that the model did not escape.
 */
function unescaped(json: string): string {
  if (!json.includes('\\')) return json;
  const escaped = json.replaceAll(/\p{Cc}/gu, (unit) => JSON.stringify(unit).slice(1, -1));
  try {
    return String(JSON.parse(`"${escaped}"`));
  } catch {
    // The model wrote an invalid escape, so the text stays as it is.
    return json;
  }
}
