/** Converts LiteLLM's prices, which are per token, to prices per 1M tokens. */
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import type { PriceKey } from '../../money/usage.ts';
import { shiftedDecimal } from '../../reconcile/price-data/exact-decimal.ts';
import { LITELLM_KEYS } from '../../reconcile/price-data/price-data.ts';
import { numberIn } from '../json-values.ts';

type Prices = Readonly<Partial<Record<PriceKey, string>>>;

/** A price in the form of the configuration file `modelgate.yaml`. */
export type PriceSettings = Prices & {
  readonly rows?: readonly (Prices & { readonly when: { readonly prompt_over: number } })[];
  readonly source?: string;
};

export type ReadPrice = {
  readonly price: PriceSettings;
  /** Whether a price per 1M tokens had more than six decimal places and was rounded up. */
  readonly isRounded: boolean;
};

const KEYS = Object.values(LITELLM_KEYS);
const MILLION_PLACES = 6;
/** Maximum decimal places of a price. */
const PRICE_PLACES = 6;
/** Matches the end of the names of prices for prompts above so many thousands of tokens. */
const ABOVE = /_above_(\d{1,6})k_tokens$/;

/**
 * Returns the prices of a text model; null if the price of input or of output is missing. Leaves
 * out prices for prompts that exceed the context window.
 */
export function textPriceOf(entry: JsonObject, contextWindow: number): ReadPrice | null {
  const base = pricesOf(entry, '');
  if (base.prices.input === undefined || base.prices.output === undefined) return null;
  let { isRounded } = base;
  const rows = [];
  for (const step of stepsIn(entry)) {
    const above = pricesOf(entry, `_above_${step}k_tokens`);
    if (Object.keys(above.prices).length === 0 || step * 1000 >= contextWindow) continue;
    isRounded ||= above.isRounded;
    rows.push({ when: { prompt_over: step * 1000 }, ...base.prices, ...above.prices });
  }
  return { price: rows.length === 0 ? base.prices : { ...base.prices, rows }, isRounded };
}

function stepsIn(entry: JsonObject): readonly number[] {
  const steps = Object.keys(entry).map((name) => Number(ABOVE.exec(name)?.[1] ?? 0));
  return [...new Set(steps)].filter((step) => step > 0).sort((a, b) => a - b);
}

/** Returns the price data of a model without its prices for long prompts. */
export const withoutSteps = (entry: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !ABOVE.test(name)));

/** Returns the price of an embedding model; null if it is missing. */
export function embeddingPriceOf(entry: JsonObject): ReadPrice | null {
  const { prices, isRounded } = pricesOf(entry, '');
  return prices.input === undefined ? null : { price: { input: prices.input }, isRounded };
}

/** Returns the highest of these prices, for each kind of tokens and each length of the prompt. */
export function highestOf(read: readonly ReadPrice[]): ReadPrice {
  const prices = read.map(({ price }) => price);
  const steps = new Set(
    prices.flatMap(({ rows = [] }) => rows.map(({ when }) => when.prompt_over)),
  );
  const rows = [...steps]
    .sort((a, b) => a - b)
    .map((step) => ({ when: { prompt_over: step }, ...mostAt(prices, step) }));
  const base = mostAt(prices, 0);
  const isUsed = ({ price }: ReadPrice): boolean =>
    KEYS.some((key) => price[key] !== undefined && price[key] === base[key]);
  return {
    price: rows.length === 0 ? base : { ...base, rows },
    isRounded: read.some((each) => each.isRounded && isUsed(each)),
  };
}

/** Returns the highest prices for prompts of just more than `step` tokens. */
function mostAt(all: readonly PriceSettings[], step: number): Prices {
  const most: Partial<Record<PriceKey, string>> = {};
  for (const price of all) {
    const row = price.rows?.findLast(({ when }) => when.prompt_over <= step) ?? price;
    for (const key of KEYS) {
      const own = row[key];
      if (own !== undefined && Number(own) >= Number(most[key] ?? 0)) most[key] = own;
    }
  }
  return most;
}

function pricesOf(entry: JsonObject, suffix: string) {
  const prices: Partial<Record<PriceKey, string>> = {};
  let isRounded = false;
  for (const [name, key] of Object.entries(LITELLM_KEYS)) {
    const value = numberIn(entry, name + suffix);
    const exact = value === null ? null : shiftedDecimal(String(value), MILLION_PLACES);
    if (exact === null) continue;
    const rounded = roundedUp(exact);
    if (rounded !== exact) isRounded = true;
    prices[key] = rounded;
  }
  return { prices, isRounded };
}

/** Rounds up, so that a model is never sold below its price at LiteLLM. */
function roundedUp(exact: string): string {
  const [whole = '0', fraction = ''] = exact.split('.');
  if (fraction.length <= PRICE_PLACES) return exact;
  const units = BigInt(whole + fraction.slice(0, PRICE_PLACES)) + 1n;
  const digits = units.toString().padStart(PRICE_PLACES + 1, '0');
  const shown = `${digits.slice(0, -PRICE_PLACES)}.${digits.slice(-PRICE_PLACES)}`;
  return shown.replace(/\.?0+$/, '');
}

/** Price data by model, from LiteLLM's `model_prices_and_context_window.json`. */
export type PriceFile = ReadonlyMap<string, JsonObject>;

/** Reads price data; null if the text is not in LiteLLM's format. */
export function priceFileOf(text: string): PriceFile | null {
  const parsed = parsedText(text);
  const entries = Object.entries(parsed ?? {}).flatMap(([name, value]) => {
    const entry = asJsonObject(value);
    return entry === null ? [] : [[name, entry] as const];
  });
  const isKnown = entries.some(([, entry]) => entry['litellm_provider'] !== undefined);
  return isKnown ? new Map(entries) : null;
}

function parsedText(text: string): JsonObject | null {
  try {
    return asJsonObject(JSON.parse(text));
  } catch {
    // The text is not JSON, so it is not price data. The caller reports this.
    return null;
  }
}
