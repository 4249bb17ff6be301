/**
 * The conditions of a price card. A card has rows of explicit rates. A request is charged by the
 * last row whose conditions all hold. The first row has no conditions, so at least one row applies.
 */
import type { PicoRate, Rates } from './price.ts';
import type { FeeUnit } from './served.ts';
import type { Bucket } from './usage.ts';

/** The days of the week, in the order of `Date.getUTCDay`. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/**
 * The facts of an answer that the conditions of a price card can name, with their default values.
 * The default applies if neither the request nor the provider names a value. For size and quality,
 * the default is an empty string, which stands for an answer without images.
 */
export const BASE_FACTS = {
  tier: 'default',
  speed: 'standard',
  geo: 'global',
  size: '',
  quality: '',
} as const;
export type FactName = keyof typeof BASE_FACTS;
/** The facts that a text request can name. `IMAGE_FACTS` has those for an image request. */
export const TEXT_FACTS = ['tier', 'speed', 'geo'] as const satisfies readonly FactName[];
export const IMAGE_FACTS = ['size', 'quality'] as const satisfies readonly FactName[];
export const FACT_NAMES = [...TEXT_FACTS, ...IMAGE_FACTS] as const;

/** The conditions of a row. All of them must hold. A condition that is absent always holds. */
export type RowConditions = {
  readonly tier?: readonly string[];
  readonly speed?: readonly string[];
  readonly geo?: readonly string[];
  readonly size?: readonly string[];
  readonly quality?: readonly string[];
  /** The condition holds if the prompt has more tokens than this number. */
  readonly promptOver?: number;
  /** The condition holds if the prompt has at least this number of tokens. */
  readonly promptFrom?: number;
  /** The row applies from `fromMs`, inclusive, to `untilMs`, exclusive, in Unix milliseconds. */
  readonly fromMs?: number;
  readonly untilMs?: number;
  /** Ranges of a day in minutes since midnight, in the card's time zone. `to` is exclusive. */
  readonly hours?: readonly { readonly from: number; readonly to: number }[];
  readonly days?: readonly Weekday[];
  /** Dates such as `2026-10-01` on which the row does not apply. */
  readonly notOn?: readonly string[];
};

export type CardRow = {
  readonly when: RowConditions;
  /**
   * The rates under these conditions; null if the provider sells nothing under them, so that
   * requests that meet them are refused.
   */
  readonly rates: Rates | null;
  /**
   * The usage buckets (kinds of tokens with their own price) for which the provider lists no price.
   * Their tokens cost the highest input or output rate, and the bill flags them.
   */
  readonly unlisted: readonly Bucket[];
};

/**
 * A factor, `numerator / denominator`, by which the rates (`tokens`) or the fees are multiplied if
 * its conditions hold.
 */
export type CardMultiple = {
  readonly when: RowConditions;
  readonly applies: 'tokens' | 'fees';
  readonly numerator: bigint;
  readonly denominator: bigint;
};

/**
 * The options that callers may request, by kind, because the price card has prices for them. A
 * request with another option that changes the provider's bill is refused.
 */
export type Admits = {
  readonly tier: readonly string[];
  readonly speed: readonly string[];
  readonly geo: readonly string[];
  /**
   * The sizes and qualities of images that the model can generate; empty if the price does not
   * depend on them. An image whose size or quality is not reported may have any of these.
   */
  readonly size: readonly string[];
  readonly quality: readonly string[];
  /** The provider's tools that a request may use, named by their fee units. */
  readonly tools: readonly FeeUnit[];
  readonly imageDetail: readonly string[];
  readonly cacheTtl: readonly string[];
};

/** Limits on uses of the provider's tools, for computing a hold. An absent limit has a default. */
export type CardLimits = {
  /** Maximum uses of one tool in a request. */
  readonly uses: { readonly [Unit in FeeUnit]?: number };
  /** Maximum tokens that one use of a tool adds to the input. */
  readonly tokensPerUse: { readonly [Unit in FeeUnit]?: number };
};

/**
 * For each fact, maps a provider's word for a value to the word that conditions use. For example,
 * it maps the tier `fast` to `priority`.
 */
export type FactNames = { readonly [Name in FactName]: ReadonlyMap<string, string> };

export type CardTerms = {
  readonly rows: readonly [CardRow, ...CardRow[]];
  readonly multiples: readonly CardMultiple[];
  /** Fees in pico-units per use. */
  readonly fees: { readonly [Unit in FeeUnit]?: PicoRate };
  /**
   * The rates of other models that may run a part of an answer (see `ServedRound`), by the
   * provider's name of the model.
   */
  readonly roundRates: ReadonlyMap<string, Rates>;
  readonly names: FactNames;
  /**
   * `zone` is the time zone of the conditions. `at` is the time for which they are checked: the
   * start of a request, its end, or the one of the two that gives the higher price.
   */
  readonly clock: { readonly zone: string; readonly at: 'start' | 'end' | 'highest' };
  readonly admits: Admits;
  readonly limits: CardLimits;
};

const NO_ADMITS: Admits = {
  tier: [],
  speed: [],
  geo: [],
  size: [],
  quality: [],
  tools: [],
  imageDetail: [],
  cacheTtl: ['5m', '1h'],
};

export const NO_NAMES: FactNames = {
  tier: new Map(),
  speed: new Map(),
  geo: new Map(),
  size: new Map(),
  quality: new Map(),
};

/** Returns the terms of a price card that has a single row, no conditions and no fees. */
export const flatTerms = (rates: Rates): CardTerms => ({
  rows: [{ when: {}, rates, unlisted: [] }],
  multiples: [],
  fees: {},
  roundRates: new Map(),
  names: NO_NAMES,
  clock: { zone: 'UTC', at: 'highest' },
  admits: NO_ADMITS,
  limits: { uses: {}, tokensPerUse: {} },
});

/** Whether the price has one rate for each usage bucket, without conditions, multiples or fees. */
export const isFlat = ({ rows, multiples, fees, roundRates }: CardTerms): boolean =>
  rows.length === 1 && multiples.length === 0 && roundRates.size === 0 && hasNone(fees);

function hasNone(fees: CardTerms['fees']): boolean {
  for (const _ in fees) return false;
  return true;
}
