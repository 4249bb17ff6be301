import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CustomInput } from './custom-input.ts';

const SEED = { seed: 20_261_122 };

/**
 * Decodes arguments that arrive in pieces. Returns the text that each piece adds, and the whole
 * input.
 */
function decode(pieces: readonly string[]): { readonly deltas: string[]; readonly text: string } {
  const input = new CustomInput();
  const deltas = [...pieces.map((piece) => input.push(piece)), input.finish()];
  return { deltas, text: input.text };
}

const cutAt = (json: string, at: readonly number[]): string[] => {
  const edges = [0, ...[...at].sort((a, b) => a - b), json.length];
  return edges.slice(1).map((end, index) => json.slice(edges[index], end));
};

describe('the input of a custom tool', () => {
  test('is decoded from any pieces, and no piece ends within a surrogate pair', () => {
    const escaped = (text: string): string =>
      JSON.stringify({ input: text }).replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.nat(300), { maxLength: 9 }),
        fc.constantFrom(escaped, (text: string) => JSON.stringify({ input: text }, null, 1)),
        (text, at, write) => {
          const json = write(text);
          const whole = write === escaped;
          const cuts = at.map((each) => each % (json.length + 1));
          const { deltas, text: read } = decode(cutAt(json, cuts));
          expect(read).toBe(text);
          expect(deltas.join('')).toBe(text);
          if (whole) expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
        },
      ),
      SEED,
    );
  });

  test('arrives before the call is complete', () => {
    const input = new CustomInput();
    expect(input.push('{"input": "*** Begin')).toBe('*** Begin');
    expect(input.push('\\nx\\')).toBe('\nx');
    expect(input.push('"')).toBe('"');
  });

  test('is a lone half of a surrogate pair where the model wrote one', () => {
    expect(decode(['{"input":"\\ud83d', 'x"}']).text).toBe('\ud83dx');
    expect(decode(['{"input":"\\ud83d"}']).text).toBe('\ud83d');
  });

  test('is what came of it when the call is cut', () => {
    expect(decode(['{"input":"abc\\']).text).toBe('abc\\');
    expect(decode(['{"inp']).text).toBe('{"inp');
  });

  test.each([
    ['ls -l', 'ls -l'],
    ['["ls"]', '["ls"]'],
    ['{"command":"ls"}', '{"command":"ls"}'],
    ['{"why":"because it is needed for what you asked me to do","input":"ls"}', 'ls'],
    ['{"input":7}', '{"input":7}'],
    ['', ''],
  ])('is the arguments themselves in another form: %s', (json, text) => {
    expect(decode([json]).text).toBe(text);
    expect(decode([...json]).text).toBe(text);
    expect(decode([...json]).deltas.join('')).toBe(text);
  });

  test('keeps line breaks and escapes that JSON does not allow', () => {
    expect(decode(['{"input":"a\nb\\tc"}']).text).toBe('a\nb\tc');
    expect(decode(['{"input":"a\\qb"}']).text).toBe('a\\qb');
  });

  test('ends at its quote, whatever members follow', () => {
    expect(decode(['{"input":"a","', 'other":"b"}']).text).toBe('a');
  });
});
