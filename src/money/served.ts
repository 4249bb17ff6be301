/**
 * The facts that a provider reports about an answer, other than token counts. A price card's
 * conditions and fees apply to these facts, because a provider may serve other values than were
 * requested.
 */
import type { Usage } from './usage.ts';

/** The kinds of use, other than tokens, for which a price card may charge a fee. */
export const FEE_UNITS = [
  'request',
  'web_search',
  'web_fetch',
  'file_search',
  'code_execution',
  'x_search',
  'maps',
] as const;
export type FeeUnit = (typeof FEE_UNITS)[number];

/**
 * A billed sampling round that the provider's totals exclude: a compaction, an advisor, or an
 * attempt that another model began and then declined. The gateway adds the tokens of such a round
 * to the usage of the answer.
 */
export type ServedRound = {
  /** The provider's name of the model that ran; null for the model of the card. */
  readonly model: string | null;
  readonly usage: Usage;
};

export type Served = {
  /** The service tier, such as `priority`; null when it is not reported. */
  readonly tier: string | null;
  /** The speed, such as `fast`; null when it is not reported. */
  readonly speed: string | null;
  /** The region of inference, such as `us`; null when it is not reported. */
  readonly geo: string | null;
  /** Size and quality of the images; null when they are not reported, or for text. */
  readonly size: string | null;
  readonly quality: string | null;
  /** The provider's name of the model that answered; null when it is not reported. */
  readonly model: string | null;
  /** Uses of the provider's tools, by fee unit. An absent unit was not used. */
  readonly uses: { readonly [Unit in FeeUnit]?: number };
  readonly rounds: readonly ServedRound[];
  /** The provider's own price in pico-USD, rounded; null when it is not reported. */
  readonly reportedCostPico: bigint | null;
  /** The provider's id of the answer, for comparing bills; null if it sends no id. */
  readonly responseId: string | null;
};

/** An answer about which the provider reported nothing but tokens. */
export const NOTHING_SERVED: Served = {
  tier: null,
  speed: null,
  geo: null,
  size: null,
  quality: null,
  model: null,
  uses: {},
  rounds: [],
  reportedCostPico: null,
  responseId: null,
};
