/** Resolves what a caller named: a model by its id, a channel by its name. */
import { nearest } from '../config/nearest.ts';
import { GatewayError } from '../errors.ts';
import {
  type Card,
  type Catalogue,
  type Channel,
  type ChannelName,
  isChannelName,
  type Model,
} from './catalogue.ts';

const MAX_SUGGESTIONS = 3;
const MAX_ECHO_CHARACTERS = 64;

/** @throws GatewayError `model_not_found`, naming up to three similar ids. */
export function findModel(catalogue: Catalogue, id: string): Model {
  const model = catalogue.models.get(id);
  if (model !== undefined) return model;
  const near = suggestions(id, [...catalogue.models.keys()]);
  const hint =
    near.length === 0 ? 'GET /v1/models lists them.' : `Did you mean ${near.join(' or ')}?`;
  throw new GatewayError(
    'model_not_found',
    `The model \`${id.slice(0, MAX_ECHO_CHARACTERS)}\` does not exist. ${hint}`,
    { param: 'model' },
  );
}

/**
 * The channel that serves a request. An unknown channel, or one that the model lacks, is not an
 * error: the default channel answers (service rule), unless the caller forbids that.
 * @throws GatewayError `channel_not_available` when `allowFallbacks` is false and another channel
 *   would answer.
 */
export function pickChannel<C extends Card>(
  model: {
    readonly id: string;
    readonly defaultChannel: ChannelName;
    readonly channels: ReadonlyMap<ChannelName, Channel<C>>;
  },
  asked: string | null,
  allowFallbacks: boolean,
): Channel<C> {
  const named = asked !== null && isChannelName(asked) ? model.channels.get(asked) : undefined;
  if (named !== undefined) return named;
  if (asked !== null && !allowFallbacks) {
    throw new GatewayError(
      'channel_not_available',
      `${model.id} has no channel "${asked.slice(0, MAX_ECHO_CHARACTERS)}"; it has ${[...model.channels.keys()].join(', ')}. Name one of them, or allow fallbacks.`,
      { param: 'provider.channel' },
    );
  }
  const fallback = model.channels.get(model.defaultChannel);
  if (fallback === undefined) throw new Error(`${model.id} has no default channel`);
  return fallback;
}

/** The most similar ids first, otherwise those with the same prefix. */
function suggestions(id: string, known: readonly string[]): readonly string[] {
  const found: string[] = [];
  while (found.length < MAX_SUGGESTIONS) {
    const near = nearest(
      id,
      known.filter((each) => !found.includes(each)),
    );
    if (near === null) break;
    found.push(near);
  }
  if (found.length > 0) return found;
  const [stem = ''] = id.slice(0, MAX_ECHO_CHARACTERS).toLowerCase().split('-');
  if (stem === '') return [];
  return known.filter((each) => each.startsWith(`${stem}-`)).slice(0, MAX_SUGGESTIONS);
}
