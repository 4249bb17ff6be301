/** What the requests of the last days would have come to at proposed prices. */
import { datedCards } from '../../catalogue/announced.ts';
import type { Card, Catalogue, Channel, ChannelName } from '../../catalogue/catalogue.ts';
import type { Currency, NanoAmount } from '../../money/amount.ts';
import {
  type MonthCostsDeps,
  type PricingLimits,
  type Unknown,
  UsagePricing,
} from '../month-costs.ts';
import { inCurrency, type OperatorPrices } from '../operator-cost.ts';
import { MAX_GROUPS, type UsageGroup } from '../usage-report.ts';

/** A new price of a model on a channel. */
export type ProposedCard = {
  readonly model: string;
  readonly channel: ChannelName;
  readonly card: OperatorPrices;
  /** Whether the price changes from one per token to one per image, or back. */
  readonly isOtherUnit: boolean;
};

/**
 * Returns the new price of each channel that gets one; of several announced prices, the first.
 * Channels that were not sold before have no requests to price.
 */
export function proposedCards(
  before: Pick<Catalogue, 'models'>,
  after: Pick<Catalogue, 'models'>,
): readonly ProposedCard[] {
  return [...after.models].flatMap(([model, { channels }]) => {
    const known = before.models.get(model)?.channels;
    return [...channels.values()].flatMap((channel: Channel<Card>): readonly ProposedCard[] => {
      const was: Channel<Card> | undefined = known?.get(channel.name);
      if (was === undefined) return [];
      const ids = new Set(datedCards(was).map(({ card }) => card.id));
      const card = datedCards(channel).find((dated) => !ids.has(dated.card.id))?.card;
      if (card === undefined) return [];
      const isOtherUnit = card.unit !== was.card.unit;
      return [{ model, channel: channel.name, card, isOtherUnit }];
    });
  });
}

/**
 * Why requests cannot be priced again. `other_unit`: they were sold by the token, and the new price
 * is by the image, or the other way round. `no_rate`: no exchange rate leads to USD.
 */
export const NOT_REPRICED = ['too_many', 'unpriced', 'other_unit', 'no_rate'] as const;
export type NotRepriced = (typeof NOT_REPRICED)[number];

/** The requests of a model on a channel that wallets of one currency paid for. */
export type Previewed = {
  readonly model: string;
  readonly channel: ChannelName;
  /** The currency of the wallets. */
  readonly currency: Currency;
  readonly requests: bigint;
  /** The charges in nano-USD, each request converted at its own pinned rate. */
  readonly earned: NanoAmount;
  /**
   * The same requests at the proposed price, in nano-USD, rounded once. It is exact, and counts
   * each request in full, also one that its wallet could not pay for.
   */
  readonly proposed: NanoAmount | NotRepriced;
};

/** About half a second of work. Only prices with conditions and prices of images need it. */
const LIMITS: PricingLimits = { requests: 20_000, pages: 20 };
const ANY = { accountId: null, keyId: null, channel: null, currency: null };

export class PricePreview {
  readonly #deps: Pick<MonthCostsDeps, 'usage' | 'requests' | 'fx'>;
  readonly #limits: PricingLimits;

  constructor(deps: Pick<MonthCostsDeps, 'usage' | 'requests' | 'fx'>, limits = LIMITS) {
    this.#deps = deps;
    this.#limits = limits;
  }

  /** Prices the usage of these days, both included. @throws GatewayError `store_unavailable`. */
  async of(
    cards: readonly ProposedCard[],
    days: { readonly fromDay: number; readonly toDay: number },
  ): Promise<readonly Previewed[]> {
    if (cards.length === 0) return [];
    const [first] = cards;
    const isOneModel = cards.every(({ model }) => model === first?.model);
    const filter = { ...ANY, ...days, model: isOneModel ? (first?.model ?? null) : null };
    const { rows } = await this.#deps.usage.page(filter, ['model', 'channel'], MAX_GROUPS, null);
    const byPlace = new Map(cards.map((each) => [`${each.model} ${each.channel}`, each]));
    const pricing = new UsagePricing(this.#deps.requests, this.#limits);
    const found: Previewed[] = [];
    for (const group of rows) {
      const card = byPlace.get(`${group.model} ${group.channel}`);
      if (card === undefined) continue;
      const { model, channel } = card;
      const { currency, requests, metered: earned } = group;
      const proposed = await this.#priced(pricing, card, group, days);
      found.push({ model, channel, currency, requests, earned, proposed });
    }
    return found;
  }

  async #priced(
    pricing: UsagePricing,
    { card, isOtherUnit }: ProposedCard,
    group: UsageGroup,
    days: { readonly fromDay: number; readonly toDay: number },
  ): Promise<Previewed['proposed']> {
    if (isOtherUnit) return 'other_unit';
    const pico: bigint | Unknown = await pricing.picoOf(group, card, days);
    if (typeof pico === 'string') return pico;
    return inCurrency({ pico, currency: card.currency }, 'USD', this.#deps.fx()) ?? 'no_rate';
  }
}
