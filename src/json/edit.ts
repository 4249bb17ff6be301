/** Reads and replaces top-level members of a scanned object. All other bytes stay the same. */
import { concatBytes } from './bytes.ts';
import type { ScannedObject } from './scan.ts';

const encoder = new TextEncoder();
const COMMA_TEXT = encoder.encode(',');
const OPEN_TEXT = encoder.encode('{');
const CLOSE_TEXT = encoder.encode('}');

export function memberText(body: ScannedObject, key: string): string | null {
  const span = body.members.get(key);
  if (span === undefined) return null;
  return new TextDecoder().decode(body.bytes.subarray(span.start, span.end));
}

export const isGiven = (body: ScannedObject, key: string): boolean => {
  const span = body.members.get(key);
  // No JSON value but `null` begins with an n.
  return span !== undefined && body.bytes[span.start] !== 0x6e;
};

/** Replaces or adds members as JSON text; null removes one. All others keep bytes and order. */
export function replaceMembers(
  object: ScannedObject,
  edits: ReadonlyMap<string, string | null>,
): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const member = (...parts: Uint8Array[]): void => {
    if (pieces.length > 0) pieces.push(COMMA_TEXT);
    pieces.push(...parts);
  };
  for (const [key, { keyStart, start, end }] of object.members) {
    const edit = edits.get(key);
    if (edit === undefined) member(object.bytes.subarray(keyStart, end));
    else if (edit !== null) member(object.bytes.subarray(keyStart, start), encoder.encode(edit));
  }
  for (const [key, text] of edits) {
    if (text !== null && !object.members.has(key)) {
      member(encoder.encode(`${JSON.stringify(key)}:${text}`));
    }
  }
  return concatBytes([OPEN_TEXT, ...pieces, CLOSE_TEXT]);
}
