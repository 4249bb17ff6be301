/** Computes what the requests of past days would have cost at proposed prices. */
import { listsByAccount } from '../../accounts/accounts-on-lists.ts';
import { announcedCards, datedCards } from '../../catalogue/announced.ts';
import type { Card, Catalogue, Channel, ChannelName } from '../../catalogue/catalogue.ts';
import { type Currency, type NanoAmount, nano } from '../../money/amount.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import {
  type MonthCostsDeps,
  type PricingLimits,
  type Unknown,
  UsagePricing,
} from '../month-costs.ts';
import { inCurrency, type OperatorPrices } from '../operator-cost.ts';
import { isUse, MAX_GROUPS, type UsageGroup, without } from '../usage-report.ts';
import type { Days, Payers } from './image-sums.ts';

/** A new price of a model on a channel. */
export type ProposedCard = {
  readonly model: string;
  readonly channel: ChannelName;
  /** The price list that contains the price; null for a public price. */
  readonly list: string | null;
  readonly card: OperatorPrices;
  /** Whether the unit of the price changes, from tokens to images or from images to tokens. */
  readonly isOtherUnit: boolean;
};

type Priced = Pick<Catalogue, 'models' | 'lists'>;

/** Returns the prices that a change adds: public prices, and those of price lists. */
export const proposedCards = (before: Priced, after: Priced): readonly ProposedCard[] =>
  addedCards(before, after, datedCards);

/**
 * Returns the announced prices that the change removes without adding another price for the same
 * model, channel and price list.
 */
export function withdrawnCards(before: Priced, after: Priced): readonly ProposedCard[] {
  const replaced = new Set(proposedCards(before, after).map((it) => placeOf(it, it.list)));
  return addedCards(after, before, announcedCards).filter(
    (it) => !replaced.has(placeOf(it, it.list)),
  );
}

type CardsOf = typeof announcedCards | typeof datedCards;

const addedCards = (before: Priced, after: Priced, cardsOf: CardsOf): readonly ProposedCard[] => [
  ...newCards(before, after, null, cardsOf),
  ...[...after.lists].flatMap(([list, own]) => {
    const was = before.lists.get(list);
    return was === undefined ? [] : newCards(was, own, list, cardsOf);
  }),
];

/**
 * Returns one price for each channel that has a new price in `after`. If several new prices are
 * announced, returns the first of them. Omits new channels, which have no requests to price.
 */
const newCards = (
  before: Pick<Catalogue, 'models'>,
  after: Pick<Catalogue, 'models'>,
  list: string | null,
  cardsOf: CardsOf,
): readonly ProposedCard[] =>
  [...after.models].flatMap(([model, { channels }]) => {
    const known = before.models.get(model)?.channels;
    return [...channels.values()].flatMap((channel: Channel<Card>): readonly ProposedCard[] => {
      const was: Channel<Card> | undefined = known?.get(channel.name);
      if (was === undefined) return [];
      const ids = new Set(datedCards(was).map(({ card }) => card.id));
      const card = cardsOf(channel).find((dated) => !ids.has(dated.card.id))?.card;
      if (card === undefined) return [];
      const isOtherUnit = card.unit !== was.card.unit;
      return [{ model, channel: channel.name, list, card, isOtherUnit }];
    });
  });

/**
 * Reasons why requests cannot be priced at a proposed price. `too_many` and `unpriced`: see
 * `Unknown`. `too_many_listed`: more accounts are on price lists than may be read one by one.
 * `other_unit`: the new price is per image and the requests were sold by the token, or the reverse.
 * `no_rate`: there is no exchange rate to USD.
 */
export const NOT_REPRICED = [
  ...(['too_many', 'too_many_listed', 'unpriced', 'other_unit', 'no_rate'] as const),
] as const;
export type NotRepriced = (typeof NOT_REPRICED)[number];

/** The sums of the requests that one proposed price applies to, for wallets of one currency. */
export type Previewed = Pick<ProposedCard, 'model' | 'channel' | 'list'> & {
  /** The currency of the wallets. */
  readonly currency: Currency;
  readonly requests: bigint;
  /** The charges in nano-USD. Each request is converted at its own exchange rate. */
  readonly earned: NanoAmount;
  /**
   * The cost of the same requests at the proposed price, in nano-USD, rounded once. Counts each
   * request in full, including what its wallet could not pay.
   */
  readonly proposed: NanoAmount | NotRepriced;
};

/**
 * How many requests may be read one by one, which prices with conditions require. Reading this many
 * takes about half a second.
 */
const LIMITS: PricingLimits = { requests: 20_000, pages: 20 };
/** Maximum accounts on price lists. Reading the usage of each takes about a millisecond. */
const MAX_LISTED = 200;
const ANY = { keyId: null, channel: null, currency: null };

export type PricePreviewDeps = Pick<MonthCostsDeps, 'usage' | 'requests' | 'images' | 'fx'> & {
  readonly sql: Pick<SqlExecutor, 'query'>;
};

/**
 * A group of usage, the price list by which it is sold (null for public prices), and the accounts
 * whose usage it is. All these accounts pay the same prices.
 */
type Part = { readonly group: UsageGroup; readonly list: string | null; readonly payers: Payers };

export class PricePreview {
  readonly #deps: PricePreviewDeps;
  readonly #limits: PricingLimits;
  readonly #maxListed: number;

  constructor(deps: PricePreviewDeps, limits = LIMITS, maxListed = MAX_LISTED) {
    this.#deps = deps;
    this.#limits = limits;
    this.#maxListed = maxListed;
  }

  /**
   * Prices the usage of these days, both included, at the proposed prices `cards`.
   * @throws GatewayError `store_unavailable`.
   */
  async of(cards: readonly ProposedCard[], days: Days): Promise<readonly Previewed[]> {
    if (cards.length === 0) return [];
    const listed = await listsByAccount(this.#deps.sql, this.#maxListed);
    const byPlace = new Map(cards.map((card) => [placeOf(card, card.list), card]));
    const pricing = new UsagePricing(this.#deps, this.#limits);
    const sums = new Map<string, Sum>();
    for (const { group, list, payers } of await this.#parts(cards, days, listed ?? new Map())) {
      const card = byPlace.get(placeOf(group, list));
      if (card === undefined) continue;
      const pico =
        listed === null
          ? 'too_many_listed'
          : card.isOtherUnit
            ? 'other_unit'
            : await pricing.picoOf(group, card.card, days, payers);
      const key = `${placeOf(card, card.list)} ${group.currency}`;
      sums.set(key, added(sums.get(key), { card, group, pico }));
    }
    return [...sums.values()].map((sum) => this.#previewed(sum));
  }

  /** Splits the usage: a part for each account on a price list, and one for all other accounts. */
  async #parts(
    cards: readonly ProposedCard[],
    days: Days,
    listed: ReadonlyMap<string, string>,
  ): Promise<readonly Part[]> {
    const [first] = cards;
    const isOneModel = cards.every(({ model }) => model === first?.model);
    const filter = { ...ANY, ...days, model: isOneModel ? (first?.model ?? null) : null };
    const usageOf = async (accountId: string | null): Promise<readonly UsageGroup[]> => {
      const by = ['model', 'channel'] as const;
      return (await this.#deps.usage.page({ ...filter, accountId }, by, MAX_GROUPS, null)).rows;
    };
    const others = new Map((await usageOf(null)).map((group) => [groupKey(group), group]));
    const parts: Part[] = [];
    for (const [accountId, list] of listed) {
      for (const group of await usageOf(accountId)) {
        const all = others.get(groupKey(group));
        // This group's first request was settled after the totals in `others` were read. The totals
        // do not contain the group, so it is skipped.
        if (all === undefined) continue;
        others.set(groupKey(group), without(all, group));
        parts.push({ group, list, payers: { accountId, others: new Set() } });
      }
    }
    const payers = { accountId: null, others: new Set(listed.keys()) };
    const publicParts = [...others.values()].filter(isUse);
    return [...publicParts.map((group) => ({ group, list: null, payers })), ...parts];
  }

  #previewed({ card, currency, requests, earned, pico }: Sum): Previewed {
    const { model, channel, list, card: prices } = card;
    const proposed =
      typeof pico === 'string'
        ? pico
        : (inCurrency({ pico, currency: prices.currency }, 'USD', this.#deps.fx()) ?? 'no_rate');
    return { model, channel, list, currency, requests, earned: nano(earned), proposed };
  }
}

const placeOf = (
  { model, channel }: { readonly model: string | null; readonly channel: string | null },
  list: string | null,
): string => JSON.stringify([model, channel, list]);
const groupKey = (group: UsageGroup): string => `${placeOf(group, null)} ${group.currency}`;

/**
 * The usage to which one proposed price applies: that of all accounts on its price list, or of all
 * accounts without a list.
 */
type Sum = Pick<Previewed, 'currency' | 'requests'> & {
  readonly card: ProposedCard;
  readonly earned: bigint;
  readonly pico: bigint | Unknown | 'too_many_listed' | 'other_unit';
};

function added(
  sum: Sum | undefined,
  { card, group, pico }: Pick<Sum, 'card' | 'pico'> & { readonly group: UsageGroup },
): Sum {
  const { currency, requests, metered: earned } = group;
  if (sum === undefined) return { card, currency, requests, earned, pico };
  return {
    ...{ card, currency, requests: sum.requests + requests, earned: sum.earned + earned },
    pico:
      typeof sum.pico === 'string' ? sum.pico : typeof pico === 'string' ? pico : sum.pico + pico,
  };
}
