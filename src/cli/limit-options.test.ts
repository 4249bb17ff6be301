import { expect, test } from 'bun:test';
import { Input } from './command.ts';
import { limitsOf } from './limit-options.ts';

test('sends the given limits only, and `none` removes a limit', () => {
  const values = { 'limit-day': '5', 'limit-month': 'none', rpm: '60', tpm: 'none', model: 'a, b' };
  expect(limitsOf(new Input([], values))).toEqual({
    limits: {
      spend: { day: '5', month: null },
      requests_per_minute: 60,
      tokens_per_minute: null,
      models: ['a', 'b'],
    },
  });
  expect(limitsOf(new Input([], {}))).toEqual({});
  expect(() => limitsOf(new Input([], { rpm: '0' }))).toThrow('--rpm');
  for (const cap of ['-5', '1e5', '5 USD', '0.0000000001']) {
    expect(() => limitsOf(new Input([], { 'limit-day': cap }))).toThrow('--limit-day must be');
  }
});
