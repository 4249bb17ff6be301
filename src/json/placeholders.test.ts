import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
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
    expect(url.length).toBeLessThan(40);
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
    for (const forged of ['\\u00010\\u0001', '\\\\u00010\\\\u0001', all]) {
      const text = `{"note":"${forged}","url":"data:x,${LONG}"}`;
      const { json, encode } = parsed(text);
      expect(JSON.parse(decoder.decode(encode(json)))).toEqual(JSON.parse(text));
    }
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

  test('restores any body', () => {
    const dataUrl = fc.string({ unit: 'grapheme' }).map((head) => `data:${head},${LONG}`);
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'binary' }),
        dataUrl,
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), dataUrl), tie('node'), { maxKeys: 4 }),
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
