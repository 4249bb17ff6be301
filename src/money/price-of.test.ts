import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type CardTerms, flatTerms } from './card-terms.ts';
import { formatPico, picoRate } from './price.ts';
import {
  ASTRA,
  CENT,
  DEEPSEEK,
  during,
  factsWith,
  GEMINI,
  GROK,
  HAIKU,
  IMAGE,
  OPUS,
  QWEN,
  ratesOf,
  rowOf,
  servedWith,
  termsWith,
  usageOf,
} from './price-of.fixture.ts';
import {
  factsOf,
  NO_FACTS,
  type PriceFacts,
  type PriceLine,
  priceOf,
  unsoldConditions,
} from './price-of.ts';
import { type Bucket, NO_USAGE, perBucket } from './usage.ts';

const amount = (priced: { readonly costPico: bigint }): string => formatPico(priced.costPico);

const ASTRA_USAGE = usageOf({
  input: 10_000,
  cacheRead: 250_000,
  cacheWrite5m: 50_000,
  output: 900,
  reasoning: 3_100,
});
const DEEPSEEK_USAGE = usageOf({ input: 20_000, cacheRead: 100_000, output: 3_000 });
const MILLION = usageOf({ input: 1_000_000 });

describe('an answer costs what its provider publishes', () => {
  test.each([
    ['gpt-6-astra, priority, long', ASTRA, ASTRA_USAGE, servedWith({ tier: 'priority' }), '4.5'],
    ['the same, reported as fast', ASTRA, ASTRA_USAGE, servedWith({ tier: 'fast' }), '4.5'],
    [
      'gpt-6-astra, default, in the EU',
      ASTRA,
      ASTRA_USAGE,
      servedWith({ tier: 'default', geo: 'eu' }),
      '2.475',
    ],
    [
      'deepseek-v4-pro at the peak hour of a holiday',
      DEEPSEEK,
      DEEPSEEK_USAGE,
      during('2026-10-01T10:00:00+08:00'),
      '0.02134',
    ],
    [
      'deepseek-v4-pro at the peak hour of a working day',
      DEEPSEEK,
      DEEPSEEK_USAGE,
      during('2026-09-24T10:00:00+08:00'),
      '0.04268',
    ],
    [
      'claude-opus-5-5, fast, in the US, with three searches',
      OPUS,
      usageOf({ input: 2_000, cacheRead: 40_000, cacheWrite1h: 12_000, output: 3_000 }),
      { ...servedWith({ speed: 'fast', geo: 'us' }), uses: { web_search: 3 } },
      '0.4084',
    ],
    [
      'gemini-3.1-pro, long, with two queries',
      GEMINI,
      usageOf({ input: 40_000, cacheRead: 200_000, output: 6_000 }),
      factsWith({ uses: { web_search: 2 } }),
      '0.376',
    ],
    [
      'gemini at its threshold',
      GEMINI,
      usageOf({ input: 200_000, output: 6_000 }),
      factsWith(),
      '0.472',
    ],
    [
      'gemini one token beyond',
      GEMINI,
      usageOf({ input: 200_001, output: 6_000 }),
      factsWith(),
      '0.908004',
    ],
    [
      'gpt-image-2, an edit in high quality with two partial images',
      IMAGE,
      usageOf({ input: 120, imageInput: 1_500, imageOutput: 7_233 }),
      factsWith(),
      '0.22959',
    ],
    ['qwen3-max', QWEN, usageOf({ input: 100_000, output: 2_000 }), factsWith(), '0.264'],
    [
      'haiku 5.5 beyond its threshold',
      HAIKU,
      usageOf({ input: 6_000, cacheRead: 90_000, cacheWrite5m: 5_000, output: 500 }),
      factsWith(),
      '0.011875',
    ],
    [
      'grok-4.7 at exactly its threshold',
      GROK,
      usageOf({ input: 200_000, output: 1_000 }),
      factsWith(),
      '0.812',
    ],
    [
      'grok-4.7 one token below',
      GROK,
      usageOf({ input: 199_999, output: 1_000 }),
      factsWith(),
      '0.405998',
    ],
  ])('%s', (_, card, counts, reported, expected) => {
    const priced = priceOf(card, counts, reported);
    expect(amount(priced)).toBe(expected.padEnd(expected.indexOf('.') + 13, '0'));
    expect(priced.lines.reduce((sum, line) => sum + line.costPico, 0n)).toBe(priced.costPico);
    expect(priced.unpriced).toEqual([]);
    expect(priced.assumed).toEqual([]);
  });
});

test('each line has its bucket or fee, its rate and the reason', () => {
  const counts = usageOf({ input: 2_000, output: 3_000 });
  const reported = { ...servedWith({ speed: 'fast', geo: 'us' }), uses: { web_search: 3 } };
  const why = 'speed: fast; times 1.1 (geo: us)';
  expect(priceOf(OPUS, counts, reported).lines).toEqual([
    {
      kind: 'tokens',
      bucket: 'input',
      count: 2_000,
      ratePico: picoRate(8_800_000n),
      costPico: 17_600_000_000n,
      why,
    },
    {
      kind: 'tokens',
      bucket: 'output',
      count: 3_000,
      ratePico: picoRate(44_000_000n),
      costPico: 132_000_000_000n,
      why,
    },
    { kind: 'fee', unit: 'web_search', count: 3, ratePico: CENT, costPico: 3n * CENT, why: '' },
  ]);
});

describe('the moment that decides', () => {
  const [peak, later] = ['2026-09-24T11:59:59+08:00', '2026-09-24T12:00:30+08:00'];
  const [early, begun] = ['2026-09-24T08:59:59+08:00', '2026-09-24T09:00:00+08:00'];

  test.each([
    ['start', peak, later, '0.042680000000'],
    ['end', peak, later, '0.021340000000'],
    ['highest', peak, later, '0.042680000000'],
    ['start', early, begun, '0.021340000000'],
    ['end', early, begun, '0.042680000000'],
    ['highest', early, begun, '0.042680000000'],
  ] as const)('%s, from %s to %s', (at, from, to, expected) => {
    const card: CardTerms = { ...DEEPSEEK, clock: { zone: 'Asia/Shanghai', at } };
    expect(amount(priceOf(card, DEEPSEEK_USAGE, during(from, to)))).toBe(expected);
  });

  test('is on the weekday of the zone', () => {
    // These times are on Sunday and Friday in UTC, but already on Monday and Saturday in Shanghai.
    const monday = during('2026-09-20T17:30:00Z');
    const saturday = during('2026-09-25T17:30:00Z');
    const days = { days: ['mon' as const] };
    const card = termsWith([rowOf({}, { input: '1' }), rowOf(days, { input: '2' })], {
      clock: { zone: 'Asia/Shanghai', at: 'start' },
    });
    expect(amount(priceOf(card, MILLION, monday))).toBe('2.000000000000');
    expect(amount(priceOf(card, MILLION, saturday))).toBe('1.000000000000');
  });

  test('is within a row from its first instant until before its last', () => {
    const [from, until] = ['2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'];
    const promotion = { fromMs: Date.parse(from), untilMs: Date.parse(until) };
    const card = termsWith([rowOf({}, { input: '5' }), rowOf(promotion, { input: '4' })]);
    const priceAt = (at: string): string => amount(priceOf(card, MILLION, during(at)));
    expect(priceAt('2026-10-31T23:59:59.999Z')).toBe('5.000000000000');
    expect(priceAt(from)).toBe('4.000000000000');
    expect(priceAt('2026-11-30T23:59:59.999Z')).toBe('4.000000000000');
    expect(priceAt(until)).toBe('5.000000000000');
  });
});

describe('a fact that the provider does not report', () => {
  const requested = (tier: string): PriceFacts => factsWith({ requested: { ...NO_FACTS, tier } });

  test('is what the provider serves by default when nothing was requested', () => {
    const priced = priceOf(ASTRA, MILLION, factsWith());
    expect(amount(priced)).toBe('20.000000000000');
    expect(priced.assumed).toEqual([]);
  });

  test('is the most expensive of what was requested and the default', () => {
    const counts = usageOf({ input: 1_000 });
    const priced = priceOf(ASTRA, counts, requested('fast'));
    expect(amount(priced)).toBe('0.020000000000');
    expect(priced.assumed).toEqual(['tier: priority']);
    const flex = termsWith([...ASTRA.rows, rowOf({ tier: ['flex'] }, { input: '5' })]);
    const assumed = priceOf(flex, counts, requested('flex'));
    expect(amount(assumed)).toBe('0.010000000000');
    expect(assumed.assumed).toEqual(['tier: default']);
  });

  test('is the most expensive admitted value when the provider could choose', () => {
    const priced = priceOf(ASTRA, usageOf({ input: 1_000 }), requested('auto'));
    expect(amount(priced)).toBe('0.020000000000');
    expect(priced.assumed).toEqual(['tier: priority']);
  });
});

describe('what was served without a price is flagged and never free', () => {
  test.each([
    ['tier', 'ultrafast'],
    ['speed', 'fast'],
    ['geo', 'mars'],
  ])('a %s that the card does not name: %s', (name, value) => {
    const priced = priceOf(ASTRA, MILLION, servedWith({ [name]: value }));
    expect(priced.unpriced).toEqual([`${name}: ${value}`]);
    expect(priced.costPico).toBeGreaterThan(0n);
  });

  test.each([
    ['tier', 'default'],
    ['tier', 'standard'],
    ['tier', 'on_demand'],
    ['tier', 'auto'],
    ['speed', 'standard'],
    ['geo', 'global'],
    ['geo', 'not_available'],
  ])('not the %s %s, which every card prices', (name, value) => {
    expect(priceOf(ASTRA, MILLION, servedWith({ [name]: value })).unpriced).toEqual([]);
  });

  test('a row that is not sold costs the highest price of the card', () => {
    const card = termsWith([
      rowOf({}, { input: '1' }),
      rowOf({ promptOver: 10 }, { input: '3' }),
      { when: { tier: ['fast'], promptOver: 10 }, rates: null, unlisted: [] },
    ]);
    const priced = priceOf(card, MILLION, servedWith({ tier: 'fast' }));
    expect(amount(priced)).toBe('3.000000000000');
    expect(priced.unpriced).toEqual(['tier: fast, prompt_over: 10']);
  });

  test('a bucket that the card does not list', () => {
    const card = termsWith([{ when: {}, rates: ratesOf({ input: '2' }), unlisted: ['cacheRead'] }]);
    expect(priceOf(card, usageOf({ input: 1 }), factsWith()).unpriced).toEqual([]);
    expect(priceOf(card, usageOf({ cacheRead: 1 }), factsWith()).unpriced).toEqual(['cache_read']);
  });

  test('a tool without a fee or a tier without a row, unless the card admits it', () => {
    const used = factsWith({ uses: { web_fetch: 2 } });
    expect(priceOf(OPUS, MILLION, used).unpriced).toEqual(['web_fetch']);
    const admits: CardTerms['admits'] = { ...OPUS.admits, tools: ['web_fetch'], tier: ['flex'] };
    const flex = { ...servedWith({ tier: 'flex' }), uses: used.uses };
    expect(priceOf({ ...OPUS, admits }, MILLION, flex).unpriced).toEqual([]);
  });
});

describe('rounds', () => {
  const others = { advisor: ratesOf({ input: '7' }), critic: ratesOf({ input: '3' }) };
  const card = termsWith(HAIKU.rows, { roundRates: new Map(Object.entries(others)) });
  const own = factsWith({ model: 'haiku-2026', sentModel: 'haiku' });
  const thousand = usageOf({ input: 1_000 });

  test('reach a threshold each on its own', () => {
    const counts = usageOf({ input: 120_000 });
    expect(amount(priceOf(card, counts, own))).toBe('0.060000000000');
    const usage = usageOf({ input: 30_000 });
    const rounds = ['haiku', 'haiku-2026'].map((model) => ({ model, usage }));
    const priced = priceOf(card, counts, { ...own, rounds });
    expect(amount(priced)).toBe('0.012000000000');
    expect(priced.lines.map(({ count }) => count)).toEqual([120_000]);
  });

  test('of other models have the rates of each', () => {
    const rounds = ['advisor', 'critic'].map((model) => ({ model, usage: thousand }));
    const priced = priceOf(card, usageOf({ input: 4_000 }), { ...own, rounds });
    expect(amount(priced)).toBe('0.010200000000');
    expect(priced.lines.map(({ count, why }) => [count, why])).toEqual([
      [2_000, ''],
      [1_000, 'another model'],
      [1_000, 'another model'],
    ]);
  });

  test('of an unknown model cost the highest price of the card and are flagged', () => {
    const rounds = [{ model: 'unknown', usage: thousand }];
    const priced = priceOf(card, thousand, { ...own, rounds });
    expect(amount(priced)).toBe('0.007000000000');
    expect(priced.unpriced).toEqual(['another model']);
  });

  test('have the rates of a listed model that answered instead of the requested one', () => {
    const other = { ...own, model: 'advisor' };
    const rounds = [{ model: 'advisor', usage: usageOf({ input: 3_000 }) }];
    const cost = (input: number, by: PriceFacts): string =>
      amount(priceOf(card, usageOf({ input }), { ...by, rounds }));
    expect(cost(4_000, other)).toBe('0.028000000000');
    // Only an estimate has fewer tokens than the rounds. It does not include theirs.
    expect([cost(1_000, other), cost(1_000, own)]).toEqual(['0.007000000000', '0.000100000000']);
  });
});

describe('fees', () => {
  const card = termsWith([rowOf({}, { input: '1' })], {
    fees: { request: CENT },
    multiples: [{ when: { geo: ['us'] }, applies: 'fees', numerator: 2n, denominator: 1n }],
  });
  const token = usageOf({ input: 1 });

  test('of a request are charged once, and not when nothing was used', () => {
    expect(amount(priceOf(card, token, factsWith()))).toBe('0.010001000000');
    expect(priceOf(card, NO_USAGE, factsWith()).costPico).toBe(0n);
  });

  test('have their own multiples', () => {
    expect(amount(priceOf(card, token, servedWith({ geo: 'us' })))).toBe('0.020001000000');
  });
});

describe('a flat card', () => {
  const flat = flatTerms(ratesOf({ input: '1', output: '2' }));

  test('depends on no facts, so the receipt keeps none', () => {
    const plain = servedWith({ tier: 'default', speed: 'standard', geo: 'not_available' });
    expect(factsOf(flat, MILLION, plain)).toBeNull();
    const round = { model: null, usage: usageOf({ input: 1 }) };
    expect(factsOf(flat, MILLION, { ...plain, rounds: [round] })).toBeNull();
  });

  test('keeps the facts that it has no price for', () => {
    for (const each of [
      servedWith({ tier: 'priority' }),
      factsWith({ uses: { web_search: 1 } }),
      factsWith({ rounds: [{ model: 'other', usage: usageOf({ input: 1 }) }] }),
    ]) {
      expect(factsOf(flat, MILLION, each)).toBe(each);
    }
    const unlisting = termsWith([{ ...flat.rows[0], unlisted: ['cacheRead'] }]);
    expect(factsOf(unlisting, usageOf({ cacheRead: 1 }), factsWith())).not.toBeNull();
  });
});

test('a gap between rows is what the card does not sell, at any time of day', () => {
  const night = { hours: [{ from: 0, to: 60 }] };
  const card = termsWith([
    rowOf({}, { input: '1' }),
    { when: { tier: ['fast'], promptOver: 10 }, rates: null, unlisted: [] },
    rowOf(night, { input: '2' }),
  ]);
  const fast = { ...NO_FACTS, tier: 'fast' };
  expect(unsoldConditions(card, fast, 11)).toEqual({ tier: ['fast'], promptOver: 10 });
  expect(unsoldConditions(card, fast, 10)).toBeNull();
  expect(unsoldConditions(card, NO_FACTS, 11)).toBeNull();
});

const SEED = 20_261_122;

test('no token is lost or counted twice, whatever was used and served', () => {
  const count = fc.nat({ max: 300_000 });
  const some = fc.record({ input: count, cacheRead: count, output: count, reasoning: count });
  const name = fc.constantFrom(null, 'default', 'fast', 'priority', 'auto', 'us', 'other');
  const values = fc.record({ tier: name, speed: name, geo: name, size: name, quality: name });
  const card = fc.constantFrom(ASTRA, DEEPSEEK, OPUS, GEMINI, QWEN, HAIKU, GROK);
  fc.assert(
    fc.property(card, some, some, values, values, (terms, own, round, served, requested) => {
      const usage = usageOf(perBucket(({ bucket }) => of(own, bucket) + of(round, bucket)));
      const rounds = [{ model: null, usage: usageOf(round) }];
      const { costPico, lines } = priceOf(terms, usage, factsWith({ served, requested, rounds }));
      const counted = perBucket(({ bucket }) =>
        lines.reduce((sum, line) => sum + of({ [bucketOf(line)]: line.count }, bucket), 0),
      );
      expect(counted).toEqual(usage);
      expect(lines.reduce((sum, line) => sum + line.costPico, 0n)).toBe(costPico);
    }),
    { seed: SEED },
  );
});

const of = (counts: { readonly [name: string]: number }, bucket: Bucket): number =>
  counts[bucket] ?? 0;
const bucketOf = (line: PriceLine): string => (line.kind === 'tokens' ? line.bucket : '');
