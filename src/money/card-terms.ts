/**
 * The conditions of a price card. A card has rows of explicit rates, and the last row whose
 * conditions all hold is charged. The first row has no conditions, so one always holds.
 */
import type { PicoRate, Rates } from './price.ts';
import type { FeeUnit } from './served.ts';

/** Days of the week as `Date.getUTCDay` counts them. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Conditions of a row, all of which must hold. An absent condition always holds. */
export type RowConditions = {
  readonly tier?: readonly string[];
  readonly speed?: readonly string[];
  readonly geo?: readonly string[];
  /** Holds when the prompt has more tokens than this. */
  readonly promptOver?: number;
  /** Holds when the prompt has at least this many tokens. */
  readonly promptFrom?: number;
  /** Half-open ranges of minutes of the day in the card's time zone. */
  readonly hours?: readonly { readonly from: number; readonly to: number }[];
  readonly days?: readonly Weekday[];
  /** Dates such as `2026-10-01` on which the row does not hold. */
  readonly notOn?: readonly string[];
};

export type CardRow = { readonly when: RowConditions; readonly rates: Rates };

/** A multiple of rates or fees that applies under conditions, as `numerator / denominator`. */
export type CardMultiple = {
  readonly when: RowConditions;
  readonly applies: 'tokens' | 'fees';
  readonly numerator: bigint;
  readonly denominator: bigint;
};

/** What callers may request on a card. Everything else that changes a bill is refused. */
export type Admits = {
  readonly tier: readonly string[];
  readonly speed: readonly string[];
  readonly geo: readonly string[];
  /** The provider's tools, by fee unit. */
  readonly tools: readonly FeeUnit[];
  readonly imageDetail: readonly string[];
  readonly cacheTtl: readonly string[];
};

/** Bounds that a hold assumes. A bound that is absent has the default of its kind. */
export type CardLimits = {
  /** Most uses of one tool in a request. */
  readonly uses: { readonly [Unit in FeeUnit]?: number };
  /** Most tokens that one use of a tool adds to the input. */
  readonly tokensPerUse: { readonly [Unit in FeeUnit]?: number };
  /** Most tokens of one image, one page of a document, and one second of audio. */
  readonly imageTokens: number | null;
  readonly pageTokens: number | null;
  readonly audioTokensPerSecond: number | null;
};

export type CardTerms = {
  readonly rows: readonly [CardRow, ...CardRow[]];
  readonly multiples: readonly CardMultiple[];
  /** Fees in pico-units per use. */
  readonly fees: { readonly [Unit in FeeUnit]?: PicoRate };
  /** Rates of other models that may run rounds, by the provider's name for the model. */
  readonly roundRates: ReadonlyMap<string, Rates>;
  /** Reported values by what they are called in conditions, such as `fast` -> `priority`. */
  readonly tierNames: ReadonlyMap<string, string>;
  /** The time zone of `hours` and `days`, and the moment that decides. */
  readonly clock: { readonly zone: string; readonly at: 'start' | 'end' | 'dearest' };
  readonly admits: Admits;
  readonly limits: CardLimits;
};

const NO_ADMITS: Admits = {
  tier: [],
  speed: [],
  geo: [],
  tools: [],
  imageDetail: [],
  cacheTtl: ['5m', '1h'],
};

/** The terms of a card with one row, no conditions and no fees. */
export const flatTerms = (rates: Rates): CardTerms => ({
  rows: [{ when: {}, rates }],
  multiples: [],
  fees: {},
  roundRates: new Map(),
  tierNames: new Map(),
  clock: { zone: 'UTC', at: 'dearest' },
  admits: NO_ADMITS,
  limits: {
    uses: {},
    tokensPerUse: {},
    imageTokens: null,
    pageTokens: null,
    audioTokensPerSecond: null,
  },
});
