/** Finds the price card that applies on a channel at a given time, and the later catalogues. */
import type { Steps } from '../config/document/steps.ts';
import type { Card, Catalogue, Channel, ChannelName, DatedCard, Model } from './catalogue.ts';

/** Returns the announced price cards of a channel: those that replace the current one later. */
export const announcedCards = <C extends Card>({ card, dated }: Channel<C>) =>
  dated.slice(dated.findLastIndex((each) => each.card === card) + 1);

/**
 * Returns all price cards of a channel with their start times. A channel's only card starts at 0.
 */
export const datedCards = <C extends Card>({ card, dated }: Channel<C>): readonly DatedCard<C>[] =>
  dated.length === 0 ? [{ fromMs: 0, card }] : dated;

/** Returns the times (Unix ms, ascending) of announced price changes. Pauses after each model. */
export function* momentSteps(models: Iterable<Model>): Steps<readonly number[]> {
  const moments = new Set<number>();
  for (const { channels } of models) {
    for (const { dated } of channels.values())
      for (let at = 1; at < dated.length; at++) moments.add(dated[at]?.fromMs ?? 0);
    yield;
  }
  return [...moments].sort((a, b) => a - b);
}

/** Returns the model with the price cards that apply at this time. */
export function modelAt(model: Model, atMs: number): Model {
  if ([...model.channels.values()].every(({ dated }) => dated.length === 0)) return model;
  switch (model.kind) {
    case 'chat':
      return { ...model, channels: channelsAt(model.channels, atMs) };
    case 'image':
      return { ...model, channels: channelsAt<Card>(model.channels, atMs) };
    case 'embedding':
      return { ...model, channels: channelsAt(model.channels, atMs) };
  }
}

const channelsAt = <C extends Card>(
  channels: ReadonlyMap<ChannelName, Channel<C>>,
  atMs: number,
): ReadonlyMap<ChannelName, Channel<C>> =>
  new Map(
    [...channels].map(([name, channel]) => {
      const inForce = channel.dated.findLast(({ fromMs }) => fromMs <= atMs);
      return [name, inForce === undefined ? channel : { ...channel, card: inForce.card }];
    }),
  );

/**
 * Returns the models with the cards that start at `momentMs`. Models without such a card are not
 * copied.
 */
export function modelsFrom(
  models: ReadonlyMap<string, Model>,
  momentMs: number,
): ReadonlyMap<string, Model> {
  const changes = ({ channels }: Model): boolean =>
    [...channels.values()].some(({ dated }) => dated.some(({ fromMs }) => fromMs === momentMs));
  return new Map(
    [...models].map(([id, model]) => [id, changes(model) ? modelAt(model, momentMs) : model]),
  );
}

/** Yields the catalogue, then each catalogue that replaces its predecessor when prices change. */
export function* withLater(catalogue: Catalogue): Generator<Catalogue> {
  for (let each: Catalogue | null = catalogue; each !== null; each = each.next?.catalogue ?? null)
    yield each;
}
