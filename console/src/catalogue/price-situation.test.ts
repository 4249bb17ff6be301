import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { termsBody } from '../../../src/http/caller/catalogue-body.ts';
import {
  type CardTerms,
  NO_NAMES,
  type RowConditions,
  WEEKDAYS,
} from '../../../src/money/card-terms.ts';
import { formatTokenPrice, picoRate, type Rates } from '../../../src/money/price.ts';
import {
  CENT,
  factsWith,
  ratesOf,
  termsWith,
  usageOf,
} from '../../../src/money/price-of.fixture.ts';
import { NO_FACTS, priceOf } from '../../../src/money/price-of.ts';
import { channel, NO_PRICES } from './model.fixture.ts';
import type { Channel } from './models.ts';
import { choicesOf, imagesCost, type Situation, situationCost } from './price-situation.ts';

const WEEKEND = 'days: sun sat';
const SATURDAY = Date.parse('2026-11-21T12:00:00Z');
const MONDAY = Date.parse('2026-11-23T12:00:00Z');

const rate = fc.bigInt({ min: 0n, max: 10n ** 6n }).map((each) => picoRate(each * 1_000_000n));
const rates = fc.tuple(rate, rate, rate, rate).map(
  ([input, cacheRead, cacheWrite5m, output]): Rates => ({
    ...ratesOf({}),
    ...{ input, cacheRead, cacheWrite5m, output },
  }),
);
const tiers = fc.constantFrom('default', 'priority', 'flex');
const places = fc.constantFrom('global', 'us');
const conditions = fc
  .record(
    {
      tier: fc.uniqueArray(tiers, { minLength: 1 }),
      geo: fc.uniqueArray(places, { minLength: 1 }),
      promptOver: fc.integer({ min: 1, max: 2000 }),
      promptFrom: fc.integer({ min: 1, max: 2000 }),
      days: fc.constant([WEEKDAYS[0], WEEKDAYS[6]]),
    },
    { requiredKeys: [] },
  )
  .map((when): RowConditions => when);
const cards = fc
  .record({
    base: rates,
    rows: fc.array(fc.record({ when: conditions, rates: fc.option(rates) }), { maxLength: 5 }),
    multiples: fc.array(
      fc.record({
        when: conditions,
        applies: fc.constantFrom('tokens' as const, 'fees' as const),
        numerator: fc.bigInt({ min: 1n, max: 30n }),
        denominator: fc.constant(10n),
      }),
      { maxLength: 3 },
    ),
  })
  .map(
    ({ base, rows, multiples }): CardTerms =>
      termsWith(
        [base, ...rows.map((row) => row.rates)].map((each, at) => ({
          when: rows[at - 1]?.when ?? {},
          rates: each,
          unlisted: [],
        })),
        {
          multiples,
          fees: { web_search: CENT, request: picoRate(10n ** 9n) },
          names: { ...NO_NAMES, tier: new Map([['fast', 'priority']]) },
          admits: {
            ...{ tier: ['fast', 'flex', 'auto'], speed: [], geo: ['us'], tools: ['web_search'] },
            ...{ size: [], quality: [], imageDetail: [], cacheTtl: [] },
          },
        },
      ),
  );

const sold = (terms: CardTerms) => {
  const base = terms.rows[0].rates ?? ratesOf({});
  return channel('direct', {
    price: {
      ...NO_PRICES,
      ...{ currency: 'USD', unit: '1M tokens', per_image: null },
      input: formatTokenPrice(base.input),
      output: formatTokenPrice(base.output),
      cache_read: formatTokenPrice(base.cacheRead),
      cache_write: formatTokenPrice(base.cacheWrite5m),
    },
    price_terms: termsBody(terms),
  });
};

test("equals the gateway's price under all conditions", () => {
  const count = fc.nat(1500);
  const tokens = fc.record({ input: count, output: count, cache_read: count, cache_write: count });
  const asked = fc.record({
    tier: tiers,
    geo: places,
    searches: fc.nat(3),
    atMs: fc.constantFrom(SATURDAY, MONDAY),
  });
  fc.assert(
    fc.property(cards, tokens, asked, (terms, counts, { tier, geo, searches, atMs }) => {
      const cost = situationCost(sold(terms), counts, {
        facts: { tier, geo },
        times: atMs === SATURDAY ? [WEEKEND] : [],
        uses: new Map([['web_search', searches]]),
      });
      const usage = usageOf({
        ...{ input: counts.input, output: counts.output, cacheRead: counts.cache_read },
        cacheWrite5m: counts.cache_write,
      });
      const priced = priceOf(
        terms,
        usage,
        factsWith({
          served: { ...NO_FACTS, tier, geo },
          uses: searches === 0 ? {} : { web_search: searches },
          ...{ startMs: atMs, endMs: atMs },
        }),
      );
      const total = cost?.lines.reduce((sum, { amount }) => sum + amount, 0n) ?? null;
      expect(total).toBe(priced.unpriced.length > 0 ? null : priced.costPico);
    }),
    { numRuns: 500 },
  );
});

const terms = termsWith(
  [
    { when: {}, rates: ratesOf({ input: '5', output: '25' }), unlisted: [] },
    { when: { tier: ['flex'] }, rates: null, unlisted: [] },
    { when: { tier: ['priority'] }, rates: ratesOf({ input: '10', output: '50' }), unlisted: [] },
  ],
  {
    admits: {
      ...{ tier: ['flex', 'priority', 'auto'], speed: [], geo: [], tools: ['web_search'] },
      ...{ size: [], quality: [], imageDetail: [], cacheTtl: [] },
    },
  },
);
const counts = { input: 1000, output: 0, cache_read: 0, cache_write: 0 };
const cost = (more: Partial<Situation>, on: Pick<Channel, 'price' | 'price_terms'> = sold(terms)) =>
  situationCost(on, counts, { facts: {}, times: [], uses: new Map(), ...more });

test('offers what a request may ask for, the default first', () => {
  expect(choicesOf([sold(terms), channel('stable')])).toEqual({
    facts: [{ name: 'tier', values: ['default', 'flex', 'priority'] }],
    times: [],
    tools: ['web_search'],
  });
});

test('names the row that applies, and no price for what is not sold', () => {
  expect(cost({ facts: { tier: 'priority' } })?.applied).toEqual(['tier: priority']);
  expect(cost({})?.applied).toEqual([]);
  expect(cost({ facts: { tier: 'flex' } })).toBeNull();
  expect(cost({ facts: { geo: 'us' } })).toBeNull();
  expect(cost({ uses: new Map([['maps', 1]]) })).toBeNull();
  expect(cost({ facts: { tier: 'priority' } }, channel('stable'))).toBeNull();
  expect(cost({}, channel('stable'))).not.toBeNull();
});

test('a request with tokens that are not sold has no price', () => {
  const plain = channel('stable');
  const unsold = { ...plain, price: { ...plain.price, not_sold: ['cache_write' as const] } };
  const price = { ...unsold.price, cache_write: null };
  expect(cost({}, { ...unsold, price })).not.toBeNull();
  const written = { ...counts, cache_write: 1 };
  const situation = { facts: {}, times: [], uses: new Map() };
  expect(situationCost({ ...unsold, price }, written, situation)).toBeNull();
  expect(
    situationCost({ ...plain, price: { ...price, not_sold: [] } }, written, situation),
  ).not.toBeNull();
});

describe('the cost of images', () => {
  const drawn = { ...terms.admits, size: ['1024x1024', '1536x1024'], quality: ['low', 'high'] };
  const byToken = sold(
    termsWith(
      [
        { when: {}, rates: ratesOf({ input: '5', imageOutput: '30' }), unlisted: [] },
        {
          when: { quality: ['high'] },
          rates: ratesOf({ input: '6', imageOutput: '40' }),
          unlisted: [],
        },
        { when: { quality: ['high'], size: ['1536x1024'] }, rates: null, unlisted: [] },
      ],
      { admits: drawn },
    ),
  );
  const model = {
    image_tokens: { '1024x1024/low': 200, '1024x1024/high': 7_033, '1536x1024': 9_000 },
  };
  const cost = (size: string, quality: string | null) => {
    const price = { ...byToken.price, output: null, image_output: '30' };
    const asked = { size, quality, count: 2, promptTokens: 100 };
    const found = imagesCost(model, { ...byToken, price }, asked);
    return found?.lines.reduce((sum, { amount }) => sum + amount, 0n) ?? null;
  };

  test('by the token is that of the most tokens, in the row of size and quality', () => {
    expect(cost('1024x1024', 'low')).toBe(100n * 5_000_000n + 400n * 30_000_000n);
    expect(cost('1024x1024', 'high')).toBe(100n * 6_000_000n + 14_066n * 40_000_000n);
    expect(cost('1536x1024', 'low')).toBe(100n * 5_000_000n + 18_000n * 30_000_000n);
  });

  test('is unknown for what is not sold or has no bound', () => {
    expect(cost('1536x1024', 'high')).toBeNull();
    expect(cost('512x512', 'low')).toBeNull();
    expect(cost('1024x1024', 'max')).toBeNull();
  });
});
