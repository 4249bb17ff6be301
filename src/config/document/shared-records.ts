/**
 * Makes two documents share their equal parts as the same objects, so that a comparison by identity
 * finds what changed.
 */
import { valueAt } from '../schema-path.ts';
import type { Document } from './document.ts';
import type { Steps } from './steps.ts';

/** The nesting level of records, such as models. Each is compared as a whole, then by its parts. */
const RECORD_LEVEL = 2;

/** Returns the document, with each part that is equal in `known` replaced by that object. */
export function* sharedRecordSteps(known: Document, document: Document): Steps<Document> {
  const shared = yield* sharedSteps(known, document);
  return shared === known ? known : Object(shared);
}

/** Like `sharedRecordSteps`, but for values of any type. */
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

/** Compares values, including the order of their keys, which a document keeps. */
const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
