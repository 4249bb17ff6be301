import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MAX_LONG_NUMBERS } from './long-numbers.ts';
import { parseWithPlaceholders } from './placeholders.ts';
import { JsonScan } from './scan.ts';

const decoder = new TextDecoder();
const LONG = 'QUJD'.repeat(8_000);

function parsed(text: string) {
  const bytes = new TextEncoder().encode(text);
  return parseWithPlaceholders(new JsonScan({ maxDepth: 100 }).finish(bytes, bytes.byteLength));
}

describe('a placeholder', () => {
  test('is short in the parsed body and restored in the output', () => {
    const { json, encode, restore } = parsed(`{"url":"data:image/png;base64,${LONG}"}`);
    const url = String(json['url']);
    expect(url.length).toBeLessThan(80);
    expect(url).toStartWith('data:image/png;base64,');
    expect(restore(url)).toBe(`data:image/png;base64,${LONG}`);
    expect(decoder.decode(encode({ data: url.slice(url.indexOf(',') + 1) }))).toBe(
      `{"data":"${LONG}"}`,
    );
  });

  test('keeps the escapes of the original', () => {
    const written = `${LONG}\\/\\u00e9\\"`;
    const { json, encode, restore } = parsed(`{"url":"data:x,${written}"}`);
    expect(decoder.decode(encode(json))).toBe(`{"url":"data:x,${written}"}`);
    expect(restore(String(json['url']))).toBe(`data:x,${LONG}/é"`);
  });

  test("is never confused with a caller's text", () => {
    const all = '\\u00010\\u0001\\u00020\\u0002\\u00030\\u0003\\u00040\\u0004';
    const escaped = '\\u005cu00010\\u005cu0001';
    for (const forged of ['\\u00010\\u0001', '\\\\u00010\\\\u0001', escaped, all]) {
      const text = `{"note":"${forged}","url":"data:x,${LONG}"}`;
      const { json, encode } = parsed(text);
      expect(JSON.parse(decoder.decode(encode(json)))).toEqual(JSON.parse(text));
    }
  });

  test('is never confused with a text that a translator decodes, such as a file in base64', () => {
    const { json, encode } = parsed(`{"url":"data:x,${LONG}"}`);
    const file = '\u00010\u0001\\u00010\\u0001';
    const encoded = decoder.decode(encode({ ...json, file }));
    expect(JSON.parse(encoded)).toEqual({ url: `data:x,${LONG}`, file });
  });

  test('never replaces a key', () => {
    const text = `{"a":{"data:x,${LONG}" : 1},"url":"data:x,${LONG}"}`;
    const { json, encode } = parsed(text);
    expect(Object.keys(json['a'] as object)).toEqual([`data:x,${LONG}`]);
    expect(JSON.parse(decoder.decode(encode(json)))).toEqual(JSON.parse(text));
  });

  test('does not hide a fault elsewhere', () => {
    expect(() => parsed(`{"url":"data:x,${LONG}","b":tru}`)).toThrow('not valid JSON');
  });

  test('replaces long texts, unless they may be blank', () => {
    const blank = `${' '.repeat(300)}\\n\\u3000`;
    const text = `{"a":[{"text":"\\n${LONG}"},{"content" : "${LONG}"},{"text":"${blank}"},{"note":"${LONG}"}]}`;
    const { json, encode, restore, sizeOf } = parsed(text);
    const [one, other, empty, note] = json['a'] as Record<string, string>[];
    expect([one?.['text']?.length, other?.['content']?.length]).toEqual([35, 35]);
    expect(empty?.['text']?.trim()).toBe('');
    expect(note?.['note']).toBe(LONG);
    expect([restore(String(one?.['text'])), sizeOf(String(one?.['text']))]).toEqual([
      `\n${LONG}`,
      LONG.length + 2,
    ]);
    expect(decoder.decode(encode(json))).toBe(
      text.replace('" : "', '":"').replace('\\u3000', '　'),
    );
  });

  test('keeps every digit of long numbers, and their order among texts', () => {
    const numbers = '12345678901234567890,-1e400,0.1,[1.2345678901234567890E-5]';
    const text = `{"n":1234567890123456789,"a":[${numbers},{"text":"${LONG}"},${numbers}]}`;
    const { json, encode, stringify } = parsed(text);
    expect(json['n']).toBe(Number('1234567890123456789'));
    const { a } = json;
    expect(decoder.decode(encode({ a }))).toBe(`{"a":${text.slice(text.indexOf('['))}`);
    expect(stringify(a)).toBe(text.slice(text.indexOf('['), -1));
  });

  test('refuses more long numbers than can be kept in time', () => {
    const many = (count: number) => `{"a":[${Array(count).fill('12345678901234567').join(',')}]}`;
    expect(() => parsed(many(MAX_LONG_NUMBERS))).not.toThrow();
    expect(() => parsed(many(MAX_LONG_NUMBERS + 1))).toThrow(
      'numbers that have more than 15 digits',
    );
  });

  test.each(['01234567890123456789', '-', '1.e5', '12345678901234567e'])(
    'does not hide the invalid number %s',
    (number) => {
      expect(() => parsed(`{"a":[${number}],"text":"${LONG}"}`)).toThrow('not valid JSON');
    },
  );

  test('an invalid escape in a long text is refused when the text is read', () => {
    const { json, restore } = parsed(`{"text":"${LONG}\\x"}`);
    expect(() => restore(String(json['text']))).toThrow('The body is not valid JSON');
  });

  test('restores any body', () => {
    const dataUrl = fc.string({ unit: 'grapheme' }).map((head) => `data:${head},${LONG}`);
    const textKey = fc.constantFrom('text', 'content', 'data', 'arguments');
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'binary' }),
        dataUrl,
        fc.string({ unit: 'binary', minLength: 250, maxLength: 400 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), dataUrl, textKey), tie('node'), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(value, (any) => {
        const text = JSON.stringify({ any, pad: 'x'.repeat(20_000) });
        const { json, encode } = parsed(text);
        expect(decoder.decode(encode(json))).toBe(text);
      }),
      { numRuns: 60, seed: 4 },
    );
  });
});
