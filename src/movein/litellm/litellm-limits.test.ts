/**
 * Tests how the list of models that a LiteLLM key may use is read. Users can write any text into
 * this list.
 */
import { expect, test } from 'bun:test';
import { limitsOf } from './litellm-limits.ts';

const NAMES = ['gpt-4.1', 'gpt-4.1-mini', 'claude-sonnet-4', 'a', 'aa', 'aba'];

const allowed = (...models: readonly string[]) =>
  limitsOf({ models }, null, { names: NAMES, groups: new Map() }).limits.models;

test.each([
  ['gpt-*', ['gpt-4.1', 'gpt-4.1-mini']],
  ['*-mini', ['gpt-4.1-mini']],
  ['*4*', ['gpt-4.1', 'gpt-4.1-mini', 'claude-sonnet-4']],
  ['g*4.1', ['gpt-4.1']],
  ['a*a', ['aa', 'aba']],
  ['**', NAMES],
  ['*.1*.1*', []],
  ['gpt-4?1', ['gpt-4?1']],
  ['claude.*', []],
])('%s allows %j', (pattern, names) => {
  expect(allowed(pattern)).toEqual(names);
});

test('a pattern of many stars is matched at once', () => {
  const long = `${'*a'.repeat(40)}*!`;
  expect(
    limitsOf({ models: [long] }, null, { names: ['a'.repeat(200)], groups: new Map() }).limits
      .models,
  ).toEqual([]);
});
