/**
 * Makes two documents share objects for their equal parts, so that changes can be found by
 * comparing object identity.
 */
import { valueAt } from '../schema-path.ts';
import type { Document } from './document.ts';
import type { Steps } from './steps.ts';

/**
 * The nesting level of records, such as models. A record is first compared as a whole. Only if it
 * differs are its parts compared.
 */
const RECORD_LEVEL = 2;

/**
 * Returns the document. Each part that equals the part of `known` at the same path is replaced by
 * the object in `known`.
 */
export function* sharedRecordSteps(known: Document, document: Document): Steps<Document> {
  const shared = yield* sharedSteps(known, document);
  return shared === known ? known : Object(shared);
}

/** Like `sharedRecordSteps`, but for any values. */
export function* sharedSteps(known: unknown, value: unknown, level = 0): Steps<unknown> {
  if (known === value || !isObject(known) || !isObject(value)) return value;
  if (Array.isArray(known) || Array.isArray(value)) return isSame(known, value) ? known : value;
  if (level >= RECORD_LEVEL) {
    yield;
    if (isSame(known, value)) return known;
  }
  const entries: [string, unknown][] = [];
  for (const [key, each] of Object.entries(value))
    entries.push([key, yield* sharedSteps(valueAt(known, [key]), each, level + 1)]);
  const keys = Object.keys(known);
  const isWhole =
    keys.length === entries.length &&
    entries.every(([key, each], at) => key === keys[at] && each === valueAt(known, [key]));
  if (isWhole) return known;
  const isOther = entries.every(([key, each]) => each === valueAt(value, [key]));
  return isOther ? value : Object.fromEntries(entries);
}

/** Compares values, including the order of their keys, because a document preserves the order. */
const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
