/**
 * Edits prices in documents (settings in the database): replaces a price with an announced price
 * that has started, and removes outdated notes on prices. Accepts invalid documents too, because
 * the schema reports their problems elsewhere.
 */

import { isMap, valueAt } from '../schema-path.ts';
import type { Document } from './document.ts';
import { withValue } from './edits.ts';
import { instantMs } from './price-times.ts';

type Place = { readonly path: readonly string[]; readonly channel: Document };

/** Yields the channels of all models, and the channels of models in price lists. */
function* channelsIn(document: unknown): Generator<Place> {
  yield* channelsOf(document, []);
  for (const [name, list] of Object.entries(Object(valueAt(document, ['price_lists']))))
    yield* channelsOf(list, ['price_lists', name]);
}

function* channelsOf(place: unknown, path: readonly string[]): Generator<Place> {
  for (const [id, model] of Object.entries(Object(valueAt(place, ['models']))))
    for (const [name, channel] of Object.entries(Object(valueAt(model, ['channels']))))
      if (isMap(channel)) yield { path: [...path, 'models', id, 'channels', name], channel };
}

/**
 * Returns the document with each price replaced by the latest announced price that has already
 * started. Announced prices that are not sorted by time stay, because the schema refuses them.
 */
export function tidied(document: Document, nowMs: number): Document {
  let next = document;
  for (const { path, channel } of channelsIn(document)) {
    const { upcoming, ...rest } = channel;
    if (!Array.isArray(upcoming) || !isAscending(upcoming.map(momentOf))) continue;
    const begun = upcoming.filter((each) => (momentOf(each) ?? Infinity) <= nowMs);
    const inForce: unknown = begun.at(-1);
    if (!isMap(inForce)) continue;
    const { effective_from: _, ...price } = inForce;
    const later = upcoming.filter((each) => !begun.includes(each));
    const entries = Object.entries({ ...rest, price, upcoming: later });
    const order = Object.keys(channel);
    const sorted = entries
      .filter(([key]) => key !== 'upcoming' || later.length > 0)
      .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    next = withValue(next, path, Object.fromEntries(sorted));
  }
  return next;
}

/** Whether each known moment is after the one before it. */
const isAscending = (moments: readonly (number | null)[]): boolean =>
  moments.every((each, at) => (each ?? Infinity) > (moments[at - 1] ?? -Infinity));

const momentOf = (price: unknown): number | null => instantMs(valueAt(price, ['effective_from']));

/** The notes on a price. They are outdated once the price changes. */
const NOTES = ['source', 'review'] as const;

/**
 * Removes the notes on prices that a merge patch has changed. Notes that the patch itself sets are
 * not removed.
 */
export function withoutOldNotes(before: Document, after: Document, patch: unknown): Document {
  let next = after;
  for (const { path, channel } of channelsIn(patch)) {
    for (const key of ['price', 'cost']) {
      const at = [...path, key];
      const [was, is, written] = [valueAt(before, at), valueAt(after, at), channel[key]];
      if (!isMap(was) || !isMap(is) || !isMap(written) || isSamePrice(was, is)) continue;
      const old = NOTES.filter((note) => note in is && !(note in written));
      if (old.length === 0) continue;
      const kept = Object.entries(is).filter(([name]) => !old.some((note) => note === name));
      next = withValue(next, at, Object.fromEntries(kept));
    }
  }
  return next;
}

const isSamePrice = (a: Document, b: Document): boolean => textOf(a) === textOf(b);
const textOf = (price: Document): string =>
  JSON.stringify(
    Object.entries(price)
      .filter(([key]) => key !== 'example' && !NOTES.some((note) => note === key))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
