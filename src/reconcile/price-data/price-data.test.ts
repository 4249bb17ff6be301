import { expect, test } from 'bun:test';
import { finish } from '../../config/document/steps.ts';
import { shiftedDecimal } from './exact-decimal.ts';
import { membersIn } from './json-members.ts';
import { priceDataSteps } from './price-data.ts';
import { type CompareOptions, comparisonSteps } from './price-differences.ts';

/** Sample entries in the formats of LiteLLM and models.dev. */
const LITELLM = `{
  "sample_spec": { "input_cost_per_token": 0.0, "litellm_provider": "one of https://docs.litellm.ai/docs/providers" },
  "gpt-4.1": { "cache_read_input_token_cost": 5e-07, "input_cost_per_token": 2e-06, "input_cost_per_token_batches": 1e-06,
    "litellm_provider": "openai", "mode": "chat", "output_cost_per_token": 8e-06, "max_tokens": 32768 },
  "gemini/flash": { "input_cost_per_token": 1.5e-07, "output_cost_per_token": 6e-07, "litellm_provider": "gemini" },
  "flash": { "input_cost_per_token": 9e-07, "litellm_provider": "vertex_ai-language-models" }
}`;
const MODELS_DEV = `{"openai":{"id":"openai","name":"OpenAI","models":{"gpt-4.1":{"id":"gpt-4.1",
  "cost":{"input":2.00,"output":8,"cache_read":0.5}}}},
  "google":{"id":"google","models":{"flash":{"cost":{"input":0.15,"output":0.6,"input_audio":0.7,
  "context_over_200k":{"input":0.3}}}}}}`;

test('the decimal point of a number moves without a rounding', () => {
  expect(shiftedDecimal('1.5e-07', 6)).toBe('0.15');
  expect(shiftedDecimal('2e-06', 6)).toBe('2');
  expect(shiftedDecimal('0.0000000750', 6)).toBe('0.075');
  expect(shiftedDecimal('12', 6)).toBe('12000000');
  expect(shiftedDecimal('0.1', 0)).toBe('0.1');
  expect(shiftedDecimal('2.00', 0)).toBe('2');
  expect(shiftedDecimal('0', 6)).toBe('0');
  expect(shiftedDecimal('1.25E+1', 0)).toBe('12.5');
  expect(shiftedDecimal('3e-13', 6)).toBe('0.0000003');
  for (const bad of ['-1', '1e400', '', 'NaN', '1'.repeat(41)])
    expect(shiftedDecimal(bad, 6)).toBeNull();
});

test('a shifted decimal equals the number, for any digits and exponent', () => {
  const seed = 20_261_123;
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 2_000; round += 1) {
    const digits = String(1 + next(999_999));
    const decimals = next(digits.length);
    const split = digits.length - decimals;
    const exponent = next(20) - 12;
    const literal = `${digits.slice(0, split)}.${digits.slice(split)}0e${exponent}`;
    const shown = shiftedDecimal(literal, 6) ?? '';
    const [whole = '', fraction = ''] = shown.split('.');
    const left = BigInt(whole + fraction.padEnd(30, '0'));
    const right = BigInt(digits) * 10n ** BigInt(30 + 6 + exponent - decimals);
    expect({ seed, literal, shown, left }).toEqual({ seed, literal, shown, left: right });
  }
});

test('members of a large object are found without parsing it', () => {
  const text = ' {"a" : {"x":"}\\"{,"}, "b\\u0041":[1,{"c":2}],"d":1.50 , "e":"," } ';
  expect(Object.fromEntries(finish(membersIn(text)) ?? [])).toEqual({
    a: ' {"x":"}\\"{,"}',
    bA: '[1,{"c":2}]',
    d: '1.50 ',
    e: '"," ',
  });
  for (const bad of ['', '[]', '"x"', '{"a":1', '{} {}', 'x{}', '{"a":1}]'])
    expect([bad, finish(membersIn(bad))]).toEqual([bad, null]);
});

test('both formats have exact prices per 1M tokens, of the right provider', () => {
  const litellm = finish(priceDataSteps(LITELLM));
  expect(litellm?.format).toBe('litellm');
  expect(litellm?.find('openai', 'gpt-4.1')).toEqual({
    name: 'gpt-4.1',
    prices: { cache_read: '0.5', input: '2', output: '8' },
    hasMore: true,
  });
  expect(litellm?.find('gemini', 'flash')).toEqual({
    name: 'gemini/flash',
    prices: { input: '0.15', output: '0.6' },
    hasMore: false,
  });
  const other = finish(priceDataSteps(MODELS_DEV));
  expect(other?.format).toBe('models.dev');
  expect(other?.find('openai', 'gpt-4.1')).toEqual({
    name: 'openai/gpt-4.1',
    prices: { input: '2', output: '8', cache_read: '0.5' },
    hasMore: false,
  });
  expect(other?.find('gemini', 'flash')).toEqual({
    name: 'google/flash',
    prices: { input: '0.15', output: '0.6', audio_input: '0.7' },
    hasMore: true,
  });
  for (const name of ['constructor', '__proto__', 'gpt-9'])
    expect([litellm?.find('openai', name), other?.find('openai', name)]).toEqual([null, null]);
  expect(litellm?.find('vllm', 'gpt-4.1')).toBeNull();
  for (const text of ['{"a":{"b":1}}', '{"a":}', '{}', 'prices'])
    expect(finish(priceDataSteps(text))).toBeNull();
});

const UPSTREAMS = {
  openai: { protocol: 'openai', make: 'openai', base_url: 'https://gate.example/v1' },
  google: {
    protocol: 'openai',
    base_url: 'https://generativelanguage.googleapis.com/v1beta/openai',
  },
  own: { protocol: 'openai', make: 'vllm', base_url: 'http://127.0.0.1:1/v1' },
};
const sold = (price: object, upstream: string, model: string, more: object = {}) => ({
  kind: 'chat',
  channels: { direct: { price, routes: [{ upstream, model }], ...more } },
});

function compared(models: object, options: Partial<CompareOptions> = {}) {
  const data = finish(priceDataSteps(LITELLM));
  if (data === null) throw new Error('this is price data');
  const document = { upstreams: UPSTREAMS, models };
  const all = { compared: 'price', maxJump: 20_000_000n, factor: 1_000_000n, ...options } as const;
  return finish(comparisonSteps(document, data, all));
}

test('a large change, a new price and a price with conditions wait for a person', () => {
  const { differences, compared: count } = compared({
    a: sold({ input: '1.666667', output: '10', cache_read: '0.50' }, 'openai', 'gpt-4.1'),
    b: sold({ input: '1.666666', output: '8.00', cache_read: '-' }, 'openai', 'gpt-4.1'),
    c: sold({ input: '0.16', output: '0', rows: [{ scale: '2' }] }, 'google', 'flash'),
  });
  const shown = differences.map(({ model, key, before, after, percent, waits }) =>
    [model, key, before, after, percent, waits].join(' '),
  );
  expect(count).toBe(3);
  expect(shown).toEqual([
    'a input 1.666667 2 +19.9 ',
    'a output 10 8 -20.0 ',
    'b input 1.666666 2 +20.0 jump',
    'b cache_read  0.5  new',
    'c input 0.16 0.15 -6.2 conditions',
    'c output 0 0.6  jump',
  ]);
});

test('public prices are multiplied exactly, and a rounded result is marked', () => {
  const models = { a: sold({ input: '2.60', output: '10' }, 'openai', 'gpt-4.1') };
  const shown = (factor: bigint) =>
    compared(models, { factor }).differences.map(({ key, after, percent, isRounded }) =>
      [key, after, percent, isRounded].join(' '),
    );
  expect(shown(1_300_000n)).toEqual(['output 10.40 +4.0 false', 'cache_read 0.65  false']);
  const flash = { c: sold({ input: '0.15', output: '0.60' }, 'google', 'flash') };
  const { differences } = compared(flash, { factor: 1_333_333n });
  // 0.15 and 0.6 times the factor 1.333333 are 0.19999995 and 0.7999998.
  expect(differences.map(({ after, isRounded }) => [after, isRounded])).toEqual([
    ['0.20', true],
    ['0.80', true],
  ]);
});

test('channels without public prices are named with the reason', () => {
  const { unmatched } = compared({
    own: sold({ input: '1', output: '1' }, 'own', 'gpt-4.1'),
    none: sold({ input: '1', output: '1' }, 'openai', 'gpt-9'),
    image: sold({ per_image: { '1x1': '0.1' } }, 'openai', 'gpt-4.1'),
  });
  expect(unmatched.map(({ model, reason }) => [model, reason])).toEqual([
    ['own', 'no_provider'],
    ['none', 'not_listed'],
    ['image', 'per_image'],
  ]);
  const cost = { cost: { input: '2', output: '7.90' } };
  const models = { m: sold({ input: '9', output: '9' }, 'openai', 'gpt-4.1', cost) };
  expect(
    compared(models, { compared: 'cost' }).differences.map(({ key, waits }) => [key, waits]),
  ).toEqual([
    ['output', null],
    ['cache_read', 'new'],
  ]);
});
