/**
 * Reads public price data: LiteLLM's `model_prices_and_context_window.json`, and `api.json` of
 * models.dev. Prices become exact decimals per 1M tokens.
 */
import type { Steps } from '../../config/document/steps.ts';
import type { UpstreamMake } from '../../config/upstream-schema.ts';
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import type { PriceKey } from '../../money/usage.ts';
import { shiftedDecimal } from './exact-decimal.ts';
import { membersIn } from './json-members.ts';

export const PRICE_FORMATS = ['litellm', 'models.dev'] as const;
export type PriceFormat = (typeof PRICE_FORMATS)[number];

export type PublicPrice = {
  /** The name of the entry, such as `openai/gpt-4.1`. */
  readonly name: string;
  /** USD per 1M tokens. */
  readonly prices: Readonly<Partial<Record<PriceKey, string>>>;
  /**
   * Whether the entry also has prices that are not read, such as for long prompts or for batches.
   */
  readonly hasMore: boolean;
};

export type PriceData = {
  readonly format: PriceFormat;
  /** Returns the public price of a model at a provider; null if the data does not have it. */
  readonly find: (make: UpstreamMake, model: string) => PublicPrice | null;
};

type Entry = { readonly [name: string]: unknown };
type Keys = Readonly<Record<string, PriceKey>>;

/** LiteLLM's keys for prices, which are per token. */
export const LITELLM_KEYS: Keys = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cache_read',
  cache_creation_input_token_cost: 'cache_write',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h',
  output_cost_per_reasoning_token: 'reasoning',
  input_cost_per_audio_token: 'audio_input',
  output_cost_per_audio_token: 'audio_output',
  input_cost_per_image_token: 'image_input',
  output_cost_per_image_token: 'image_output',
};
/** The keys of models.dev for prices, which are per 1M tokens. */
const MODELS_DEV_KEYS: Keys = {
  input: 'input',
  output: 'output',
  cache_read: 'cache_read',
  cache_write: 'cache_write',
  reasoning: 'reasoning',
  input_audio: 'audio_input',
  output_audio: 'audio_output',
};
const MILLION_PLACES = 6;

type Names = { readonly [Format in PriceFormat]: readonly string[] };

/**
 * The names of providers in the data, by the `make` of an upstream. Self-hosted servers have no
 * names.
 */
const PROVIDERS: Readonly<Partial<Record<UpstreamMake, Names>>> = {
  openai: { litellm: ['openai'], 'models.dev': ['openai'] },
  anthropic: { litellm: ['anthropic'], 'models.dev': ['anthropic'] },
  gemini: { litellm: ['gemini'], 'models.dev': ['google'] },
  deepseek: { litellm: ['deepseek'], 'models.dev': ['deepseek'] },
  moonshot: { litellm: ['moonshot'], 'models.dev': ['moonshotai'] },
  xai: { litellm: ['xai'], 'models.dev': ['xai'] },
  openrouter: { litellm: ['openrouter'], 'models.dev': ['openrouter'] },
  bedrock: { litellm: ['bedrock', 'bedrock_converse'], 'models.dev': ['amazon-bedrock'] },
};

/** Whether the data can have prices for upstreams of this make. */
export const hasPublicPrices = (make: UpstreamMake): boolean => PROVIDERS[make] !== undefined;

/** Reads price data in either format. Returns null if the text has neither format. */
export function* priceDataSteps(text: string): Steps<PriceData | null> {
  const members = yield* membersIn(text);
  if (members === null) return null;
  let looked = 0;
  for (const value of members.values()) {
    const entry = parsedEntry(value);
    if (asJsonObject(entry?.['models']) !== null) return modelsDev(members);
    if (entry?.['litellm_provider'] !== undefined) return litellm(members);
    looked += 1;
    if (looked === MAX_LOOKED) return null;
  }
  return null;
}

/**
 * Maximum entries that are read to detect the format. Any valid entry reveals it, so if eight do
 * not, the text has neither format.
 */
const MAX_LOOKED = 8;

const litellm = (members: ReadonlyMap<string, string>): PriceData => ({
  format: 'litellm',
  find: (make, model) => {
    const providers = PROVIDERS[make]?.litellm ?? [];
    for (const name of [model, ...providers.map((each) => `${each}/${model}`)]) {
      const entry = parsedEntry(members.get(name));
      // An entry of another provider is skipped, because providers may use the same model name.
      if (entry === null || !providers.includes(String(entry['litellm_provider']))) continue;
      return priceOf(name, entry, LITELLM_KEYS, MILLION_PLACES);
    }
    return null;
  },
});

function modelsDev(members: ReadonlyMap<string, string>): PriceData {
  const models = new Map<string, JsonObject | null>();
  const modelsOf = (provider: string): JsonObject | null => {
    if (!models.has(provider))
      models.set(provider, asJsonObject(parsedEntry(members.get(provider))?.['models']));
    return models.get(provider) ?? null;
  };
  return {
    format: 'models.dev',
    find: (make, model) => {
      for (const provider of PROVIDERS[make]?.['models.dev'] ?? []) {
        const known = modelsOf(provider);
        const own = known !== null && Object.hasOwn(known, model) ? known[model] : undefined;
        const cost = asJsonObject(asJsonObject(own)?.['cost']);
        if (cost !== null) return priceOf(`${provider}/${model}`, cost, MODELS_DEV_KEYS, 0);
      }
      return null;
    },
  };
}

/** A JSON number as its text. */
type Literal = { readonly literal: string };
const isLiteral = (value: unknown): value is Literal =>
  typeof value === 'object' && value !== null && 'literal' in value;

/** Parses an entry, with its numbers as text; null if it is not an object. */
function parsedEntry(text: string | undefined): Entry | null {
  if (text === undefined) return null;
  try {
    const parsed = JSON.parse(text, (_, value, { source = '' }) =>
      typeof value === 'number' ? { literal: source } : value,
    );
    return asJsonObject(parsed);
  } catch {
    // An invalid entry counts as missing.
    return null;
  }
}

function priceOf(name: string, entry: Entry, keys: Keys, places: number): PublicPrice {
  const prices: Partial<Record<PriceKey, string>> = {};
  let hasMore = false;
  for (const [key, value] of Object.entries(entry)) {
    const known = Object.hasOwn(keys, key) ? keys[key] : undefined;
    const text = isLiteral(value) ? shiftedDecimal(value.literal, places) : null;
    if (known !== undefined && text !== null) prices[known] = text;
    const isPrice = places === 0 || key.includes('cost');
    if (known === undefined && isPrice && isNonzero(value)) hasMore = true;
  }
  return { name, prices, hasMore };
}

const isNonzero = (value: unknown): boolean =>
  isLiteral(value) ? /[1-9]/.test(value.literal) : typeof value === 'object' && value !== null;
