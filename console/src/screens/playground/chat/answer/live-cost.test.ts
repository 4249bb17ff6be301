import { expect, test } from 'bun:test';
import { newAnswer, type Usage } from '#chat/answer.ts';
import { chatModel } from '#screens/playground/playground.fixture.ts';
import { cacheSaving } from './live-cost.ts';

const MODEL = chatModel('gen-a');
const answered = (usage: Partial<Usage>, amount: string) => ({
  ...newAnswer({ model: 'gen-a', requestedChannel: null, promptWeight: 0, sentMs: 0 }),
  usage: {
    ...{ input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, ...usage },
    cost: { amount, currency: 'USD' },
  },
});

test('the cache saves the difference between plain input and the charge, exactly', () => {
  // The prices per 1M tokens are $5 for the 100 plain input tokens, $0.50 for the 900 cached
  // tokens, and $25 for the 10 output tokens.
  const read = answered({ input: 1_000, cached: 900, output: 10 }, '0.0012');
  expect(cacheSaving(read, MODEL)).toBe('0.00405');
});

test('a write to the cache counts against the saving', () => {
  const written = answered({ input: 1_000, cacheWrite: 1_000 }, '0.00625');
  expect(cacheSaving(written, MODEL)).toBe('-0.00125');
});

test('no saving is shown unless the current prices yield the charge', () => {
  expect(cacheSaving(answered({ input: 1_000, output: 10 }, '0.00525'), MODEL)).toBeNull();
  const other = answered({ input: 1_000, cached: 900, output: 10 }, '0.0013');
  expect(cacheSaving(other, MODEL)).toBeNull();
  expect(cacheSaving(other, undefined)).toBeNull();
});
