/**
 * Finds the price cards (the versions of a channel's price) that apply at a given time. Yields the
 * catalogues that replace the current one when announced prices start.
 */
import type { Steps } from '../config/document/steps.ts';
import type { Card, Catalogue, Channel, ChannelName, DatedCard, Model } from './catalogue.ts';

/**
 * Returns the announced price cards of a channel. They start later than the current card, and will
 * replace it.
 */
export const announcedCards = <C extends Card>({ card, dated }: Channel<C>) =>
  dated.slice(dated.findLastIndex((each) => each.card === card) + 1);

/**
 * Returns all price cards of a channel with their start times. If a channel has only one card, its
 * start time is 0.
 */
export const datedCards = <C extends Card>({ card, dated }: Channel<C>): readonly DatedCard<C>[] =>
  dated.length === 0 ? [{ fromMs: 0, card }] : dated;

/**
 * Returns the start times of announced prices, in Unix milliseconds, ascending. The generator
 * yields after each model, so that other work can run.
 */
export function* momentSteps(models: Iterable<Model>): Steps<readonly number[]> {
  const moments = new Set<number>();
  for (const { channels } of models) {
    for (const { dated } of channels.values())
      for (let at = 1; at < dated.length; at++) moments.add(dated[at]?.fromMs ?? 0);
    yield;
  }
  return [...moments].sort((a, b) => a - b);
}

/** Returns the model with the price cards that apply at `atMs`. */
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
 * Returns the models with the price cards that apply from `momentMs` on. If no card of a model
 * starts at this time, the result contains the same object for the model.
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

/**
 * Yields the catalogue, followed by each catalogue that replaces its predecessor at a price change.
 */
export function* withLater(catalogue: Catalogue): Generator<Catalogue> {
  for (let each: Catalogue | null = catalogue; each !== null; each = each.next?.catalogue ?? null)
    yield each;
}
