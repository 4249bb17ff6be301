/**
 * Builds the catalogue of each price list, with the models that the list sells and price cards of
 * its own. A receipt contains the id of its price card, and the card contains the name of the list.
 */
import type { Steps } from '../config/document/steps.ts';
import type { ListedModel, PriceList } from '../config/lists/list-checks.ts';
import { MAX_PRICE_LISTS } from '../config/lists/list-schema.ts';
import { formatDecimal, type NanoAmount, nano } from '../money/amount.ts';
import type { CardTerms } from '../money/card-terms.ts';
import {
  formatTokenPrice,
  MULTIPLE_SCALE,
  type PicoRate,
  parseMultiple,
  picoRate,
  type Rates,
} from '../money/price.ts';
import { FEE_UNITS } from '../money/served.ts';
import { perBucket, perPrice } from '../money/usage.ts';
import type {
  Card,
  Catalogue,
  Channel,
  ChannelName,
  ImageCard,
  Model,
  TokenCard,
} from './catalogue.ts';
import { contentId } from './content-id.ts';

/**
 * A model as it is sold on a price list (`model`), and the inputs from which this model was built.
 */
type OnList = {
  readonly factor: string;
  readonly listed: ListedModel | undefined;
  readonly priced: Model;
  readonly model: Model;
};
/**
 * Caches the models of price lists, by public model and list. Only models whose inputs changed are
 * built again.
 */
const made = new WeakMap<Model, Map<string, OnList>>();

/** Returns the models that a list sells, in catalogue order. Yields after each model. */
export function* listedModels(
  models: ReadonlyMap<string, Model>,
  list: string,
  { factor, only, hidden, models: own }: PriceList,
  modelOf: (id: string, listed: ListedModel) => Model,
): Steps<ReadonlyMap<string, Model>> {
  const sold = new Map<string, Model>();
  const [isOnly, isHidden] = [only === null ? null : new Set(only), new Set(hidden)];
  for (const [id, model] of models) {
    if (isHidden.has(id) || isOnly?.has(id) === false || !isSoldOn(model, list)) continue;
    const listed = own[id];
    const priced = listed === undefined ? model : modelOf(id, listed);
    sold.set(id, madeOnce(model, list, { factor, listed, priced }));
    yield;
  }
  return sold;
}

function madeOnce(base: Model, list: string, of: Omit<OnList, 'model'>): Model {
  const onLists = made.get(base) ?? new Map<string, OnList>();
  const known = onLists.get(list);
  const { factor, listed, priced } = of;
  if (known?.factor === factor && known.listed === listed && known.priced === priced)
    return known.model;
  const factorOf = (channel: ChannelName): string =>
    listed?.channels.includes(channel) === true ? '1' : factor;
  const model = onList(modelOn(priced, list), list, factorOf);
  // Clears the cache when it is full, because it may contain entries of deleted price lists.
  // Nothing else removes these entries.
  if (known === undefined && onLists.size >= MAX_PRICE_LISTS) onLists.clear();
  onLists.set(list, { ...of, model });
  made.set(base, onLists);
  return model;
}

/** Whether accounts on `list`, or without a list if it is null, may buy a model or channel. */
const isSoldOn = ({ onlyOn }: Pick<Model, 'onlyOn'>, list: string | null): boolean =>
  onlyOn === null || (list !== null && onlyOn.includes(list));

/**
 * Returns the models sold to accounts without a price list. Returns the map `models` itself if no
 * model and no channel is left out.
 */
function publicModels(models: ReadonlyMap<string, Model>): ReadonlyMap<string, Model> {
  const open = [...models.values()]
    .filter((model) => isSoldOn(model, null))
    .map((model): [string, Model] => [model.id, modelOn(model, null)]);
  const isWhole = open.length === models.size && open.every(([id, it]) => models.get(id) === it);
  return isWhole ? models : new Map(open);
}

/**
 * Returns the model with only the channels that are sold to accounts on `list`, or to accounts
 * without a price list if `list` is null.
 */
function modelOn(model: Model, list: string | null): Model {
  if ([...model.channels.values()].every((channel) => isSoldOn(channel, list))) return model;
  const soldOn = <C extends Card>(channels: ReadonlyMap<ChannelName, Channel<C>>) =>
    new Map([...channels].filter(([, channel]) => isSoldOn(channel, list)));
  switch (model.kind) {
    case 'chat':
    case 'embedding':
      return { ...model, channels: soldOn(model.channels) };
    case 'image':
      return { ...model, channels: soldOn(model.channels) };
  }
}

/**
 * Returns the public catalogue with the catalogue of each price list, but without `next` (announced
 * price changes).
 */
export function withLists(
  at: Pick<Catalogue, 'all' | 'fx' | 'version' | 'loadedAtMs'>,
  listed: ReadonlyMap<string, ReadonlyMap<string, Model>>,
): Omit<Catalogue, 'next'> {
  const lists = new Map<string, Catalogue>();
  for (const [list, models] of listed) {
    const version = contentId('cat', [at.version, list]);
    const own = { models, all: models, version, list, lists: new Map() };
    lists.set(list, { ...at, ...own, next: null });
  }
  return { ...at, models: publicModels(at.all), list: null, lists };
}

type FactorOf = (channel: ChannelName) => string;

function onList(model: Model, list: string, factorOf: FactorOf): Model {
  switch (model.kind) {
    case 'chat':
    case 'embedding':
      return { ...model, channels: channelsOn(model.channels, list, factorOf, tokenCardOn) };
    case 'image':
      return { ...model, channels: channelsOn(model.channels, list, factorOf, cardOn) };
  }
}

type CardOn<C extends Card> = (card: C, list: string, factor: string) => C;

/**
 * Returns the channels with the price cards of this list. In the result, `card` and its entry in
 * `dated` are still the same object.
 */
const channelsOn = <C extends Card>(
  channels: ReadonlyMap<ChannelName, Channel<C>>,
  list: string,
  factorOf: FactorOf,
  own: CardOn<C>,
): ReadonlyMap<ChannelName, Channel<C>> =>
  new Map(
    [...channels].map(([name, channel]) => {
      const factor = factorOf(name);
      const dated = channel.dated.map(({ fromMs, card }) => ({
        fromMs,
        card: own(card, list, factor),
      }));
      const at = channel.dated.findIndex(({ card }) => card === channel.card);
      const card = dated[at]?.card ?? own(channel.card, list, factor);
      return [name, { ...channel, card, dated }];
    }),
  );

const cardOn: CardOn<Card> = (card, list, factor) =>
  card.unit === 'token' ? tokenCardOn(card, list, factor) : imageCardOn(card, list, factor);

const idOn = (card: Card, list: string, factor: string) => ({
  id: contentId('card', [card.id, list, factor]),
  list,
});

function tokenCardOn(card: TokenCard, list: string, factor: string): TokenCard {
  const terms = termsTimes(card.terms, (rate) => picoRate(times(rate, factor)));
  const { rates } = terms.rows[0];
  if (rates === null) throw new Error('the price without conditions is missing');
  const listed = perPrice(({ price, bucket }) =>
    card.listed[price] === null ? null : formatTokenPrice(rates[bucket]),
  );
  return { ...card, ...idOn(card, list, factor), rates, terms, listed };
}

function imageCardOn(card: ImageCard, list: string, factor: string): ImageCard {
  const prices = [...card.perImage].map(([key, price]): [string, NanoAmount] => [
    key,
    nano(times(price, factor)),
  ]);
  const perImage = new Map(prices);
  const listed = Object.fromEntries(prices.map(([key, price]) => [key, imageText(price)]));
  return { ...card, ...idOn(card, list, factor), perImage, listed };
}

const NANO_DIGITS = 9;
const MIN_DIGITS = 2;
const imageText = (price: NanoAmount): string => formatDecimal(price, NANO_DIGITS, MIN_DIGITS);

type OfRate = (rate: PicoRate) => PicoRate;

/**
 * Applies `of` to all rates and fees. The multiples that depend on conditions do not change, and
 * apply to the new rates.
 */
function termsTimes(terms: CardTerms, of: OfRate): CardTerms {
  const ratesOf = (rates: Rates): Rates => perBucket(({ bucket }) => of(rates[bucket]));
  const [first, ...others] = terms.rows.map((row) => ({
    ...row,
    rates: row.rates === null ? null : ratesOf(row.rates),
  }));
  if (first === undefined) throw new Error('the price has no rows');
  return {
    ...terms,
    rows: [first, ...others],
    fees: Object.fromEntries(
      FEE_UNITS.flatMap((unit) => {
        const fee = terms.fees[unit];
        return fee === undefined ? [] : [[unit, of(fee)]];
      }),
    ),
    roundRates: new Map([...terms.roundRates].map(([model, rates]) => [model, ratesOf(rates)])),
  };
}

/** Returns a price times a factor, rounded up to one unit of the price, such as a pico-unit. */
function times(price: bigint, factor: string): bigint {
  const numerator = parseMultiple(factor);
  if (numerator === null) throw new Error(`${factor} is not a factor`);
  return (price * numerator + MULTIPLE_SCALE - 1n) / MULTIPLE_SCALE;
}
