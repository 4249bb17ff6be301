/**
 * Removes routes from a document, together with the channels and models that no longer have a
 * route.
 */
import { valueAt } from '../schema-path.ts';
import type { Document } from './document.ts';
import { withValue } from './edits.ts';

/** A route: its model and channel, its upstream, and the model's name at the upstream. */
export type RoutePlace = {
  readonly model: string;
  readonly channel: string;
  readonly upstream: unknown;
  readonly upstreamModel: unknown;
};

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/**
 * Returns the document without the routes for which `isGone` is true. A channel without routes is
 * removed with its prices, and a model without channels is removed. If the default channel is
 * removed, the first remaining channel that is sold without a price list becomes the default. If
 * all of them are sold on price lists only, the first remaining channel becomes the default.
 */
export function withoutRoutes(
  document: Document,
  isGone: (route: RoutePlace) => boolean,
): Document {
  let after = document;
  for (const [id, model] of entriesOf(document['models'])) {
    const next = modelWithout(model, (channel, route) =>
      isGone({
        ...{ model: id, channel },
        upstream: valueAt(route, ['upstream']),
        upstreamModel: valueAt(route, ['model']),
      }),
    );
    if (next !== model) after = withValue(after, ['models', id], next);
  }
  return after;
}

/**
 * Returns the model without the removed routes. Returns the same object if no route is removed, and
 * undefined if all are.
 */
function modelWithout(
  model: unknown,
  isGone: (channel: string, route: unknown) => boolean,
): unknown {
  const before = entriesOf(valueAt(model, ['channels']));
  const after = before.flatMap(([name, channel]): readonly (readonly [string, unknown])[] => {
    const routes = valueAt(channel, ['routes']);
    if (!Array.isArray(routes)) return [[name, channel]];
    const left = routes.filter((route) => !isGone(name, route));
    if (left.length === routes.length) return [[name, channel]];
    return left.length === 0 ? [] : [[name, { ...Object(channel), routes: left }]];
  });
  const isSame = after.every(([, channel], index) => channel === before[index]?.[1]);
  if (isSame && after.length === before.length) return model;
  const names = after.map(([name]) => name);
  const open = after.find(([, channel]) => valueAt(channel, ['only_on']) === undefined);
  const first = open?.[0] ?? names[0];
  if (first === undefined) return undefined;
  const chosen = valueAt(model, ['default_channel']);
  return {
    ...Object(model),
    default_channel: names.includes(String(chosen)) ? chosen : first,
    channels: Object.fromEntries(after),
  };
}

/**
 * Removes missing models and channels from the document's price lists. If `only` of a list becomes
 * empty, it is not removed, because the list would then allow all models. An empty `only` is
 * invalid and is reported.
 */
export function withoutGoneInLists(document: Document): Document {
  const hasModel = (id: string): boolean => valueAt(document, ['models', id]) !== undefined;
  let after = document;
  for (const [name, list] of entriesOf(document['price_lists'])) {
    const path = ['price_lists', name];
    const only = valueAt(list, ['only']);
    if (Array.isArray(only)) {
      const left = only.filter((id) => hasModel(String(id)));
      if (left.length < only.length) after = withValue(after, [...path, 'only'], left);
    }
    for (const [id, listed] of entriesOf(valueAt(list, ['models']))) {
      const at = [...path, 'models', id];
      if (!hasModel(id)) after = withValue(after, at, undefined);
      else {
        for (const [channel] of entriesOf(valueAt(listed, ['channels'])))
          if (valueAt(document, ['models', id, 'channels', channel]) === undefined)
            after = withValue(after, [...at, 'channels', channel], undefined);
      }
    }
  }
  return after;
}
