/** Finds duplicate keys of objects, because parsers differ in which of the two values they keep. */
import { GatewayError } from '../errors.ts';
import { BACKSLASH, isEscaped, isSpace, QUOTE } from './cursor.ts';

/**
 * Up to this many keys of an object are compared one by one. More keys are stored in a set, which
 * is fast even if a caller chooses keys with equal hashes.
 */
const MAX_COMPARED = 16;
/** Maximum keys of an object below the top level, because parsing takes longer with each key. */
export const MAX_KEYS = 10_000;
const TOO_MANY_KEYS = `An object of the body has more than ${MAX_KEYS} keys. Send fewer.`;
const decoder = new TextDecoder();

/**
 * The keys of all open objects. Hashes are compared first, and bytes only if the hashes are equal.
 */
export class ObjectKeys {
  readonly #hashes: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** For each open object or array: the index of its first key in `#hashes`. */
  readonly #firsts: number[] = [];
  /**
   * For each open object or array: a set of its keys if they are many or have escapes; else null.
   */
  readonly #sets: (Set<string> | null)[] = [];

  open(): void {
    this.#firsts.push(this.#hashes.length);
    this.#sets.push(null);
  }

  close(): void {
    const first = this.#firsts.pop() ?? 0;
    this.#sets.pop();
    this.#hashes.length = first;
    this.#starts.length = first;
    this.#ends.length = first;
  }

  /** Adds the key before a colon. Returns the key if the object already has it, else null. */
  add(bytes: Uint8Array, colon: number): string | null {
    let end = colon - 1;
    while (isSpace(bytes[end])) end -= 1;
    // If no key precedes the colon, the JSON is invalid, and the parser reports that.
    if (bytes[end] !== QUOTE) return null;
    let start = end - 1;
    while (start >= 0 && (bytes[start] !== QUOTE || isEscaped(bytes, start, 0))) start -= 1;
    const top = this.#firsts.length - 1;
    const first = this.#firsts[top] ?? 0;
    const set = this.#sets[top] ?? null;
    const isFull = set !== null || this.#hashes.length - first >= MAX_COMPARED;
    const hash = isFull ? null : hashOf(bytes, start, end);
    if (hash === null) {
      return addTo(set ?? this.#setOf(bytes, first, top), textOf(bytes, start, end));
    }
    for (let at = first; at < this.#hashes.length; at++) {
      if (this.#hashes[at] !== hash) continue;
      if (isSame(bytes, this.#starts[at] ?? 0, this.#ends[at] ?? 0, start, end))
        return textOf(bytes, start, end);
    }
    this.#hashes.push(hash);
    this.#starts.push(start);
    this.#ends.push(end);
    return null;
  }

  #setOf(bytes: Uint8Array, first: number, top: number): Set<string> {
    const set = new Set<string>();
    for (let at = first; at < this.#hashes.length; at++)
      set.add(textOf(bytes, this.#starts[at] ?? 0, this.#ends[at] ?? 0));
    this.#sets[top] = set;
    return set;
  }
}

/**
 * Refuses a duplicate key, because the gateway and the provider might read different values of it,
 * such as different models. `key` is null for no duplicate.
 * @throws GatewayError `invalid_json`.
 */
export function refuseTwice(key: string | null, depth: number): void {
  if (key === null) return;
  const where = depth > 1 ? 'an object of the body' : 'the body';
  const message = `The key "${key.slice(0, 64)}" appears twice in ${where}. Send it once.`;
  throw new GatewayError('invalid_json', message);
}

function addTo(set: Set<string>, text: string): string | null {
  if (set.has(text)) return text;
  set.add(text);
  if (set.size > MAX_KEYS) throw new GatewayError('invalid_json', TOO_MANY_KEYS);
  return null;
}

/**
 * Returns the hash of a key; null for a key with escapes, which must be decoded before comparing.
 */
function hashOf(bytes: Uint8Array, start: number, end: number): number | null {
  let hash = 0;
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH) return null;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return hash;
}

function isSame(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): boolean {
  if (aEnd - a !== bEnd - b) return false;
  for (let at = 1; at < aEnd - a; at++) if (bytes[a + at] !== bytes[b + at]) return false;
  return true;
}

/**
 * Returns the decoded key without its quotes. Keeps an invalid key as it is: the parser refuses it.
 */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  const quoted = decoder.decode(bytes.subarray(start, end + 1));
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
