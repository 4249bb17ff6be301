import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SMALL_FILE, settingsOf } from '../config/file.fixture.ts';
import { publishedCards } from '../ledger/publish.ts';
import { PLAIN_FACTS, priceOf } from '../money/price-of.ts';
import { NO_USAGE } from '../money/usage.ts';
import { type Catalogue, catalogueOf, findModel, type Model, wholeCatalogue } from './catalogue.ts';
import { loadCatalogue } from './load-catalogue.ts';

const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const HOUR_MS = 3_600_000;
const load = (lists: string, file = SMALL_FILE): Catalogue =>
  loadCatalogue(settingsOf(`${file}price_lists:\n${lists}`), NOW_MS);
const tokenCard = (catalogue: Catalogue, id: string) => {
  const card = catalogue.models.get(id)?.channels.get('direct')?.card;
  if (card?.unit !== 'token') throw new Error(`${id} has no token card`);
  return card;
};
const perImage = ({ models }: Catalogue): unknown => {
  const card = models.get('img-x')?.channels.get('direct')?.card;
  return card?.unit === 'image' ? [card.listed, card.perImage] : null;
};

describe('the catalogue of a price list', () => {
  test('multiplies every price, rounded up to the unit of the price', () => {
    const list = catalogueOf(load('  partners: { factor: "0.333333" }\n'), 'partners');
    const { listed, rates, list: name } = tokenCard(list, 'gen-x');
    expect([name, listed.input, listed.output]).toEqual(['partners', '1.666665', '8.333325']);
    expect([rates.input, rates.cacheRead]).toEqual([1_666_665n, 1_666_665n] as never);
    expect(perImage(list)).toEqual([
      {
        '512x512': '0.00333333',
        '512x512/hd': '0.00666666',
        '1024x1024': '0.00999999',
        '1024x1024/hd': '0.01333332',
      },
      new Map([
        ['512x512', 3_333_330n],
        ['512x512/hd', 6_666_660n],
        ['1024x1024', 9_999_990n],
        ['1024x1024/hd', 13_333_320n],
      ]),
    ] as never);
    const odd = SMALL_FILE.replace('input: "5.00"', 'input: "0.000001"');
    expect(
      tokenCard(catalogueOf(load('  half: { factor: "0.5" }\n', odd), 'half'), 'gen-x').rates,
    ).toMatchObject({ input: 1n } as never);
  });

  test('multiplies rows and fees, and leaves multiples with conditions as they are', () => {
    const terms =
      'rows: [{ when: { tier: priority }, scale: "2" }], times: [{ when: { geo: us }, tokens: "1.1" }],' +
      ' fees: { web_search: "0.01" }, admit: { tier: [priority], tools: [web_search], geo: [us] }';
    const file = SMALL_FILE.replace('output: "25.00" }', `output: "25.00", ${terms} }`);
    const card = tokenCard(catalogueOf(load('  p: { factor: "0.85" }\n', file), 'p'), 'gen-x');
    expect(card.terms.rows.map(({ rates }) => rates?.input)).toEqual([
      4_250_000n,
      8_500_000n,
    ] as never);
    expect(card.terms.fees).toEqual({ web_search: 8_500_000_000n } as never);
    const served = { ...PLAIN_FACTS.served, geo: 'us' };
    const { lines } = priceOf(card.terms, { ...NO_USAGE, input: 1 }, { ...PLAIN_FACTS, served });
    expect(lines[0]?.ratePico).toBe(4_675_000n as never);
  });

  test('never charges less than the factor times the public price, nor a unit more', () => {
    const decimal = fc.integer({ min: 1, max: 9_999_999 }).map((micro) => {
      const digits = String(micro).padStart(7, '0');
      return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
    });
    const microOf = (text: string): bigint => BigInt(text.replace('.', ''));
    fc.assert(
      fc.property(decimal, decimal, (price, factor) => {
        const file = SMALL_FILE.replace('input: "5.00"', `input: "${price}"`);
        const list = catalogueOf(load(`  p: { factor: "${factor}" }\n`, file), 'p');
        const exact = microOf(price) * microOf(factor);
        const rate = BigInt(tokenCard(list, 'gen-x').rates.input) * 1_000_000n;
        expect(rate >= exact && rate - exact < 1_000_000n).toBe(true);
      }),
      { seed: 57, numRuns: 100 },
    );
  });

  test('has its own prices in place of multiplied ones, and cards with ids of its own', () => {
    const own = '{ channels: { direct: { price: { input: "1.00", output: "2.00" } } } }';
    const all = load(`  a: { factor: "0.5", models: { gen-x: ${own} } }\n  b: {}\n  c: {}\n`);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => catalogueOf(all, name));
    if (a === undefined || b === undefined || c === undefined) throw new Error('no lists');
    expect(tokenCard(a, 'gen-x').listed).toMatchObject({ input: '1.00', output: '2.00' });
    expect(tokenCard(b, 'gen-x').listed).toEqual(tokenCard(all, 'gen-x').listed);
    const ids = [all, a, b, c].map((each) => tokenCard(each, 'gen-x').id);
    expect(new Set(ids).size).toBe(4);
    expect(new Set([all, a, b, c].map(({ version }) => version)).size).toBe(4);
    // Each list has its own price card for each model. The public cards have the list null.
    expect(publishedCards(all).map(({ list }) => list)).toEqual([
      ...[null, null, 'a', 'a', 'b', 'b', 'c', 'c'],
    ]);
    expect(publishedCards(all, all)).toEqual([]);
  });

  test('has only the models that the list sells', () => {
    const all = load(
      '  one: { only: [img-x] }\n  other: { models: { img-x: { hidden: true } } }\n',
    );
    const idsOf = (list: string) => [...catalogueOf(all, list).models.keys()];
    expect([idsOf('one'), idsOf('other'), all.models.size]).toEqual([['img-x'], ['gen-x'], 2]);
  });

  test('changes with announced prices, those of the model and those of the list', () => {
    const [first, second] = [NOW_MS + HOUR_MS, NOW_MS + 2 * HOUR_MS];
    const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
    const file = SMALL_FILE.replace(
      'output: "25.00" }',
      `output: "25.00" }\n        upcoming: [{ effective_from: ${iso(first)}, input: "6.00", output: "30.00" }]`,
    );
    const own = `{ price: { input: "3.00", output: "9.00" }, upcoming: [{ effective_from: ${iso(second)}, input: "4.00", output: "9.00" }] }`;
    const lists = `  p: { factor: "0.5" }\n  q: { models: { gen-x: { channels: { direct: ${own} } } } }\n`;
    let all: Catalogue | null = load(lists, file);
    const seen: unknown[] = [];
    for (; all !== null; all = all.next?.catalogue ?? null) {
      const inputs = [null, 'p', 'q'].map((list) => {
        const { models } = catalogueOf(all as Catalogue, list);
        return inputOf(models.get('gen-x'));
      });
      seen.push([all.loadedAtMs, ...inputs]);
    }
    expect(seen).toEqual([
      [NOW_MS, '5.00', '2.50', '3.00'],
      [first, '6.00', '3.00', '3.00'],
      [second, '6.00', '3.00', '4.00'],
    ]);
  });

  test('is refused when the list is unknown, and is the public one without a list', () => {
    const all = load('  p: {}\n');
    expect(catalogueOf(all, null)).toBe(all);
    expect(() => catalogueOf(all, 'q')).toThrow('does not know the price list "q"');
  });
});

function inputOf(model: Model | undefined): string | null {
  const card = model?.channels.get('direct')?.card;
  return card?.unit === 'token' ? card.listed.input : null;
}

describe('what is sold only on lists', () => {
  const stable =
    '      stable:\n        only_on: [staff]\n        price: { input: "6.00", output: "25.00" }\n        routes: [{ upstream: builtin, model: y }]\n      direct:\n';
  const file = SMALL_FILE.replace('      direct:\n', stable).replace(
    'kind: image\n',
    'kind: image\n    only_on: [partners]\n',
  );
  const soldIn = ({ models }: Pick<Catalogue, 'models'>) =>
    Object.fromEntries([...models].map(([id, { channels }]) => [id, [...channels.keys()]]));

  test('is in the catalogues of these lists, and in no other', () => {
    const all = load('  partners: { factor: "0.5" }\n  staff: {}\n  none-of-it: {}\n', file);
    expect(soldIn(all)).toEqual({ 'gen-x': ['direct'] });
    expect(soldIn(catalogueOf(all, 'partners'))).toEqual({
      'gen-x': ['direct'],
      'img-x': ['direct'],
    });
    expect(soldIn(catalogueOf(all, 'staff'))).toEqual({ 'gen-x': ['direct', 'stable'] });
    expect(soldIn(catalogueOf(all, 'none-of-it'))).toEqual({ 'gen-x': ['direct'] });
    expect(soldIn(wholeCatalogue(all))).toEqual({
      'gen-x': ['direct', 'stable'],
      'img-x': ['direct'],
    });
    // The channel `stable` and the model img-x have no public price, so they have no public price
    // card.
    const cards = publishedCards(all).map(({ model, channel, list }) => [model, channel, list]);
    expect(cards.filter(([, , list]) => list === null)).toEqual([['gen-x', 'direct', null]]);
    expect(cards).toContainEqual(['gen-x', 'stable', 'staff']);
    expect(() => findModel(all, 'img-x')).toThrow(
      'does not exist. GET /v1/models lists the models.',
    );
    expect(() => findModel(all, 'img-y')).toThrow(
      'does not exist. GET /v1/models lists the models.',
    );
  });

  test('has prices of the list, and stays hidden when announced prices come into force', () => {
    const own =
      '{ channels: { direct: { price: { per_image: { 512x512: "0.1", 1024x1024: "0.2", 512x512/hd: "0.3", 1024x1024/hd: "0.4" } } } } }';
    const iso = new Date(NOW_MS + HOUR_MS).toISOString().replace('.000Z', 'Z');
    const later = file.replace(
      'output: "25.00" }',
      `output: "25.00" }\n        upcoming: [{ effective_from: ${iso}, input: "7.00", output: "25.00" }]`,
    );
    const lists = `  partners: { models: { img-x: ${own} } }\n  staff: {}\n`;
    const all = load(lists, later);
    expect(
      catalogueOf(all, 'partners').models.get('img-x')?.channels.get('direct')?.card,
    ).toMatchObject({ list: 'partners', listed: { '512x512': '0.10' } });
    const next = all.next?.catalogue;
    if (next === undefined) throw new Error('no announced price');
    expect([soldIn(next), next.all.size]).toEqual([{ 'gen-x': ['direct'] }, 2]);
    expect(soldIn(catalogueOf(next, 'staff'))).toEqual({ 'gen-x': ['direct', 'stable'] });
  });

  test('leaves a catalogue without it as it is', () => {
    const all = load('  partners: {}\n');
    expect(all.all).toBe(all.models);
    expect(wholeCatalogue(all)).toBe(all);
  });
});
