/** A small catalogue for the tests of the relay. */
import {
  type Catalogue,
  type Channel,
  type ChatModel,
  DEFAULT_BOUNDS,
  type ImageModel,
  type Model,
  type Timeouts,
  type TokenCard,
} from '../catalogue/catalogue.ts';
import type { Currency } from '../money/amount.ts';
import { flatTerms, NO_NAMES } from '../money/card-terms.ts';
import { type FxRate, NO_RATES, picoRate, type Rates } from '../money/price.ts';
import { perPrice } from '../money/usage.ts';

export const USD_CNY: FxRate = { id: 'fx_1', base: 'USD', quote: 'CNY', scaled: 710_000_000n };

const RATES: Rates = {
  ...NO_RATES,
  input: picoRate(5_000_000n),
  cacheRead: picoRate(500_000n),
  cacheWrite5m: picoRate(6_250_000n),
  cacheWrite1h: picoRate(10_000_000n),
  output: picoRate(25_000_000n),
};
const chatCard = (id: string): TokenCard => ({
  unit: 'token',
  id,
  model: 'm',
  channel: 'direct',
  currency: 'USD',
  example: false,
  list: null,
  rates: RATES,
  terms: flatTerms(RATES),
  listed: perPrice(() => null),
});
const direct: Channel<TokenCard> = {
  name: 'direct',
  onlyOn: null,
  card: chatCard('card_direct'),
  dated: [],
  cost: null,
  routes: [{ upstream: 'there', model: 'm-there', weight: 1, priority: 1, drop: [] }],
};

const NO_TIMEOUTS: Timeouts = { connectMs: null, firstByteMs: null, idleMs: null, totalMs: null };

export const chatModel = (id: string, settlement: Currency): ChatModel => ({
  kind: 'chat',
  id,
  name: id,
  maker: 'gen',
  description: null,
  tags: [],
  releaseDate: null,
  settlement,
  defaultChannel: 'direct',
  onlyOn: null,
  input: ['text', 'image'],
  output: ['text'],
  timeouts: NO_TIMEOUTS,
  thinksUnseen: false,
  bounds: DEFAULT_BOUNDS,
  contextWindow: 1000,
  maxOutput: 500,
  channels: new Map([
    ['direct', direct],
    ['stable', { ...direct, name: 'stable', card: chatCard('card_stable') }],
  ]),
});

const imageModel: ImageModel = {
  kind: 'image',
  id: 'img',
  name: 'img',
  maker: 'img',
  description: null,
  tags: [],
  releaseDate: null,
  settlement: 'USD',
  defaultChannel: 'direct',
  onlyOn: null,
  input: ['text'],
  output: ['image'],
  timeouts: NO_TIMEOUTS,
  imageTokens: new Map(),
  sizes: ['1024x1024'],
  maxImages: 1,
  qualities: [],
  styles: [],
  backgrounds: [],
  moderations: [],
  outputFormats: ['png'],
  partialImages: null,
  responseFormat: 'url',
  maxInputImages: 0,
  inputImageTokens: null,
  channels: new Map([
    [
      'direct',
      {
        name: 'direct',
        onlyOn: null,
        card: {
          unit: 'image',
          id: 'card_img',
          model: 'img',
          channel: 'direct',
          currency: 'USD',
          example: false,
          list: null,
          perImage: new Map(),
          drawn: { names: NO_NAMES, admits: { size: [], quality: [] } },
          listed: {},
        },
        dated: [],
        cost: null,
        routes: direct.routes,
      },
    ],
  ]),
};

/** Returns a catalogue with the models `gen-usd` and `gen-cny` for chat, and `img` for images. */
export function smallCatalogue(fx: readonly FxRate[] = [USD_CNY]): Catalogue {
  const models: readonly Model[] = [
    chatModel('gen-usd', 'USD'),
    chatModel('gen-cny', 'CNY'),
    imageModel,
  ];
  const sold = new Map(models.map((model) => [model.id, model]));
  return {
    models: sold,
    all: sold,
    fx: new Map(fx.map((rate) => [`${rate.base}/${rate.quote}`, rate])),
    version: 'cat_1',
    loadedAtMs: 0,
    list: null,
    lists: new Map(),
    next: null,
  };
}
