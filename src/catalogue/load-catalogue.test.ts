import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { changedFile, SMALL_FILE, settingsOf } from '../config/file.fixture.ts';
import { formatDecimal, nano } from '../money/amount.ts';
import { NO_RATES, picoRate } from '../money/price.ts';
import { perPrice } from '../money/usage.ts';
import type { Card, Catalogue, ImageCard, TokenCard } from './catalogue.ts';
import { loadCatalogue } from './load-catalogue.ts';

const NOW_MS = 1_790_000_000_000;
const PRICE = '{ input: "5.00", output: "25.00" }';

const load = (file = SMALL_FILE): Catalogue => loadCatalogue(settingsOf(file), NOW_MS);
/** Returns the catalogue of the small file after replacing `piece` with `by`. */
const changed = (piece: string, by: string): Catalogue => load(changedFile(piece, by));

function cardOf(catalogue: Catalogue, model: string): Card {
  const card = catalogue.models.get(model)?.channels.get('direct')?.card;
  if (card === undefined) throw new Error(`${model} has no direct channel`);
  return card;
}
function chatCard(catalogue: Catalogue): TokenCard {
  const card = cardOf(catalogue, 'gen-x');
  if (card.unit !== 'token') throw new Error('gen-x is not a chat model');
  return card;
}
function imageCard(catalogue: Catalogue): ImageCard {
  const card = cardOf(catalogue, 'img-x');
  if (card.unit !== 'image') throw new Error('img-x is not an image model');
  return card;
}

describe('models', () => {
  test('take their values from the file, and defaults for the rest', () => {
    expect(load().models.get('gen-x')).toMatchObject({
      kind: 'chat',
      id: 'gen-x',
      name: 'gen-x',
      maker: 'gen',
      releaseDate: null,
      settlement: 'USD',
      defaultChannel: 'direct',
      input: ['text'],
      output: ['text'],
      contextWindow: 1000,
      maxOutput: 100,
    });
    expect(load().models.get('img-x')).toMatchObject({
      kind: 'image',
      output: ['image'],
      sizes: ['512x512', '1024x1024'],
      maxImages: 10,
      qualities: ['standard', 'hd'],
      styles: [],
    });
    expect(load().models.get('gen-x')?.channels.get('direct')?.routes).toEqual([
      { upstream: 'builtin', model: 'x', weight: 1, priority: 1, drop: [] },
    ]);
  });

  test('have their routes by priority, those of the same one as in the file', () => {
    const route = (model: string, more = '') => `{ upstream: builtin, model: ${model}${more} }`;
    const routes = [
      route('late', ', priority: 9'),
      route('one'),
      route('two', ', priority: 2'),
      route('other', ', priority: 1'),
    ];
    const loaded = changed(`[${route('x')}]`, `[${routes.join(', ')}]`);
    const found = loaded.models.get('gen-x')?.channels.get('direct')?.routes ?? [];
    expect(found.map(({ model }) => model)).toEqual(['one', 'other', 'two', 'late']);
  });

  test('have only the channels of the file', () => {
    expect([...(load().models.get('gen-x')?.channels.keys() ?? [])]).toEqual(['direct']);
  });
});

describe('rates', () => {
  test('are picos per token: micro-units per million', () => {
    const by =
      '{ input: "1.32", output: "3.96", cache_read: "0.04", cache_write: "1.65", cache_write_1h: "0.000001" }';
    expect(chatCard(changed(PRICE, by)).rates).toEqual({
      ...NO_RATES,
      input: picoRate(1_320_000n),
      cacheRead: picoRate(40_000n),
      cacheWrite5m: picoRate(1_650_000n),
      cacheWrite1h: picoRate(1n),
      output: picoRate(3_960_000n),
      reasoning: picoRate(3_960_000n),
      audioInput: picoRate(1_650_000n),
      audioOutput: picoRate(3_960_000n),
      imageInput: picoRate(1_650_000n),
      imageOutput: picoRate(3_960_000n),
    });
  });

  test('that are not listed derive from input or output: an hour of cache costs twice the input', () => {
    const { rates, listed } = chatCard(load());
    expect(rates).toEqual({
      ...NO_RATES,
      input: picoRate(5_000_000n),
      cacheRead: picoRate(5_000_000n),
      cacheWrite5m: picoRate(5_000_000n),
      cacheWrite1h: picoRate(10_000_000n),
      output: picoRate(25_000_000n),
      reasoning: picoRate(25_000_000n),
      audioInput: picoRate(10_000_000n),
      audioOutput: picoRate(25_000_000n),
      imageInput: picoRate(10_000_000n),
      imageOutput: picoRate(25_000_000n),
    });
    expect(listed).toEqual({
      ...perPrice(() => null),
      input: '5.00',
      output: '25.00',
      cache_read: null,
      cache_write: null,
      cache_write_1h: null,
    });
  });

  test('an hour of cache costs twice the input if only the shorter write is listed', () => {
    const by = '{ input: "5.00", output: "25.00", cache_write: "6.25" }';
    expect(chatCard(changed(PRICE, by)).rates.cacheWrite1h).toBe(picoRate(10_000_000n));
  });

  test('of images are those of text in a model that accepts images', () => {
    const by = 'max_output: 100\n    input: [text, image]';
    const { rates, terms } = chatCard(changed('max_output: 100', by));
    expect(rates.imageInput).toBe(picoRate(5_000_000n));
    expect(terms.rows[0].unlisted).toEqual(['audioInput', 'audioOutput', 'imageOutput']);
  });

  test('of reasoning, audio and images may be listed', () => {
    const by =
      '{ input: "5.00", output: "25.00", reasoning: "24.00", audio_input: "32.00", audio_output: "64.00", image_input: "8.00", image_output: "30.00" }';
    expect(chatCard(changed(PRICE, by)).rates).toMatchObject({
      reasoning: picoRate(24_000_000n),
      audioInput: picoRate(32_000_000n),
      audioOutput: picoRate(64_000_000n),
      imageInput: picoRate(8_000_000n),
      imageOutput: picoRate(30_000_000n),
    });
  });

  test('a listed zero stays zero', () => {
    const by = '{ input: "5.00", output: "25.00", cache_read: "0", cache_write: "0.000" }';
    const { rates } = chatCard(changed(PRICE, by));
    expect([rates.cacheRead, rates.cacheWrite5m]).toEqual([picoRate(0n), picoRate(0n)]);
  });

  test('of images by the token, and their cost, need no price of text in answers', () => {
    const prices = `price: { input: "6", image_output: "36" }
        cost: { input: "5", image_output: "30" }`;
    const sold = changedFile(
      'price: { per_image: { 512x512: "0.01", 512x512/hd: "0.02", 1024x1024: "0.03", 1024x1024/hd: "0.04" } }',
      prices,
    ).replace(
      '    qualities:',
      '    image_tokens: { 512x512: 100, 1024x1024: 200 }\n    qualities:',
    );
    const model = load(sold).models.get('img-x');
    const channel = model?.channels.get('direct');
    const [price, cost] = [channel?.card, channel?.cost];
    if (price?.unit !== 'token' || cost?.unit !== 'token') throw new Error('not by the token');
    const million = (usd: bigint) => picoRate(usd * 1_000_000n);
    const cached = { input: million(5n), cacheRead: million(5n) };
    expect(cost.rates).toMatchObject({ ...cached, imageOutput: million(30n) });
    // This card lists no price for output tokens. They get the highest output rate, which is that
    // of images.
    expect([price.rates.output, cost.rates.output]).toEqual([million(36n), million(30n)]);
  });

  test('of images are nanos per image', () => {
    expect([...imageCard(load()).perImage]).toEqual([
      ['512x512', nano(10_000_000n)],
      ['512x512/hd', nano(20_000_000n)],
      ['1024x1024', nano(30_000_000n)],
      ['1024x1024/hd', nano(40_000_000n)],
    ]);
  });

  test('every valid price keeps its exact digits', () => {
    const written = fc.tuple(fc.bigInt(0n, 999_999_999_999_999n), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(written, ([micros, shortest]) => {
        const text = formatDecimal(micros, 6, shortest);
        const { rates } = chatCard(changed('"5.00"', `"${text}"`));
        expect(rates.input).toBe(picoRate(micros));
        expect(formatDecimal(rates.input, 6, shortest)).toBe(text);
      }),
      { seed: 20261121 },
    );
  });
});

describe('exchange rates', () => {
  test('are scaled by 1e8 and identified by their content', () => {
    const rate = load().fx.get('USD/CNY');
    expect(rate).toEqual({
      id: rate?.id ?? '',
      base: 'USD',
      quote: 'CNY',
      scaled: 710_000_000n,
    });
    expect(rate?.id).toMatch(/^fx_[0-9a-f]{16}$/);
    expect(changed('"7.1000"', '"7.1"').fx.get('USD/CNY')?.id).toBe(rate?.id ?? '');
    expect(changed('"7.1000"', '"7.10000001"').fx.get('USD/CNY')?.id).not.toBe(rate?.id ?? '');
  });
});

describe('card ids', () => {
  test('are the same for the same content, on every load', () => {
    // The expected ids are literals, because they must not change in a new version: receipts refer
    // to price cards by these ids.
    expect(chatCard(load()).id).toBe('card_b7a0bdc90b081f86');
    expect(imageCard(load()).id).toBe('card_fbe078a7dbf6a894');
    expect(chatCard(loadCatalogue(settingsOf(SMALL_FILE), NOW_MS + 1)).id).toBe(
      chatCard(load()).id,
    );
  });

  test('ignore the notation of numbers, their order and the rest of the file', () => {
    const { id } = chatCard(load());
    expect(chatCard(changed(PRICE, '{ output: "25", input: "5.0" }')).id).toBe(id);
    expect(chatCard(changed('maker: gen', 'maker: other\n    name: Gen')).id).toBe(id);
    expect(chatCard(changed('model: x', 'model: y')).id).toBe(id);
    const sorted = changed(
      '512x512: "0.01", 512x512/hd: "0.02"',
      '512x512/hd: "0.02", 512x512: "0.01"',
    );
    expect(imageCard(sorted).id).toBe(imageCard(load()).id);
  });

  test.each([
    ['input: "5.00"', 'input: "5.000001"'],
    ['output: "25.00"', 'output: "24.999999"'],
    [PRICE, '{ input: "5.00", output: "25.00", cache_read: "4.99" }'],
    [PRICE, '{ input: "5.00", output: "25.00", cache_write: "5.01" }'],
    [PRICE, '{ input: "5.00", output: "25.00", cache_write_1h: "10.01" }'],
  ])('change with any of their numbers: %s → %s', (piece, by) => {
    expect(chatCard(changed(piece, by)).id).not.toBe(chatCard(load()).id);
  });

  test('differ by model, and not by its settlement currency', () => {
    const { id } = chatCard(load());
    const renamed = load(changedFile('  gen-x:', '  gen-y:'));
    expect(cardOf(renamed, 'gen-y').id).not.toBe(id);
    const settled = changedFile('maker: gen', 'maker: gen\n    settlement: CNY');
    expect(chatCard(load(settled)).id).toBe(id);
  });

  test('differ by channel', () => {
    const stable =
      '      stable: { price: { input: "5.00", output: "25.00" }, routes: [{ upstream: builtin, model: x }] }';
    const both = changed(
      '      direct:\n        price: { input',
      `${stable}\n      direct:\n        price: { input`,
    );
    const ids = [...(both.models.get('gen-x')?.channels.values() ?? [])].map(({ card }) => card.id);
    expect(new Set(ids).size).toBe(2);
  });

  test('of an image card change with any price', () => {
    expect(imageCard(changed('"0.04"', '"0.040000001"')).id).not.toBe(imageCard(load()).id);
  });
});

describe('the version of a catalogue', () => {
  test('changes with anything in it, and only then', () => {
    const { version, loadedAtMs } = load();
    expect(loadedAtMs).toBe(NOW_MS);
    expect(loadCatalogue(settingsOf(SMALL_FILE), NOW_MS + 1).version).toBe(version);
    expect(load(`log: { level: debug }\n${SMALL_FILE}`).version).toBe(version);
    expect(changed('max_output: 100', 'max_output: 101').version).not.toBe(version);
    expect(changed('"7.1000"', '"7.2"').version).not.toBe(version);
  });
});

test('a price that is not sold is listed as none, so that the catalogue has only amounts', () => {
  const file = changedFile('output: "25.00" }', 'output: "25.00", cache_write: "-" }');
  const card = loadCatalogue(settingsOf(file), 0).models.get('gen-x')?.channels.get('direct')?.card;
  expect(card?.listed['cache_write']).toBeNull();
});

test('a model whose settings are the same is built once, and under another id again', () => {
  const settings = settingsOf(SMALL_FILE);
  const { 'gen-x': model } = settings.models;
  if (model === undefined) throw new Error('the small file has gen-x');
  const first = loadCatalogue(settings, NOW_MS).models.get('gen-x');
  const models = { ...settings.models, 'gen-y': model };
  const next = loadCatalogue({ ...settings, models }, NOW_MS).models;
  expect(next.get('gen-x')).toBe(first as never);
  expect(next.get('gen-y')?.channels.get('direct')?.card.model).toBe('gen-y');
});
