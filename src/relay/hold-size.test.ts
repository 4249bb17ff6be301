import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { JsonScan } from '../json/scan.ts';
import { nano } from '../money/amount.ts';
import { costPico, type FxRate, NO_RATES, picoRate, settleAmount } from '../money/price.ts';
import { NO_USAGE } from '../money/usage.ts';
import {
  affordableOutput,
  estimateUsage,
  type HoldBasis,
  requestSize,
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
  textBytes: 1000,
  mediaParts: 0,
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

test('the smallest hold pays for the input and 256 tokens', () => {
  expect(sizeHold(basis, basis.outputCap).atLeast).toBe(nano(501n * 6250n + 256n * 25_000n));
});

test('a small balance clamps the output instead of refusing the request', () => {
  const tokens = affordableOutput(basis, nano(1_000_000_000n));
  expect(tokens).toBe(39_874);
});

test('a full hold does not clamp the output', () => {
  expect(affordableOutput(basis, sizeHold(basis, basis.outputCap).amount)).toBe(128_000);
});

test('affordable output never costs more than the hold, in either currency', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5_000_000 }),
      fc.integer({ min: 1, max: 384_000 }),
      fc.integer({ min: 1, max: 8 }),
      fc.bigInt({ min: 0n, max: 20_000_000_000n }),
      fc.boolean(),
      (textBytes, outputCap, choices, funds, convert) => {
        const some: HoldBasis = {
          ...basis,
          textBytes,
          outputCap,
          choices,
          rate: convert ? cny : null,
        };
        const { amount, atLeast } = sizeHold(some, some.outputCap);
        expect(atLeast <= amount).toBe(true);
        if (funds < atLeast) return;
        const held = nano(funds < amount ? funds : amount);
        const output = affordableOutput(some, held) * choices;
        const used = { ...NO_USAGE, cacheWrite5m: Math.floor(textBytes / 2) + 1, output };
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

function sizeOf(body: unknown) {
  const bytes = Uint8Array.from(new TextEncoder().encode(JSON.stringify(body)));
  const scan = new JsonScan({ maxDepth: 64 });
  return { ...requestSize(scan.finish(bytes, bytes.byteLength)), whole: bytes.byteLength };
}

const base64 = (bytes: number): string =>
  Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => (at * 131) % 256)).toString('base64');

test('a body without media is all text', () => {
  const { textBytes, mediaParts, whole } = sizeOf({ content: 'A long story. '.repeat(1000) });
  expect([textBytes, mediaParts]).toEqual([whole, 0]);
});

test('data URLs and bare base64 count as media, the rest as text', () => {
  const image = base64(30_000);
  const url = `data:image/png;base64,${image}`;
  const { textBytes, mediaParts, whole } = sizeOf({
    messages: [{ image_url: { url } }, { source: { data: image } }, { text: 'What is this?' }],
  });
  expect(mediaParts).toBe(2);
  expect(textBytes).toBe(whole - url.length - image.length);
});

test('a payload may be padded, URL-safe, or have its slashes escaped', () => {
  const payload = base64(10_001);
  for (const text of [payload, payload.replaceAll('+', '-').replaceAll('/', '_')]) {
    expect(sizeOf({ data: text }).mediaParts).toBe(1);
  }
  const escaped = new TextEncoder().encode(`{"data":"${payload.replaceAll('/', '\\/')}"}`);
  const bytes = Uint8Array.from(escaped);
  const scanned = new JsonScan({ maxDepth: 8 }).finish(bytes, bytes.byteLength);
  expect(requestSize(scanned).mediaParts).toBe(1);
});

test('text that only begins like a payload counts as text', () => {
  const prose = 'and then some more words '.repeat(2000);
  for (const start of ['A'.repeat(300), `data:image/png;base64,${'A'.repeat(300)}`]) {
    expect(sizeOf({ content: start + prose }).mediaParts).toBe(0);
    expect(sizeOf({ content: `${start + prose}${'A'.repeat(300)}` }).mediaParts).toBe(0);
  }
});

test('text without spaces in another script counts as text', () => {
  expect(sizeOf({ content: '从前有座山山里有座庙'.repeat(500) }).mediaParts).toBe(0);
});
