/** Converts the models of `GET https://openrouter.ai/api/v1/models` to models with their prices. */
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import type { PriceKey } from '../../money/usage.ts';
import { shiftedDecimal } from '../../reconcile/price-data/exact-decimal.ts';
import type { Left } from '../move-in.ts';
import { type Activity, isNamed } from './openrouter-activity.ts';

type Settings = Readonly<Record<string, JsonObject>>;
export type ReadModels = { readonly models: Settings; readonly left: readonly Left[] };

const UPSTREAM = 'openrouter';
const MODEL_ID = /^[\w.:/-]{1,128}$/;
/**
 * Maps OpenRouter's names of prices to the gateway's names. OpenRouter's prices are in USD per
 * token.
 */
const PRICES: Readonly<Record<string, PriceKey>> = {
  prompt: 'input',
  completion: 'output',
  input_cache_read: 'cache_read',
  input_cache_write: 'cache_write',
  internal_reasoning: 'reasoning',
  audio: 'audio_input',
};
/** Prices that are ignored, because the gateway does not request these features. */
const UNUSED = new Set(['web_search', 'image', 'discount', 'image_output', 'audio_output']);
const MILLION_PLACES = 6;
const PRICE = /^\d{1,9}(?:\.\d{1,6})?$/;
const FEE = /^\d{1,9}(?:\.\d{1,9})?$/;
const INPUTS = new Set(['text', 'image', 'file', 'audio', 'video']);
/** The maximum output, in tokens, that is assumed if OpenRouter does not state one for a model. */
const DEFAULT_OUTPUT = 16_384;

/** Checks a parsed answer. @returns null if the value is not OpenRouter's list of models. */
export function modelListOf(value: unknown): readonly JsonObject[] | null {
  const models = asArray(asJsonObject(value)?.['data']).map((each) => asJsonObject(each) ?? {});
  const isModel = ({ id, pricing }: JsonObject): boolean =>
    typeof id === 'string' && asJsonObject(pricing) !== null;
  return models.length > 0 && models.every(isModel) ? models : null;
}

/** Converts the listed models that the activity contains. */
export function usedModels(list: readonly JsonObject[], activity: Activity): ReadModels {
  const models: Record<string, JsonObject> = {};
  const left: Left[] = [];
  for (const { permaslug, variant } of activity.models) {
    const shown = variant === 'standard' ? permaslug : `${permaslug}:${variant}`;
    const found = list.find(({ id, canonical_slug: slug }) =>
      isNamed(String(id), String(slug), permaslug, variant),
    );
    const leave = (reason: string): void => void left.push({ what: 'model', name: shown, reason });
    if (found === undefined) leave('OpenRouter no longer lists this model.');
    else {
      const read = modelOf(found);
      if ('reason' in read) leave(read.reason);
      else {
        models[String(found['id'])] = read.model;
        for (const reason of read.notes) leave(reason);
      }
    }
  }
  return { models, left };
}

type ReadModel =
  | { readonly model: JsonObject; readonly notes: readonly string[] }
  | { readonly reason: string };

function modelOf(listed: JsonObject): ReadModel {
  const id = String(listed['id']);
  if (!MODEL_ID.test(id))
    return { reason: 'A model id may contain only letters, digits and - _ . : /.' };
  const shape = asJsonObject(listed['architecture']) ?? {};
  if (!asArray(shape['output_modalities']).includes('text'))
    return { reason: 'The model does not return text.' };
  const price = priceOf(asJsonObject(listed['pricing']) ?? {});
  if (price === null)
    return { reason: 'The model has no fixed price. Add it with a price of your own.' };
  const context = countOf(listed['context_length']);
  if (context === null) return { reason: 'Its context window is not listed.' };
  const output = countOf(asJsonObject(listed['top_provider'])?.['max_completion_tokens']);
  const given = asArray(shape['input_modalities']).filter((each) => INPUTS.has(String(each)));
  const isAudioSold = price.price.audio_input !== undefined;
  const input = given.filter((each) => each !== 'audio' || isAudioSold);
  const name = listed['name'];
  const notes = [
    ...(output === null ? [`Its max output is assumed: ${DEFAULT_OUTPUT} tokens.`] : []),
    ...(input.length < given.length ? ['Audio has no price, so it accepts no audio here.'] : []),
    ...(price.isWhole ? [] : ['The model has further prices, which are not imported.']),
  ];
  const model = {
    kind: 'chat',
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    maker: id.split('/')[0] ?? UPSTREAM,
    context_window: context,
    max_output: output ?? Math.min(context, DEFAULT_OUTPUT),
    input: input.includes('text') ? input : ['text', ...input],
    default_channel: 'direct',
    channels: {
      direct: {
        price: { ...price.price, source: 'https://openrouter.ai/api/v1/models' },
        routes: [{ upstream: UPSTREAM, model: id }],
      },
    },
  };
  return { model, notes };
}

/**
 * Returns the price of a model. Returns null if a price is missing, is variable (-1 at OpenRouter)
 * or has too many decimal places.
 */
function priceOf(pricing: JsonObject) {
  const price: Partial<Record<PriceKey, string>> & { fees?: { request: string } } = {};
  let isWhole = true;
  for (const [name, value] of Object.entries(pricing)) {
    const key = Object.hasOwn(PRICES, name) ? PRICES[name] : undefined;
    const written = typeof value === 'string' ? value : String(value);
    if (key !== undefined) {
      const exact = shiftedDecimal(written, MILLION_PLACES);
      if (exact === null || !PRICE.test(exact)) return null;
      // Leaves out prices of zero, because zero means that these tokens have no price of their own.
      // For input and output, zero means that they are free, so it is kept.
      if (exact !== '0' || key === 'input' || key === 'output') price[key] = exact;
    } else if (name === 'request') {
      if (!FEE.test(written)) return null;
      if (Number(written) > 0) price.fees = { request: written };
    } else if (!UNUSED.has(name) && Number(value) !== 0) isWhole = false;
  }
  return price.input === undefined || price.output === undefined ? null : { price, isWhole };
}

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

export const OPENROUTER_UPSTREAM: Settings = {
  [UPSTREAM]: {
    ...{ protocol: 'openai', make: 'openrouter', base_url: 'https://openrouter.ai/api/v1' },
    api_key: `\${secret:OPENROUTER_API_KEY}`,
  },
};
