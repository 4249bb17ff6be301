/**
 * Converts the models that channels of one-api and new-api offer to models with prices. Has no side
 * effects.
 */
import type { Left, MovedSettings } from '../move-in.ts';
import type { OneApiRoute } from './one-api-channels.ts';
import type { OneApiPrice, OneApiPrices } from './one-api-prices.ts';
import { modelMaker } from './one-api-providers.ts';

/**
 * The context window and maximum output of every model, in tokens, because the source does not
 * state them. If a request exceeds a model's real sizes, the provider refuses it.
 */
const CONTEXT_WINDOW = 1_000_000;
const MAX_OUTPUT = 128_000;
/**
 * The maximum output of older models in the Messages protocol. Anthropic refuses requests that ask
 * for more.
 */
const MESSAGES_OUTPUT: readonly (readonly [RegExp, number])[] = [
  [/claude-3-5/, 8_192],
  [/claude-3-7/, 64_000],
  [/claude-(?:3|2|instant)/, 4_096],
  [/claude-opus-4(?:-0|-1|-2025|$)/, 32_000],
  [/./, 64_000],
];
const MAX_PRIORITY = 100;
const MODEL_ID = /^[\w.:/-]{1,128}$/;

export type OneApiModels = {
  readonly models: MovedSettings['models'];
  readonly left: readonly Left[];
};

export function oneApiModels(
  routes: ReadonlyMap<string, readonly OneApiRoute[]>,
  priceOf: OneApiPrices,
): OneApiModels {
  const left: Left[] = [];
  const models: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const [name, its] of routes) {
    const prices = its.map((route) => priceOf(name, route));
    const found = highest(prices);
    const skip = (reason: string) => left.push({ what: 'model', name, reason });
    if (!MODEL_ID.test(name)) skip(BAD_ID);
    else if ('reason' in found) skip(found.reason);
    else if (!found.isText)
      skip('It is not a text model. Add it by hand with its sizes and prices.');
    else {
      if (found.isRounded)
        left.push({
          what: 'price',
          name,
          reason: 'The price is rounded up to a millionth of a USD per 1M tokens.',
        });
      if (new Set(prices.map((each) => JSON.stringify(each))).size > 1)
        left.push({
          what: 'price',
          name,
          reason: 'Its channels have different prices. The highest is charged.',
        });
      models[name] = modelOf(name, its, found.price);
    }
  }
  const names = Object.keys(models);
  left.push(...names.map((name) => ({ what: 'size', name, reason: ASSUMED })));
  return { models, left };
}

/** Returns the highest price, because a model has one; the first reason if there is no price. */
function highest(prices: readonly OneApiPrice[]): OneApiPrice {
  const total = (each: OneApiPrice): number =>
    'reason' in each ? -1 : Number(each.price['input']) + Number(each.price['output']);
  return prices.reduce((most, each) => (total(each) > total(most) ? each : most));
}

const BAD_ID = 'A model id may contain only letters, digits and - _ . : /.';
const ASSUMED =
  'The source does not have its context window, max output and kinds of input. Large values are assumed; correct them.';

function modelOf(
  name: string,
  routes: readonly OneApiRoute[],
  price: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const messages = routes.some(({ protocol }) => protocol === 'anthropic');
  const maxOutput = MESSAGES_OUTPUT.find(([pattern]) => pattern.test(name))?.[1] ?? MAX_OUTPUT;
  return {
    ...{ kind: 'chat', name, maker: modelMaker(name) },
    context_window: CONTEXT_WINDOW,
    max_output: messages ? maxOutput : MAX_OUTPUT,
    input: ['text', 'image'],
    default_channel: 'direct',
    channels: { direct: { price, routes: ranked(routes) } },
  };
}

/**
 * Returns the routes with the gateway's priorities: it prefers the lowest number, the source the
 * highest.
 */
function ranked(routes: readonly OneApiRoute[]): readonly Readonly<Record<string, unknown>>[] {
  const ranks = [...new Set(routes.map(({ priority }) => priority))].sort((a, b) =>
    a === b ? 0 : a > b ? -1 : 1,
  );
  return routes
    .map(({ upstream, model, weight, priority }) => ({
      ...{ upstream, model, weight },
      priority: Math.min(ranks.indexOf(priority) + 1, MAX_PRIORITY),
    }))
    .sort((a, b) => a.priority - b.priority);
}
