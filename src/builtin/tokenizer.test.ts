import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { countTokens, firstTokens, pieces } from './tokenizer.ts';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        ' ',
        '  ',
        '\n',
        'hello',
        'Überraschung',
        '12345',
        '你好世界',
        '。',
        '{"a":',
        '👩‍👩‍👧',
        'x',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('tokenizer', () => {
  test('the joined pieces are the text, and their number is the count', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const all = [...pieces(text)];
        expect(all.join('')).toBe(text);
        expect(all.length).toBe(countTokens(text));
      }),
      { seed: 1 },
    );
  });

  test('truncating after a piece does not change the pieces before it', () => {
    fc.assert(
      fc.property(texts, fc.nat(20), (text, limit) => {
        const cut = firstTokens(text, limit);
        expect([...pieces(cut)]).toEqual([...pieces(text)].slice(0, limit));
      }),
      { seed: 2 },
    );
  });

  test('never splits a surrogate pair', () => {
    for (const piece of pieces('a👍b𠮷c')) expect(piece.isWellFormed()).toBe(true);
  });

  test.each([
    ['hello world', ['hello', ' world']],
    ['international', ['intern', 'ationa', 'l']],
    ['call 5551234 now', ['call', ' 555', '123', '4', ' now']],
    ['你好世界。', ['你好', '世界', '。']],
    ['{"a":1}\n\n', ['{"', 'a', '":', '1', '}', '\n\n']],
    ['', []],
  ])('%p is cut as documented', (text, expected) => {
    expect([...pieces(text)]).toEqual(expected);
  });

  test('English has about four characters a token, Chinese about one and a half', () => {
    const english =
      'The service is a gateway. It exposes several hosted models behind a small set of endpoints, and each of them is billed by the token.';
    const chinese = '这个服务是一个网关，它把多个模型放在几个简单的接口后面，并且按照词元计费。';
    expect(english.length / countTokens(english)).toBeWithin(3.5, 5);
    expect(chinese.length / countTokens(chinese)).toBeWithin(1.3, 2);
  });
});
