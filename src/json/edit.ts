import type { ScannedObject } from './scan.ts';

/** The JSON text of a top-level member; null when there is none. */
export function memberText(body: ScannedObject, key: string): string | null {
  const span = body.members.get(key);
  if (span === undefined) return null;
  return new TextDecoder().decode(body.bytes.subarray(span.start, span.end));
}

/** Whether a top-level member is there and not null. */
export const isGiven = (body: ScannedObject, key: string): boolean => {
  const span = body.members.get(key);
  // No other value of JSON begins with an n.
  return span !== undefined && body.bytes[span.start] !== 0x6e;
};
