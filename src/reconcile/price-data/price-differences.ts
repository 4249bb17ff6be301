/**
 * Compares configured prices with public ones, and marks differences that a person must confirm.
 */
import type { Document } from '../../config/document/document.ts';
import type { Steps } from '../../config/document/steps.ts';
import { valueAt } from '../../config/schema-path.ts';
import { MAKES, type UpstreamMake } from '../../config/upstream-schema.ts';
import { divideHalfEven } from '../../money/amount.ts';
import { formatTokenPrice, MULTIPLE_SCALE, parseTokenPrice } from '../../money/price.ts';
import { PRICE_ROWS, type PriceKey } from '../../money/usage.ts';
import { KNOWN_PROVIDERS } from '../../upstreams/known-providers.ts';
import { hasPublicPrices, type PriceData, type PublicPrice } from './price-data.ts';

/** The prices to compare: those that callers pay, or the operator's cost. */
export const COMPARED = ['price', 'cost'] as const;
export type Compared = (typeof COMPARED)[number];

/** The reasons why a difference needs a person's confirmation. */
export const WAITS = ['jump', 'new', 'conditions'] as const;

export type PriceDifference = {
  readonly model: string;
  readonly channel: string;
  readonly key: PriceKey;
  /** The configured price in USD per 1M tokens; null if none is configured. */
  readonly before: string | null;
  /** The public price times the factor, in USD per 1M tokens. */
  readonly after: string;
  /** Whether `after` was rounded, half to even, to the decimals that a price may have. */
  readonly isRounded: boolean;
  /**
   * The change in percent with one decimal, such as `-12.5`; null if the configured price is zero
   * or absent.
   */
  readonly percent: string | null;
  /**
   * The reason why a person must confirm the change; null if nobody must. `jump`: the price changes
   * by more than `maxJump`. `new`: no price is configured. `conditions`: the configured price
   * depends on conditions (`rows`, `times`, `models`), which the public data lacks.
   */
  readonly waits: (typeof WAITS)[number] | null;
  /** The name of the model's entry in the public data. */
  readonly entry: string;
  /** Whether the entry in the public data has other prices, which are not compared. */
  readonly hasMore: boolean;
};

export const UNMATCHED = ['no_provider', 'not_listed', 'per_image', 'inexact'] as const;
export type Unmatched = {
  readonly model: string;
  readonly channel: string;
  /**
   * `no_provider`: no route leads to a provider in the public data. `not_listed`: the data lacks
   * the model. `per_image`: the model is sold by the image. `inexact`: a price has too many
   * decimals.
   */
  readonly reason: (typeof UNMATCHED)[number];
};

export type PriceComparison = {
  readonly differences: readonly PriceDifference[];
  readonly unmatched: readonly Unmatched[];
  /** The number of channels that were compared. */
  readonly compared: number;
};

export type CompareOptions = {
  readonly compared: Compared;
  /** The maximum change that needs no confirmation: the percentage times `MULTIPLE_SCALE`. */
  readonly maxJump: bigint;
  /** The factor by which public prices are multiplied, itself times `MULTIPLE_SCALE`. */
  readonly factor: bigint;
};

/** Compares the configured prices with the public ones. Pauses between channels. */
export function* comparisonSteps(
  document: Document,
  data: Pick<PriceData, 'find'>,
  options: CompareOptions,
): Steps<PriceComparison> {
  const differences: PriceDifference[] = [];
  const unmatched: Unmatched[] = [];
  let compared = 0;
  for (const [model, settings] of Object.entries(Object(document['models']))) {
    for (const [channel, own] of Object.entries(Object(valueAt(settings, ['channels'])))) {
      yield;
      const price = valueAt(own, [options.compared]);
      if (valueAt(own, ['price', 'per_image']) !== undefined) {
        unmatched.push({ model, channel, reason: 'per_image' });
        continue;
      }
      const found = findFor(document, own, data);
      if (typeof found === 'string') {
        unmatched.push({ model, channel, reason: found });
        continue;
      }
      compared += 1;
      const isEmbedding = valueAt(settings, ['kind']) === 'embedding';
      const known = isEmbedding ? EMBEDDING_KEYS : PRICE_KEYS;
      const { rows, isInexact } = differencesOf(price, found, known, options);
      if (isInexact) unmatched.push({ model, channel, reason: 'inexact' });
      differences.push(...rows.map((row) => ({ model, channel, ...row })));
    }
  }
  return { differences, unmatched, compared };
}

const PRICE_KEYS: readonly PriceKey[] = PRICE_ROWS.map(({ price }) => price);
const EMBEDDING_KEYS: readonly PriceKey[] = ['input'];

/** Returns the public price of the first route that has one, or the reason why no route has one. */
function findFor(
  document: Document,
  channel: unknown,
  data: Pick<PriceData, 'find'>,
): PublicPrice | 'no_provider' | 'not_listed' {
  let reason: 'no_provider' | 'not_listed' = 'no_provider';
  for (const route of Object.values(Object(valueAt(channel, ['routes'])))) {
    const upstream = String(valueAt(route, ['upstream']));
    const make = makeOf(valueAt(document, ['upstreams', upstream]));
    if (make === null || !hasPublicPrices(make)) continue;
    const found = data.find(make, String(valueAt(route, ['model'])));
    if (found !== null) return found;
    reason = 'not_listed';
  }
  return reason;
}

/** Returns the `make` of an upstream, as configured or else by its URL; null if unknown. */
function makeOf(upstream: unknown): UpstreamMake | null {
  const named = valueAt(upstream, ['make']);
  const make = MAKES.find((each) => each === named);
  if (make !== undefined && make !== 'generic') return make;
  const host = hostOf(valueAt(upstream, ['base_url']));
  const isOf = (each: UpstreamMake): boolean => {
    const { baseUrl, isOwnServer } = KNOWN_PROVIDERS[each];
    return host !== null && !isOwnServer && hostOf(baseUrl) === host;
  };
  return MAKES.find(isOf) ?? null;
}

const hostOf = (url: unknown): string | null =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).host : null;

type Row = Omit<PriceDifference, 'model' | 'channel'>;

function differencesOf(
  price: unknown,
  { name, prices, hasMore }: PublicPrice,
  keys: readonly PriceKey[],
  { maxJump, factor }: CompareOptions,
): { readonly rows: readonly Row[]; readonly isInexact: boolean } {
  const isConditioned = ['rows', 'times', 'models'].some(
    (key) => Object.keys(Object(valueAt(price, [key]))).length > 0,
  );
  let isInexact = false;
  const rows = keys.flatMap((key): readonly Row[] => {
    const listed = prices[key];
    if (listed === undefined) return [];
    const parsed = /^\d{1,9}(?:\.|$)/.test(listed) ? parseTokenPrice(listed) : null;
    if (parsed === null) {
      isInexact = true;
      return [];
    }
    const now = divideHalfEven(parsed * factor, MULTIPLE_SCALE);
    const isRounded = now * MULTIPLE_SCALE !== parsed * factor;
    const after = now === parsed ? listed : formatTokenPrice(now);
    const written = valueAt(price, [key]);
    const before = typeof written === 'string' && written !== '-' ? written : null;
    const was = before === null ? null : parseTokenPrice(before);
    if (was === now) return [];
    const waits =
      was === null
        ? 'new'
        : isJump(was, now, maxJump)
          ? 'jump'
          : isConditioned
            ? 'conditions'
            : null;
    const percent = was === null ? null : percentOf(was, now);
    return [{ key, before, after, isRounded, percent, waits, entry: name, hasMore }];
  });
  return { rows, isInexact };
}

function isJump(was: bigint, now: bigint, maxJump: bigint): boolean {
  const distance = now > was ? now - was : was - now;
  return distance * 100n * MULTIPLE_SCALE > maxJump * was;
}

/**
 * Returns the change of a price in percent with one decimal, rounded toward zero; null if the old
 * price is zero.
 */
export function percentOf(was: bigint, now: bigint): string | null {
  if (was === 0n) return null;
  const tenths = ((now - was) * 1000n) / was;
  const size = tenths < 0n ? -tenths : tenths;
  return `${now < was ? '-' : '+'}${size / 10n}.${size % 10n}`;
}
