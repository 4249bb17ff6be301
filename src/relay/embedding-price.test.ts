import { expect, test } from 'bun:test';
import type { EmbeddingModel } from '../catalogue/catalogue.ts';
import { nano } from '../money/amount.ts';
import { NO_USAGE } from '../money/usage.ts';
import type { EmbeddingInputs } from '../protocols/embeddings/request.ts';
import { chatModel, USD_CNY } from './admission.fixture.ts';
import { EmbeddingPrice } from './embedding-price.ts';

/** An input token costs 5,000 nano-USD. */
const chat = chatModel('emb', 'USD');
const model: EmbeddingModel = {
  ...chat,
  ...{ kind: 'embedding', maxInputs: 8, maxTotalTokens: 8_000 },
  ...{ dimensions: 4, minDimensions: null },
};
const INPUTS: EmbeddingInputs = {
  ...{ count: 2, areTokens: false, longest: { param: 'input[0]', size: 90 } },
  ...{ size: 100, most: 110, likely: 25 },
};
const [direct] = chat.channels.values();
const priceOf = (rate: typeof USD_CNY | null = null, inputs = INPUTS): EmbeddingPrice => {
  if (direct === undefined) throw new Error('no channel');
  const payment = { currency: rate?.quote ?? 'USD', rate, exchange: rate } as const;
  return new EmbeddingPrice({ model, channels: [direct], payment }, inputs);
};

test('the hold covers the most tokens of the input, and what is sent besides it', () => {
  const price = priceOf();
  expect(price.firstHold.amount).toBe(nano(126n * 5_000n));
  price.sendAlso(40);
  expect(price.firstHold.amount).toBe(nano(166n * 5_000n));
  expect(priceOf(USD_CNY).firstHold.amount).toBe(nano(126n * 35_500n));
});

test('the hold covers at most a full context window for each input', () => {
  expect(priceOf(null, { ...INPUTS, most: 9_000 }).firstHold.amount).toBe(nano(2_000n * 5_000n));
});

test('a refusal states how many of the input tokens the wallet affords', () => {
  const affordable = (rate: typeof USD_CNY | null, funds: bigint) =>
    priceOf(rate).affordable(nano(funds))['affordable_input_tokens'];
  expect(affordable(null, 54_999n)).toBe(10);
  expect(affordable(null, 10n ** 9n)).toBe(126);
  expect(affordable(USD_CNY, 71_000n)).toBe(2);
});

test('an implausible count of the provider is estimated instead', () => {
  const charged = (reported: number | null) => {
    const { usage, estimated } = priceOf().usage(reported);
    return [usage, estimated];
  };
  expect(charged(2_016)).toEqual([{ ...NO_USAGE, input: 2_016 }, false]);
  expect(charged(2_017)).toEqual([{ ...NO_USAGE, input: 25 }, true]);
  expect(charged(null)).toEqual([{ ...NO_USAGE, input: 25 }, true]);
});
