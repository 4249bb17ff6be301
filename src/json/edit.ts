/** Reads and replaces top-level members of a scanned object. All other bytes stay the same. */
import { concatBytes } from './bytes.ts';
import type { ScannedObject } from './scan.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const COMMA_TEXT = encoder.encode(',');
const OPEN_TEXT = encoder.encode('{');
const CLOSE_TEXT = encoder.encode('}');

export function memberText({ ascii, bytes, members }: ScannedObject, key: string): string | null {
  const span = members.get(key);
  if (span === undefined) return null;
  const { start, end } = span;
  return ascii === null ? decoder.decode(bytes.subarray(start, end)) : ascii.slice(start, end);
}

export const isGiven = (body: ScannedObject, key: string): boolean => {
  const span = body.members.get(key);
  // `null` is the only JSON value that begins with an n.
  return span !== undefined && body.bytes[span.start] !== 0x6e;
};

/** The new value of each edited member, as JSON text or as bytes; null removes the member. */
export type MemberEdits = ReadonlyMap<string, string | Uint8Array | null>;

/** Replaces or adds members. All others keep their bytes and order. */
export const replaceMembers = (
  object: ScannedObject,
  edits: MemberEdits,
): Uint8Array<ArrayBuffer> =>
  object.ascii === null ? editedBytes(object, edits) : encoder.encode(editedText(object, edits));

/** Edits as `replaceMembers` does, but returns text. */
export const replacedText = (object: ScannedObject, edits: MemberEdits): string =>
  object.ascii === null ? decoder.decode(editedBytes(object, edits)) : editedText(object, edits);

/** Edits the text of an object that is all ASCII, which is faster than editing its bytes. */
function editedText({ ascii, members }: ScannedObject, edits: MemberEdits): string {
  const text = ascii ?? '';
  let edited = '';
  // The range of unedited members, separated only by commas, that are copied together.
  let runStart = 0;
  let runEnd = 0;
  // A loop over entries would allocate an array for each member.
  for (const key of members.keys()) {
    const span = members.get(key);
    if (span === undefined) continue;
    const { keyStart, start, end } = span;
    const edit = edits.get(key);
    if (edit === undefined && runStart < runEnd && keyStart === runEnd + 1) {
      runEnd = end;
      continue;
    }
    if (runStart < runEnd) edited = joined(edited, text.slice(runStart, runEnd));
    runStart = edit === undefined ? keyStart : 0;
    runEnd = edit === undefined ? end : 0;
    if (edit !== undefined && edit !== null)
      edited = joined(edited, text.slice(keyStart, start) + asText(edit));
  }
  if (runStart < runEnd) edited = joined(edited, text.slice(runStart, runEnd));
  for (const [key, edit] of edits) {
    if (edit !== null && !members.has(key))
      edited = joined(edited, `${JSON.stringify(key)}:${asText(edit)}`);
  }
  return `{${edited}}`;
}

const joined = (members: string, member: string): string =>
  members === '' ? member : `${members},${member}`;

function editedBytes(object: ScannedObject, edits: MemberEdits): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const member = (...parts: Uint8Array[]): void => {
    if (pieces.length > 0) pieces.push(COMMA_TEXT);
    pieces.push(...parts);
  };
  for (const [key, { keyStart, start, end }] of object.members) {
    const edit = edits.get(key);
    if (edit === undefined) member(object.bytes.subarray(keyStart, end));
    else if (edit !== null) member(object.bytes.subarray(keyStart, start), asBytes(edit));
  }
  for (const [key, text] of edits) {
    if (text !== null && !object.members.has(key)) {
      member(encoder.encode(`${JSON.stringify(key)}:`), asBytes(text));
    }
  }
  return concatBytes([OPEN_TEXT, ...pieces, CLOSE_TEXT]);
}

const asText = (edit: string | Uint8Array): string =>
  typeof edit === 'string' ? edit : decoder.decode(edit);

const asBytes = (edit: string | Uint8Array): Uint8Array =>
  typeof edit === 'string' ? encoder.encode(edit) : edit;
