import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type CardRow, type CardTerms, flatTerms } from './card-terms.ts';
import { type HighestAsk, highestPrice } from './highest-price.ts';
import { costPico, NO_RATES, picoRate, type Rates } from './price.ts';
import { NO_FACTS, priceOf } from './price-of.ts';
import { NO_USAGE } from './usage.ts';

const ratesOf = (input: bigint, output: bigint): Rates => ({
  ...NO_RATES,
  input: picoRate(input),
  output: picoRate(output),
});
const row = (when: CardRow['when'], input: bigint, output: bigint): CardRow => ({
  when,
  rates: ratesOf(input, output),
  unlisted: [],
});
const BASE = flatTerms(ratesOf(10n, 50n));
const TERMS: CardTerms = {
  ...BASE,
  rows: [
    row({}, 10n, 50n),
    row({ promptOver: 272_000 }, 20n, 75n),
    row({ tier: ['priority'] }, 25n, 100n),
    row({ hours: [{ from: 0, to: 60 }] }, 5n, 60n),
  ],
  multiples: [{ when: { geo: ['us'] }, applies: 'tokens', numerator: 11n, denominator: 10n }],
  fees: { web_search: picoRate(1_000n), request: picoRate(7n) },
  admits: { ...BASE.admits, tier: ['priority'], geo: ['us'] },
};
/** The provider sells no prompt of more than 350,000 tokens. */
const PARTLY_SOLD: CardTerms = {
  ...TERMS,
  rows: [...TERMS.rows, { when: { promptOver: 350_000 }, rates: null, unlisted: [] }],
};
const ask: HighestAsk = { requested: NO_FACTS, promptTokens: 100, uses: {} };
const highest = (more: Partial<HighestAsk> = {}) => {
  const { rates, feesPico } = highestPrice(TERMS, { ...ask, ...more });
  return [rates.input, rates.output, feesPico].map(Number);
};

test('a flat card has its own rates and no fees', () => {
  expect(highestPrice(BASE, ask)).toEqual({ rates: BASE.rows[0].rates ?? NO_RATES, feesPico: 0n });
});

test('a row that holds at another time may apply', () => {
  expect(highest()).toEqual([10, 60, 7]);
});

test('both sides of a threshold apply that the prompt can pass', () => {
  expect(highest({ promptTokens: 272_000 })).toEqual([10, 60, 7]);
  expect(highest({ promptTokens: 272_001 })).toEqual([20, 75, 7]);
});

test('what is requested applies, and auto may be anything that is admitted', () => {
  for (const tier of ['priority', 'auto'])
    expect(highest({ requested: { ...NO_FACTS, tier } })).toEqual([25, 100, 7]);
  expect(highest({ requested: { ...NO_FACTS, tier: 'default' } })).toEqual([10, 60, 7]);
});

test('a multiple that raises the price applies', () => {
  expect(highest({ requested: { ...NO_FACTS, geo: 'us' } })).toEqual([11, 66, 7]);
});

test('a multiple that lowers the price does not, because it may not apply', () => {
  const half = {
    when: { tier: ['flex'] },
    applies: 'tokens',
    numerator: 1n,
    denominator: 2n,
  } as const;
  const requested = { ...NO_FACTS, tier: 'flex' };
  const { rates } = highestPrice({ ...TERMS, multiples: [half] }, { ...ask, requested });
  expect(rates).toEqual(ratesOf(10n, 60n));
});

test('a row applies from its threshold on, and for each of its tiers', () => {
  const rows = [
    row({}, 10n, 50n),
    row({ promptFrom: 1_000 }, 20n, 75n),
    row({ tier: ['priority', 'fast'] }, 25n, 100n),
  ] as const;
  const most = (more: Partial<HighestAsk>) =>
    highestPrice({ ...TERMS, rows }, { ...ask, ...more }).rates;
  expect(most({ promptTokens: 999 })).toEqual(ratesOf(10n, 50n));
  expect(most({ promptTokens: 1_000 })).toEqual(ratesOf(20n, 75n));
  expect(most({ requested: { ...NO_FACTS, tier: 'fast' } })).toEqual(ratesOf(25n, 100n));
});

test('where a row that is not sold may apply, so may the rates of all other rows', () => {
  const most = (promptTokens: number) => highestPrice(PARTLY_SOLD, { ...ask, promptTokens }).rates;
  expect(most(350_000)).toEqual(ratesOf(20n, 75n));
  expect(most(350_001)).toEqual(ratesOf(25n, 100n));
});

test('fees count every use', () => {
  expect(highest({ uses: { web_search: 3 } })).toEqual([10, 60, 3_007]);
});

test('no answer to the request costs more, whatever is served and whenever', () => {
  const value = (...values: string[]) => fc.constantFrom(null, ...values);
  fc.assert(
    fc.property(
      fc.record({
        requested: fc.record({
          tier: value('priority', 'default'),
          speed: value(),
          geo: value('us'),
          size: value(),
          quality: value('hd'),
        }),
        promptTokens: fc.integer({ min: 1, max: 400_000 }),
        searches: fc.integer({ min: 0, max: 4 }),
        isServed: fc.boolean(),
        startMs: fc.integer({ min: 0, max: 86_400_000 }),
      }),
      ({ requested, promptTokens, searches, isServed, startMs }) => {
        const uses = { web_search: searches };
        const usage = { ...NO_USAGE, input: promptTokens, output: 1_000 };
        for (const terms of [TERMS, PARTLY_SOLD]) {
          const charged = priceOf(terms, usage, {
            served: isServed ? requested : NO_FACTS,
            ...{ requested, uses, rounds: [], model: null, sentModel: null },
            ...{ startMs, endMs: startMs + 1_000 },
          });
          const most = highestPrice(terms, { requested, promptTokens, uses });
          const held = costPico(usage, most.rates) + most.feesPico;
          expect(charged.costPico <= held).toBe(true);
        }
      },
    ),
    { seed: 20_261_122 },
  );
});
