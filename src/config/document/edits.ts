/** Edits documents. The order of unchanged keys is preserved. */
import { isMap } from '../schema-path.ts';
import type { Document } from './document.ts';

/**
 * Returns the value with a JSON merge patch (RFC 7396) applied. A null in the patch removes a key.
 */
export function patched(value: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const entries = new Map(isMap(value) ? Object.entries(value) : []);
  for (const [key, each] of Object.entries(patch)) {
    if (each === null) entries.delete(key);
    else entries.set(key, patched(entries.get(key), each));
  }
  return Object.fromEntries(entries);
}

/** Returns the document with a merge patch applied. A patch that is not a map has no effect. */
export function patchedDocument(document: Document, patch: unknown): Document {
  const result = patched(document, isMap(patch) ? patch : {});
  return isMap(result) ? result : document;
}

/** Returns the document with the value at the path set, or removed if it is undefined. */
export function withValue(document: Document, path: readonly string[], value: unknown): Document {
  const [key, ...rest] = path;
  if (key === undefined) return document;
  const entries = new Map(Object.entries(document));
  const below = entries.get(key);
  const next = rest.length === 0 ? value : withValue(isMap(below) ? below : {}, rest, value);
  if (next === undefined) entries.delete(key);
  else entries.set(key, next);
  return Object.fromEntries(entries);
}
