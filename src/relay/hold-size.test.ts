import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nano } from '../money/amount.ts';
import { costPico, type FxRate, NO_RATES, picoRate, settleAmount } from '../money/price.ts';
import { NO_USAGE } from '../money/usage.ts';
import { FLAT } from './purchase.fixture.ts';
import {
  affordableOutput,
  estimateUsage,
  type HoldBasis,
  sizeExtension,
  sizeHold,
} from './text-price.ts';

const OPUS = {
  ...NO_RATES,
  input: picoRate(5_000_000n),
  cacheRead: picoRate(500_000n),
  cacheWrite5m: picoRate(6_250_000n),
  cacheWrite1h: picoRate(10_000_000n),
  output: picoRate(25_000_000n),
};
const basis: HoldBasis = {
  input: { text: 501, media: 0, atMost: 1_000_000 },
  likelyInput: 250,
  ...FLAT,
  outputCap: 128_000,
  choices: 1,
  thinkingTokens: 0,
  oneHourCache: false,
  rates: OPUS,
  rate: null,
};
const cny: FxRate = { id: 'fx', base: 'USD', quote: 'CNY', scaled: 710_000_000n };

test('the hold covers the whole output cap, and the input at its most expensive rate', () => {
  // 501 tokens x 6.25 USD/M + 128,000 x 25 USD/M = 3.20313125 USD
  expect(sizeHold(basis, basis.outputCap).amount).toBe(nano(3_203_131_250n));
});

test('the hold covers output of the most expensive kind', () => {
  const rates = { ...OPUS, imageOutput: picoRate(60_000_000n) };
  const { amount } = sizeHold({ ...basis, rates }, 1_000);
  expect(amount).toBe(nano(501n * 6250n + 1_000n * 60_000n));
});

test('the hold covers cache reads that cost more than input, such as those that are not sold', () => {
  const rates = { ...OPUS, cacheRead: picoRate(40_000_000n) };
  const held = sizeHold({ ...basis, rates }, basis.outputCap).amount;
  const used = { ...NO_USAGE, cacheRead: 501, output: basis.outputCap };
  expect(held).toBeGreaterThanOrEqual(settleAmount(costPico(used, rates), null));
});

test('the smallest hold pays for the input and 256 tokens', () => {
  expect(sizeHold(basis, basis.outputCap).atLeast).toBe(nano(501n * 6250n + 256n * 25_000n));
});

test('a small balance clamps the output instead of refusing the request', () => {
  const tokens = affordableOutput(basis, nano(1_000_000_000n));
  expect(tokens).toBe(39_874);
});

test('a balance that does not cover the input affords no output', () => {
  expect(affordableOutput(basis, nano(1n))).toBe(0);
});

test('a full hold does not clamp the output', () => {
  expect(affordableOutput(basis, sizeHold(basis, basis.outputCap).amount)).toBe(128_000);
});

test('affordable output never costs more than the hold, in either currency', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_500_000 }),
      fc.integer({ min: 1, max: 384_000 }),
      fc.integer({ min: 1, max: 8 }),
      fc.bigInt({ min: 0n, max: 20_000_000_000n }),
      fc.boolean(),
      (text, outputCap, choices, funds, convert) => {
        const some: HoldBasis = {
          ...basis,
          input: { text, media: 0, atMost: text },
          outputCap,
          choices,
          rate: convert ? cny : null,
        };
        const { amount, atLeast } = sizeHold(some, some.outputCap);
        expect(atLeast <= amount).toBe(true);
        if (funds < atLeast) return;
        const held = nano(funds < amount ? funds : amount);
        const output = affordableOutput(some, held) * choices;
        const used = { ...NO_USAGE, cacheWrite5m: text, output };
        expect(settleAmount(costPico(used, OPUS), some.rate) <= held).toBe(true);
        expect(affordableOutput(some, held)).toBeGreaterThanOrEqual(Math.min(outputCap, 256));
      },
    ),
  );
});

test('an estimate counts four bytes a token', () => {
  expect(estimateUsage(basis, 41)).toEqual({ ...NO_USAGE, input: 250, output: 11 });
});

test('a stream first holds the price of an expected answer', () => {
  expect(sizeHold(basis, 4096).amount).toBe(nano(501n * 6250n + 4096n * 25_000n));
  expect(sizeExtension(basis, 4096)).toBe(nano(4096n * 25_000n));
});

test('the smallest hold includes the thinking budget', () => {
  const thinking: HoldBasis = { ...basis, thinkingTokens: 10_000 };
  expect(sizeHold(thinking, 4096).atLeast).toBe(nano(501n * 6250n + 10_256n * 25_000n));
  expect(sizeHold(thinking, 4096).amount).toBe(sizeHold(thinking, 4096).atLeast);
});

test('one-hour cache writes are held at their own price', () => {
  const hour: HoldBasis = { ...basis, oneHourCache: true };
  expect(sizeHold(hour, 0).atLeast).toBe(nano(501n * 10_000n + 256n * 25_000n));
});

test('media is held at the highest rate of its kind, and a prompt at most at the context window', () => {
  const rates = { ...OPUS, imageInput: picoRate(8_000_000n), audioInput: picoRate(7_000_000n) };
  const held = (text: number, media: number) =>
    sizeHold({ ...basis, rates, input: { text, media, atMost: 1_000 } }, 0).atLeast -
    sizeHold({ ...basis, rates, input: { text: 0, media: 0, atMost: 0 } }, 0).atLeast;
  expect(held(100, 0)).toBe(100n * 6250n);
  expect(held(100, 300)).toBe(100n * 6250n + 300n * 8000n);
  expect(held(900, 300)).toBe(700n * 6250n + 300n * 8000n);
  expect(held(900, 1_000_000)).toBe(1_000n * 8000n);
});

test('a hold covers what tools read, fees, a predicted answer, and reasoning at its own price', () => {
  const more = (changed: Partial<HoldBasis>) =>
    sizeHold({ ...basis, ...changed }, 0).atLeast - sizeHold(basis, 0).atLeast;
  expect(more({ toolTokens: 1_000 })).toBe(1_000n * 6250n);
  expect(more({ feesPico: 5_000n })).toBe(5n);
  expect(more({ predictedTokens: 100 })).toBe(100n * 25_000n);
  expect(more({ rates: { ...OPUS, reasoning: picoRate(30_000_000n) } })).toBe(256n * 5_000n);
});
