/** Tests embedding models in the configuration: validation, prices, and sales below cost. */
import { describe, expect, test } from 'bun:test';
import { NOW_MS, problemsIn, settingsOf } from '../config/file.fixture.ts';
import { belowCost } from './below-cost.ts';
import { loadCatalogue } from './load-catalogue.ts';

const file = (
  model = '',
  price = '{ input: "0.02" }',
  upstream = '{ protocol: builtin }',
): string =>
  `upstreams: { builtin: ${upstream} }
models:
  embed-x:
    kind: embedding
    maker: embed
    context_window: 8192
    dimensions: 1536
${model}    default_channel: direct
    channels:
      direct:
        price: ${price}
        routes: [{ upstream: builtin, model: x }]
`;

function modelIn(text: string) {
  const model = loadCatalogue(settingsOf(text), NOW_MS).models.get('embed-x');
  if (model?.kind !== 'embedding') throw new Error('no embedding model');
  return model;
}

test('an embedding model has defaults for what a request may have', () => {
  expect(modelIn(file())).toMatchObject({
    ...{ maxInputs: 2048, maxTotalTokens: 300_000, dimensions: 1536, minDimensions: null },
    ...{ input: ['text'], output: ['embeddings'] },
  });
});

test('its card has the price of input alone, and changes with it', () => {
  const card = (price: string) => modelIn(file('', price)).channels.get('direct')?.card;
  expect(card('{ input: "0.02" }')).toMatchObject({
    ...{ unit: 'token', listed: { input: '0.02', output: null, cache_read: null } },
    rates: { input: 20_000n },
  });
  expect(card('{ input: "0.02" }')?.id).toBe(card('{ input: "0.020", example: true }')?.id ?? '');
  expect(card('{ input: "0.03" }')?.id).not.toBe(card('{ input: "0.02" }')?.id);
});

test('a price below its cost is found', () => {
  const found = (cost: string) =>
    belowCost(modelIn(file('', `{ input: "0.02" }\n        cost: { input: "${cost}" }`)), NOW_MS);
  expect(found('0.02')).toEqual([]);
  expect(found('0.021')).toMatchObject([
    { item: 'input', pricePico: 20_000n, costPico: 21_000n, model: 'embed-x', channel: 'direct' },
  ]);
});

describe('is invalid:', () => {
  test.each([
    ['no price', file('', '{}'), 'price.input'],
    ['a price of output', file('', '{ input: "1", output: "1" }'), 'output'],
    ['too many inputs', file('    max_inputs: 2049\n'), 'max_inputs'],
    ['more dimensions at least than at most', file('    min_dimensions: 1537\n'), 'min_dimensions'],
    [
      'an upstream of Messages',
      file('', undefined, '{ protocol: anthropic, base_url: "https://a.example", api_key: none }'),
      'cannot make embeddings',
    ],
  ])('%s', (_name, text, problem) => {
    const problems = problemsIn(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});
