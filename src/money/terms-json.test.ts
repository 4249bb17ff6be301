import { expect, test } from 'bun:test';
import { type CardTerms, flatTerms, NO_NAMES } from './card-terms.ts';
import { NO_RATES, picoRate } from './price.ts';
import { NO_FACTS, type PriceFacts } from './price-of.ts';
import { factsJson, readFacts, readTerms, termsJson } from './terms-json.ts';
import { NO_USAGE } from './usage.ts';

const rates = { ...NO_RATES, input: picoRate(5_000_000n), output: picoRate(25_000_000n) };
const TERMS: CardTerms = {
  ...flatTerms(rates),
  rows: [
    { when: {}, rates, unlisted: ['cacheRead'] },
    {
      when: {
        tier: ['priority'],
        speed: ['fast'],
        geo: ['us'],
        size: ['1024x1024'],
        quality: ['high'],
        promptOver: 1,
        promptFrom: 2,
        fromMs: 3,
        untilMs: 4,
        hours: [{ from: 0, to: 1440 }],
        days: ['mon'],
        notOn: ['2026-10-01'],
      },
      rates: null,
      unlisted: [],
    },
  ],
  multiples: [{ when: { geo: ['us'] }, applies: 'fees', numerator: 11n, denominator: 10n }],
  fees: { web_search: picoRate(10n ** 10n) },
  roundRates: new Map([['advisor', rates]]),
  names: { ...NO_NAMES, tier: new Map([['fast', 'priority']]) },
};

test('terms survive JSON', () => {
  expect(readTerms(termsJson(TERMS))).toEqual(TERMS);
  const names = { ...TERMS.names, size: new Map([['1k', '1024x1024']]) };
  const drawn = { ...TERMS.admits, size: ['1024x1024'], quality: ['high'] };
  const images: CardTerms = { ...TERMS, names, admits: drawn };
  expect(readTerms(termsJson(images))).toEqual(images);
});

test('terms without sizes and qualities are written as before there were any', () => {
  const { names, admits } = JSON.parse(termsJson(TERMS));
  expect(Object.keys(names)).toEqual(['tier', 'speed', 'geo']);
  expect(Object.keys(admits)).toEqual(['tier', 'speed', 'geo', 'tools', 'imageDetail', 'cacheTtl']);
});

test('the order of names and models does not change the text', () => {
  const names = (entries: readonly (readonly [string, string])[]): CardTerms => ({
    ...TERMS,
    names: { ...TERMS.names, tier: new Map(entries) },
    roundRates: new Map(entries.map(([name]) => [name, rates])),
  });
  const [one, other] = [['a', 'x'] as const, ['b', 'y'] as const];
  expect(termsJson(names([one, other]))).toBe(termsJson(names([other, one])));
});

test('facts survive JSON, which leaves out what is empty', () => {
  const bare: PriceFacts = {
    served: NO_FACTS,
    requested: NO_FACTS,
    model: null,
    sentModel: 'm',
    uses: {},
    rounds: [],
    startMs: 1,
    endMs: 2,
  };
  const plain = { assumed: [], unpriced: [] };
  expect(factsJson(bare, plain)).toBe('{"model":null,"sentModel":"m","at":[1,2]}');
  expect(readFacts(factsJson(bare, plain))).toEqual({ ...bare, ...plain });
  const full: PriceFacts = {
    ...bare,
    served: { ...NO_FACTS, tier: 'priority', geo: 'us' },
    requested: { ...NO_FACTS, tier: 'auto' },
    uses: { web_search: 3 },
    rounds: [{ model: 'advisor', usage: { ...NO_USAGE, cacheWrite1h: 7 } }],
  };
  const flagged = { assumed: ['tier: priority'], unpriced: ['web_fetch'] };
  expect(readFacts(factsJson(full, flagged))).toEqual({ ...full, ...flagged });
});

test.each(['{}', 'null', '{"at":["1",2],"model":null,"sentModel":null}'])('refuses %s', (text) => {
  expect(() => readTerms(text)).toThrow();
  expect(() => readFacts(text)).toThrow();
});
