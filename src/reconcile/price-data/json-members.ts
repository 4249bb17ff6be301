/**
 * Finds the members of a large JSON object without parsing their values, because few are needed.
 */
import type { Steps } from '../../config/document/steps.ts';

/** The number of characters that are scanned between two pauses, in less than a millisecond. */
const STEP_CHARS = 32_768;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x7b, 0x5b];
const CLOSING = [0x7d, 0x5d];

/**
 * Returns the JSON text of each member's value, by the member's name; null if `text` is not a JSON
 * object. The values are not checked, so they may still be invalid JSON.
 */
export function* membersIn(text: string): Steps<ReadonlyMap<string, string> | null> {
  const members = new Map<string, string>();
  let depth = 0;
  let isInString = false;
  let stringAt = 0;
  let name: string | null = null;
  let valueAt = -1;
  for (let at = 0; at < text.length; at += 1) {
    if (at % STEP_CHARS === STEP_CHARS - 1) yield;
    const char = text.charCodeAt(at);
    if (isInString) {
      if (char === BACKSLASH) at += 1;
      else if (char === QUOTE) {
        isInString = false;
        if (depth === 1 && name === null) name = parsedName(text.slice(stringAt, at + 1));
      }
      continue;
    }
    if (char === QUOTE) {
      isInString = true;
      stringAt = at;
      if (depth === 0) return null;
    } else if (OPENING.includes(char)) {
      if (depth === 0 && (char !== OPENING[0] || text.slice(0, at).trim() !== '')) return null;
      depth += 1;
    } else if (depth === 1 && char === 0x3a && valueAt === -1) {
      valueAt = at + 1;
    } else if (CLOSING.includes(char) || (depth === 1 && char === 0x2c)) {
      if (depth === 1 && name !== null && valueAt !== -1) {
        members.set(name, text.slice(valueAt, at));
        name = null;
        valueAt = -1;
      }
      if (char !== 0x2c) depth -= 1;
      if (depth === 0) return text.slice(at + 1).trim() === '' ? members : null;
    }
  }
  return null;
}

function parsedName(text: string): string | null {
  try {
    const name: unknown = JSON.parse(text);
    return typeof name === 'string' ? name : null;
  } catch {
    // A name with an invalid escape cannot be the name of a model.
    return null;
  }
}
