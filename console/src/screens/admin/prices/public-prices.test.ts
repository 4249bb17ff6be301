import { expect, test } from 'bun:test';
import { patchOf } from './price-edit.ts';
import { type Difference, editsOf } from './public-prices.ts';

const row = (key: Difference['key'], more: Partial<Difference> = {}): Difference => ({
  ...{ model: 'a', channel: 'direct', key, before: '1', after: '2', rounded: false },
  ...{ percent: '+100.0', waits: null, source: 'LiteLLM, a, 2026-11-23', more: false },
  ...more,
});
const [input, output] = [row('input'), row('output', { waits: 'jump' })];
const other = row('input', { model: 'b', source: 'LiteLLM, b, 2026-11-23' });
const data = [input, output, other];

test('the source is recorded only if all differing prices of a channel are selected', () => {
  expect(editsOf({ data }, [input, other])).toEqual([
    { model: 'a', channel: 'direct', edits: [{ path: ['input'], value: '2' }] },
    {
      ...{ model: 'b', channel: 'direct' },
      edits: [
        { path: ['input'], value: '2' },
        { path: ['source'], value: 'LiteLLM, b, 2026-11-23' },
      ],
    },
  ]);
  expect(editsOf({ data }, [input, output])[0]?.edits).toContainEqual({
    ...{ path: ['source'], value: 'LiteLLM, a, 2026-11-23' },
  });
});

test('costs are set without changing the price', () => {
  const channel = { price: { input: '3', example: true }, cost: { input: '1' } };
  const models = new Map([['b', { channels: { direct: channel } }]]);
  const edits = editsOf({ data }, [other]);
  const cost = { input: '2', source: 'LiteLLM, b, 2026-11-23' };
  expect(patchOf(models, edits, null, 'cost')).toEqual({
    models: { b: { channels: { direct: { cost } } } },
  });
  expect(patchOf(models, edits, null, 'price')).toEqual({
    models: { b: { channels: { direct: { price: { ...cost, example: null } } } } },
  });
});
