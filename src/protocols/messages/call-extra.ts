/**
 * Keeps what a chat provider added to a tool call in the id of the call, for Messages clients.
 * Gemini refuses an earlier call without its signature, and the id is all of a call that every
 * Messages client returns unchanged.
 */
import { type JsonObject, parsedObject } from '../../json/object.ts';

/** Separates the provider's id from the addition. */
export const EXTRA_MARK = '_modelgate-1_';
/** Maximum UTF-16 units of an addition. A longer one is left out. */
const MAX_EXTRA_UNITS = 64 * 1024;

/** Returns the id with the addition, in characters that the Messages protocol allows in ids. */
export function idWithExtra(id: string, extra: JsonObject): string {
  const json = JSON.stringify(extra);
  if (json.length > MAX_EXTRA_UNITS) return id;
  return `${id}${EXTRA_MARK}${Buffer.from(json).toString('base64url')}`;
}

export type ReadCallId = { readonly id: string; readonly extra: JsonObject | null };

/** Returns the provider's id and the addition; null for an id without one. */
export function readCallId(written: string): ReadCallId {
  const at = written.indexOf(EXTRA_MARK);
  if (at < 0) return { id: written, extra: null };
  const json = Buffer.from(written.slice(at + EXTRA_MARK.length), 'base64url').toString();
  return { id: written.slice(0, at), extra: parsedObject(json) };
}
