/**
 * The facts that a provider reports about an answer, other than token counts. They decide which
 * conditions and fees of a price card apply, because a provider may serve something else than was
 * requested.
 */
import type { Usage } from './usage.ts';

/** The kinds of use, other than tokens, for which a price card may have a fee. */
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
 * A round: a part of an answer that is billed but not included in the provider's token totals. It
 * is a compaction, an advisor, or an attempt that another model began and then declined. The
 * gateway adds its tokens to the usage of the answer.
 */
export type ServedRound = {
  /** The provider's name of the model that ran; null for the model of the price card. */
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
  /** The size and quality of the images; null for text or when they are not reported. */
  readonly size: string | null;
  readonly quality: string | null;
  /** The provider's name of the model that answered; null when it is not reported. */
  readonly model: string | null;
  /** Number of uses of the provider's tools, by fee unit. A unit that was not used is absent. */
  readonly uses: { readonly [Unit in FeeUnit]?: number };
  readonly rounds: readonly ServedRound[];
  /** The price that the provider reported, rounded to pico-USD; null when it reported none. */
  readonly reportedCostPico: bigint | null;
  /**
   * The provider's id of the answer, by which receipts are compared with the provider's bill; null
   * if it sends no id.
   */
  readonly responseId: string | null;
};

/** The facts of an answer about which the provider reported only token counts. */
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
