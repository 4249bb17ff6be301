import { expect, test } from 'bun:test';
import type * as z from 'zod';
import { Input } from './command.ts';
import { limitsOf, unsoldNote } from './limit-options.ts';

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

test('names models that are not sold, with the likely one', async () => {
  const connect = () =>
    Promise.resolve({
      call: async <Schema extends z.ZodType>(_call: unknown, schema: Schema) =>
        schema.parse({ mode: 'file', document: { models: { 'gen-x': {}, 'gen-y': {} } } }),
    });
  const noteOf = (model: string) => unsoldNote(connect, limitsOf(new Input([], { model })));
  expect(await noteOf('gen-x,gne-y,other')).toBe(
    '\n\nNote: no model "gne-y" is sold now. Did you mean "gen-y"?\nNote: no model "other" is sold now.',
  );
  expect([await noteOf('gen-x'), await noteOf('none')]).toEqual(['', '']);
  expect(await unsoldNote(connect, {})).toBe('');
});
