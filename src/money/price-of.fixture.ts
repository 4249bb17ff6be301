/**
 * The price cards for worked examples. Their prices are those that providers published in November
 * 2026.
 */
import { type CardRow, type CardTerms, flatTerms } from './card-terms.ts';
import { NO_RATES, parseTokenPrice, picoRate, type Rates } from './price.ts';
import { NO_FACTS, PLAIN_FACTS, type PriceFacts } from './price-of.ts';
import { NO_USAGE, type Usage } from './usage.ts';

type Prices = { readonly [Bucket in keyof Usage]?: string };

/** Converts prices per 1M tokens to rates by usage bucket. */
export function ratesOf(prices: Prices): Rates {
  const listed = Object.entries(prices).map(([bucket, price]) => {
    const rate = parseTokenPrice(price);
    if (rate === null) throw new Error(`${price} is not a price`);
    return [bucket, rate];
  });
  return { ...NO_RATES, ...Object.fromEntries(listed) };
}

export const rowOf = (when: CardRow['when'], prices: Prices): CardRow => ({
  when,
  rates: ratesOf(prices),
  unlisted: [],
});

export const usageOf = (counts: Partial<Usage>): Usage => ({ ...NO_USAGE, ...counts });

/** A fee of one hundredth of a currency unit. */
export const CENT = picoRate(10n ** 10n);

export const factsWith = (given: Partial<PriceFacts> = {}): PriceFacts => ({
  ...PLAIN_FACTS,
  ...given,
});
export const servedWith = (given: Partial<PriceFacts['served']>): PriceFacts =>
  factsWith({ served: { ...NO_FACTS, ...given } });
export const during = (from: string, to = from): PriceFacts =>
  factsWith({ startMs: Date.parse(from), endMs: Date.parse(to) });

export function termsWith(rows: readonly CardRow[], more: Partial<CardTerms> = {}): CardTerms {
  const [first, ...others] = rows;
  if (first === undefined) throw new Error('a card has a row');
  return { ...flatTerms(NO_RATES), rows: [first, ...others], ...more };
}

const { names, admits } = flatTerms(NO_RATES);

export const ASTRA = termsWith(
  [
    rowOf({}, { input: '10', cacheRead: '1', cacheWrite5m: '12.5', output: '50', reasoning: '50' }),
    rowOf(
      { promptOver: 272_000 },
      { input: '20', cacheRead: '2', cacheWrite5m: '25', output: '75', reasoning: '75' },
    ),
    rowOf(
      { tier: ['priority'] },
      { input: '20', cacheRead: '2', cacheWrite5m: '25', output: '100', reasoning: '100' },
    ),
    rowOf(
      { tier: ['priority'], promptOver: 272_000 },
      { input: '40', cacheRead: '4', cacheWrite5m: '50', output: '150', reasoning: '150' },
    ),
  ],
  {
    multiples: [
      { when: { geo: ['us', 'eu'] }, applies: 'tokens', numerator: 11n, denominator: 10n },
    ],
    names: { ...names, tier: new Map([['fast', 'priority']]) },
    admits: { ...admits, tier: ['priority'] },
  },
);

/** The National Day holidays of 2026. */
const HOLIDAYS = Array.from({ length: 8 }, (_, index) => `2026-10-0${index + 1}`);
export const DEEPSEEK = termsWith(
  [
    rowOf({}, { input: '0.66', cacheRead: '0.022', output: '1.98' }),
    rowOf(
      {
        hours: [
          { from: 9 * 60, to: 12 * 60 },
          { from: 14 * 60, to: 18 * 60 },
        ],
        days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        notOn: HOLIDAYS,
      },
      { input: '1.32', cacheRead: '0.044', output: '3.96' },
    ),
  ],
  { clock: { zone: 'Asia/Shanghai', at: 'highest' } },
);

export const OPUS = termsWith(
  [
    rowOf({}, { input: '4', cacheRead: '0.2', cacheWrite1h: '8', output: '20' }),
    rowOf({ speed: ['fast'] }, { input: '8', cacheRead: '0.4', cacheWrite1h: '16', output: '40' }),
  ],
  {
    multiples: [{ when: { geo: ['us'] }, applies: 'tokens', numerator: 11n, denominator: 10n }],
    fees: { web_search: CENT },
  },
);

export const GEMINI = termsWith(
  [
    rowOf({}, { input: '2', cacheRead: '0.2', output: '12' }),
    rowOf({ promptOver: 200_000 }, { input: '4', cacheRead: '0.4', output: '18' }),
  ],
  { fees: { web_search: picoRate(14n * 10n ** 9n) } },
);

export const IMAGE = termsWith([rowOf({}, { input: '5', imageInput: '8', imageOutput: '30' })]);

export const QWEN = termsWith([
  rowOf({}, { input: '1.2', output: '6' }),
  rowOf({ promptOver: 32_000 }, { input: '2.4', output: '12' }),
  rowOf({ promptOver: 128_000 }, { input: '3', output: '15' }),
]);

export const HAIKU = termsWith([
  rowOf({}, { input: '0.1', cacheRead: '0.01', cacheWrite5m: '0.125', output: '0.5' }),
  rowOf(
    { promptOver: 100_000 },
    { input: '0.5', cacheRead: '0.05', cacheWrite5m: '0.625', output: '2.5' },
  ),
]);

export const GROK = termsWith([
  rowOf({}, { input: '2', output: '6' }),
  rowOf({ promptFrom: 200_000 }, { input: '4', output: '12' }),
]);
