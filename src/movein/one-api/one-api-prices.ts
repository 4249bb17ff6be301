/**
 * Computes the prices of one-api and new-api as exact decimals per 1M tokens. At the source, an
 * input token costs the ratio of its model, in units of quota. An output token costs that ratio
 * times the model's completion ratio.
 */
import {
  decimalText,
  dividedBy,
  type Exact,
  exactNumbers,
  exactOf,
  parsedExactly,
  roundedDown,
  times,
  wholeNumber,
} from '../exact.ts';
import { UnknownSource } from '../source-tables.ts';
import { completionRatio } from './completion-ratios.ts';
import type { OneApiRoute } from './one-api-channels.ts';
import type { OneApi } from './one-api-tables.ts';

export type OneApiPrice =
  | {
      readonly price: Readonly<Record<string, string>>;
      /** Whether a price was rounded up to a millionth of a USD. */
      readonly isRounded: boolean;
      /** Whether the model is a text model, because the source says so or its name suggests it. */
      readonly isText: boolean;
    }
  | { readonly reason: string };

const MILLION = wholeNumber(1_000_000n);
const PRICE_DIGITS = 6;
const ONE = wholeNumber(1n);
/** The ratio that new-api charges for cache writes if the options set none for the model. */
const UNSET_CACHE_WRITE: Exact = { over: 5n, under: 4n };
/** How much more new-api charges for a cache write that lasts an hour: 6 / 3.75. */
const HOUR_TIMES: Exact = { over: 8n, under: 5n };

export type PriceTerms = { readonly quotaPerUnit: Exact; readonly publicRatio: Exact };

/**
 * Returns the price of a model on one of its routes. one-api charges for the model that the channel
 * requests from its provider, and new-api for the model that the caller requests.
 */
export type OneApiPrices = (
  model: string,
  sent: Pick<OneApiRoute, 'model' | 'kind'>,
) => OneApiPrice;

/**
 * Returns a function that returns the price of a model.
 * @param saved the saved answer of one-api's `/api/option/` or new-api's `/api/pricing`. If null,
 * only the prices that an administrator changed are known, because the database has no others.
 * @throws UnknownSource if `saved` is not such an answer.
 */
export function oneApiPrices(
  source: OneApi,
  saved: string | null,
  terms: PriceTerms,
): OneApiPrices {
  if (source.isNewApi) return newApiPrices(saved, terms);
  // The saved answer contains all prices, including the defaults, so its options override those of
  // the database.
  const options = new Map([...source.options, ...optionsIn(saved)]);
  const ratios = exactNumbers(options.get('ModelRatio') ?? '{}', 'ModelRatio');
  const completions = exactNumbers(options.get('CompletionRatio') ?? '{}', 'CompletionRatio');
  return (model, sent) => {
    // A ratio may be set for the channels of one kind, under a name such as `llama3(33)`.
    const ratioIn = (known: ReadonlyMap<string, Exact>, name: string): Exact | undefined =>
      known.get(`${name}(${sent.kind})`) ?? known.get(name);
    const name = ratioIn(ratios, sent.model) === undefined ? model : sent.model;
    const ratio = ratioIn(ratios, name);
    if (ratio === undefined) return { reason: NO_RATIO };
    const output = ratioIn(completions, name) ?? completionRatio(name);
    // one-api has no prices for cached tokens: they cost as much as other input.
    const [cacheRead, cacheWrite] = [ONE, ONE];
    const isText = isTextName(model) && isTextName(sent.model);
    return priceOf({ ratio, output, cacheRead, cacheWrite, hourTimes: null, isText }, terms);
  };
}

const NO_RATIO =
  'Its price is not in the source. Save the answer of /api/option/ of one-api in a file, and name the file with --prices.';
const NO_PRICING =
  'Prices of new-api are not in its database. Save the answer of /api/pricing in a file, and name the file with --prices.';

function optionsIn(saved: string | null): readonly (readonly [string, string])[] {
  if (saved === null) return [];
  const { data } = Object(parsedExactly(saved, 'file of --prices'));
  if (!Array.isArray(data) || data.some((option) => typeof Object(option).key !== 'string'))
    throw new UnknownSource('The --prices file is not an answer of /api/option/ of one-api.');
  return data.map((option): [string, string] => [option.key, String(option.value)]);
}

function newApiPrices(saved: string | null, terms: PriceTerms): OneApiPrices {
  if (saved === null) return () => ({ reason: NO_PRICING });
  const { data } = Object(parsedExactly(saved, 'file of --prices'));
  if (!Array.isArray(data) || data.some((entry) => typeof Object(entry).model_name !== 'string'))
    throw new UnknownSource('The --prices file is not an answer of /api/pricing of new-api.');
  const entries = new Map(data.map((entry) => [String(entry.model_name), entry]));
  return (model) => {
    const entry = entries.get(model);
    if (entry === undefined) return { reason: 'The --prices file does not list this model.' };
    if (String(entry.quota_type) !== '0')
      return {
        reason:
          'The source charges for this model per request. Add the model by hand with its price.',
      };
    if (String(entry.billing_mode ?? '') !== '')
      return {
        reason: 'The source prices this model by an expression. Write its price card by hand.',
      };
    const number = (value: unknown): Exact | null => exactOf(String(value ?? ''));
    const [ratio, output] = [number(entry.model_ratio), number(entry.completion_ratio)];
    if (ratio === null || output === null)
      return { reason: 'Its price in the source is not a number.' };
    const kinds: readonly unknown[] = entry.supported_endpoint_types ?? [];
    return priceOf(
      {
        ...{ ratio, output, cacheRead: number(entry.cache_ratio) ?? ONE },
        cacheWrite: number(entry.create_cache_ratio) ?? UNSET_CACHE_WRITE,
        hourTimes: HOUR_TIMES,
        isText: kinds.length === 0 ? isTextName(model) : kinds.some((kind) => isTextEndpoint(kind)),
      },
      terms,
    );
  };
}

const isTextEndpoint = (kind: unknown): boolean =>
  ['openai', 'anthropic', 'gemini', 'openai-response'].includes(String(kind));

/**
 * Matches the names of models for other uses than text: embeddings, images, audio, video or
 * moderation.
 */
const OTHER =
  /embed|rerank|^bge-|^m3e|whisper|^tts|speech|moderation|dall-e|gpt-image|imagen|image|flux|stable-diffusion|midjourney|^mj_|^suno|sora|veo-|video|realtime|^(?:text-|code-)?(?:ada|babbage|curie|davinci)/i;
export const isTextName = (model: string): boolean => !OTHER.test(model);

type Ratios = {
  readonly ratio: Exact;
  readonly output: Exact;
  readonly cacheRead: Exact;
  readonly cacheWrite: Exact;
  /** The ratio of a cache write for an hour to a shorter one; null if the source has none. */
  readonly hourTimes: Exact | null;
  readonly isText: boolean;
};

function priceOf(ratios: Ratios, { quotaPerUnit, publicRatio }: PriceTerms): OneApiPrice {
  const { ratio, output, cacheRead, cacheWrite, hourTimes, isText } = ratios;
  if (ratio.over <= 0n)
    return { reason: 'Its price in the source is zero. Write a price if you want to sell it.' };
  const input = dividedBy(times(times(ratio, publicRatio), MILLION), quotaPerUnit);
  const exact: readonly (readonly [string, Exact])[] = [
    ['input', input],
    ['output', times(input, output)],
    ['cache_read', times(input, cacheRead)],
    ['cache_write', times(input, cacheWrite)],
    ...(hourTimes === null
      ? []
      : [['cache_write_1h', times(times(input, cacheWrite), hourTimes)] as const]),
  ];
  const rounded = exact.map(([key, value]) => [key, roundedDown(value, PRICE_DIGITS)] as const);
  const price = rounded.map(([key, { value, isExact }]) => [
    key,
    decimalText(isExact ? value : value + 1n, PRICE_DIGITS),
  ]);
  return {
    price: Object.fromEntries(price),
    isRounded: rounded.some(([, { isExact }]) => !isExact),
    isText,
  };
}
