import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../errors.ts';
import { LONG_STRING_BYTES } from './cursor.ts';
import { replaceMembers } from './edit.ts';
import { JsonScan, MAX_MARKED_BYTES, type ScannedObject, scanObject } from './scan.ts';

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function scan(
  text: string | Uint8Array<ArrayBuffer>,
  piece = Number.POSITIVE_INFINITY,
): ScannedObject {
  const bytes = typeof text === 'string' ? encode(text) : text;
  const scanner = new JsonScan({ maxDepth: 64 });
  for (let end = piece; end < bytes.byteLength; end += piece) scanner.advance(bytes, end);
  return scanner.finish(bytes, bytes.byteLength);
}

const refusal = (text: string): string => {
  try {
    scan(text).view();
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.code === 'invalid_json') return thrown.message;
    throw thrown;
  }
  return 'accepted';
};

const jsonObject = fc.dictionary(
  fc.string().filter((k) => k !== '__proto__'),
  fc.jsonValue(),
  { maxKeys: 6 },
);

describe('the scan', () => {
  test('finds every top-level value, in any pieces', () => {
    fc.assert(
      fc.property(
        jsonObject,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (value, piece, spaced) => {
          const { bytes, members } = scan(JSON.stringify(value, null, spaced ? 2 : 0), piece);
          const found = Object.fromEntries(
            [...members].map(([key, { start, end }]) => [
              key,
              JSON.parse(decode(bytes.subarray(start, end))),
            ]),
          );
          expect(found).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
      { seed: 20_261_121 },
    );
  });

  test.each([
    ['', 'The body is empty'],
    ['[1]', 'must be one JSON object'],
    ['"x"', 'must be one JSON object'],
    ['{"a":1} x', 'must be one JSON object'],
    ['{"a":1}{}', 'must be one JSON object'],
    ['{"a":', 'ends before'],
    ['{"a":"b', 'ends before'],
    ['{"a":1,"a":2}', '"a" appears twice'],
    ['{"model":1,"mod\\u0065l":2}', '"model" appears twice'],
    ['{"a" 1}', 'not valid JSON at line 1, column 6'],
    ['{"a":1,\n "b":tru}', 'not valid JSON at line 2, column 6'],
    ['{"a\\x":1}', 'not valid JSON'],
    ['{"a":nul}', 'not valid JSON'],
    ["{'a':1}", 'not valid JSON'],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'deeper than 64'],
  ])('rejects %p with a reason', (text, why) => {
    expect(refusal(text)).toContain(why);
  });

  test('accepts 64 levels', () => {
    expect(refusal(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).toBe('accepted');
  });

  test('ignores quotes and brackets within strings', () => {
    const text = '{"a":"}]\\"[{\\\\","b":1}';
    expect(scan(text).view()).toEqual({ a: '}]"[{\\', b: 1 });
  });

  test('rejects invalid UTF-8 and accepts a byte order mark', () => {
    const broken = encode('{"a":"x"}');
    broken[6] = 0xff;
    expect(() => scan(broken).view()).toThrow('not valid UTF-8');
    expect(scan('\ufeff{"a":1}').view()).toEqual({ a: 1 });
    expect(decode(scan('\ufeff{"a":1}').bytes)).toBe('{"a":1}');
  });

  test('treats __proto__ like any other key', () => {
    const view = scan('{"__proto__":{"polluted":true}}').view();
    expect(Object.getPrototypeOf(view)).toBe(Object.prototype);
    expect('polluted' in view).toBe(false);
  });
});

describe('a limit', () => {
  const LIMITS = {
    maxDepth: 64,
    maxValues: 1_000,
    maxMembers: 10,
    maxKeyBytes: 300,
    maxStructureBytes: 20_000,
  };
  const list = (of: string, count: number): string => Array(count).fill(of).join(',');
  const keys = (count: number): string =>
    Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
  const limited = (text: string): string => {
    try {
      const bytes = encode(text);
      new JsonScan(LIMITS).finish(bytes, bytes.byteLength).view();
      return 'accepted';
    } catch (thrown) {
      return thrown instanceof GatewayError ? thrown.message : String(thrown);
    }
  };

  test.each<[what: string, most: string, more: string, says: string]>([
    ['values', `{"a":[${list('1', 999)}]}`, `{"a":[${list('1', 1000)}]}`, 'more than 1000 values'],
    ['lists', `{"a":[${list('[]', 499)}]}`, `{"a":[${list('[]', 500)}]}`, 'more than 1000 values'],
    ['entries', `{"a":{${keys(999)}}}`, `{"a":{${keys(1000)}}}`, 'more than 1000 values'],
    ['fields', `{${keys(10)}}`, `{${keys(11)}}`, 'more than 10 fields'],
    ['a key', `{"${'k'.repeat(300)}":1}`, `{"${'k'.repeat(301)}":1}`, 'longer than 300 bytes'],
    [
      'a nested key',
      `{"a":{"${'k'.repeat(300)}":1}}`,
      `{"a":{"${'k'.repeat(301)}" :1}}`,
      'longer than 300 bytes',
    ],
    ['space', `{${' '.repeat(19_993)}"a":1}`, `{${' '.repeat(19_994)}"a":1}`, 'of whitespace'],
    [
      'long keys, which a view keeps',
      `{"a":{${'"k":1,'.repeat(60)}"b":1}}`,
      `{"a":{${Array.from({ length: 80 }, (_, at) => `"${at}${'k'.repeat(290)}":1`).join(',')}}}`,
      'more than 20000 bytes',
    ],
  ])('of %s is accepted, and one more is refused', (_what, most, more, says) => {
    expect(limited(most)).toBe('accepted');
    expect(limited(more)).toContain(says);
  });

  test('does not count what long strings hold', () => {
    expect(limited(`{"a":"${',[{'.repeat(100_000)}"}`)).toBe('accepted');
  });

  test.each([
    ['values', `{"a":[${'[],'.repeat(100_000)}`],
    ['empty members', `{${','.repeat(100_000)}`],
    ['fields', `{${keys(100_000)}`],
    ['whitespace', `{${' '.repeat(100_000)}`],
  ])('of %s ends the scan before the rest is read', (_what, text) => {
    const scanner = new JsonScan(LIMITS);
    const bytes = encode(text);
    expect(() => scanner.advance(bytes, bytes.byteLength)).toThrow(/more than/);
    expect(scanner.values).toBeLessThanOrEqual(LIMITS.maxValues + 1);
  });

  test('counts again after a byte order mark', () => {
    expect(limited(`\ufeff{"a":[${list('1', 999)}]}`)).toBe('accepted');
    expect(limited(`\ufeff{"a":[${list('1', 1000)}]}`)).toContain('more than 1000 values');
  });

  test('is not applied to the answers of providers', () => {
    const bytes = encode(`{"a":[${list('[]', 200_000)}],${keys(1_000)}}`);
    expect(scanObject(bytes, 64).members.size).toBe(1_001);
  });
});

/**
 * Returns the beginning of a truncated string in a view, without the mark and index that follow.
 */
const keptOf = (value: unknown): string => String(value).replace(/\p{Cc}\d+$/u, '');

describe('the view of a large body', () => {
  const long = '你好 quoted \\" line '.repeat(4000);
  const body = scan(
    `{"model":"m","long":"${long}","n":[{"data":"${'A'.repeat(9000)}"}],"end":true}`,
  );

  test('keeps everything but the ends of long strings', () => {
    expect(body.view()).toMatchObject({ model: 'm', end: true });
    expect(JSON.stringify(body.view()['n'])).toStartWith(`[{"data":"${'A'.repeat(64)}\\u0001`);
    const kept = keptOf(body.view()['long']);
    expect(kept.length > 5 && long.startsWith(kept)).toBe(true);
  });

  test('leads from a truncated string to its bytes', () => {
    const { long: text, end } = body.view();
    expect(decode(body.bytesOf(String(text)))).toBe(long);
    expect(decode(body.bytesOf(String(end)))).toBe('true');
  });

  test('never takes a short string for a long one', () => {
    const prose = 'word '.repeat(10_000);
    const sly = scan(`{"prose":"${prose}","data":"word \\u00010"}`);
    const { prose: whole, data } = sly.view();
    expect(data).toBe('word \u00010');
    expect(decode(sly.bytesOf(String(whole)))).toBe(prose);
    expect(decode(sly.bytesOf(String(data)))).toBe('word \u00010');
  });

  test('of a body with every mark is whole, unless the body is too large to be parsed whole', () => {
    const sly = (bytes: number): string =>
      `{"a":"${'x'.repeat(bytes)}","b":"\\u00010\\u00020\\u00030\\u00040"}`;
    const small = scan(sly(MAX_MARKED_BYTES - 100));
    const { a, b } = small.view();
    expect([String(a).length, b]).toEqual([MAX_MARKED_BYTES - 100, '\u00010\u00020\u00030\u00040']);
    expect(decode(small.bytesOf(String(b)))).toBe(String(b));
    expect(() => scan(sly(MAX_MARKED_BYTES)).view()).toThrow(
      'must not contain all of the escapes \\u0001',
    );
  });

  test('rejects faults beyond the part that is kept, with their position', () => {
    const text = `{"a":"${'x'.repeat(20_000)}",\n"b" 1}`;
    expect(refusal(text)).toContain('at line 2, column 5');
    const broken = encode(text.replace('"b" ', '"b":'));
    expect(scan(broken).view()).toMatchObject({ b: 1 });
    broken[10_000] = 0xff;
    expect(() => scan(broken).view()).toThrow('not valid UTF-8');
  });

  test('never truncates a key into another one: model must be what the upstream reads', () => {
    const sly = `"model\\u0041${'a'.repeat(300)}" : "cheap"`;
    const text = `{"model":"costly",${sly},"in":{"type":"image",${sly.replace('model', 'type')}},"x":"${'x'.repeat(20_000)}"}`;
    expect(scan(text).view()).toMatchObject({ model: 'costly', in: { type: 'image' } });
  });

  test('never cuts through a character or an escape', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (unit) => {
        const text = unit.repeat(Math.ceil((LONG_STRING_BYTES + 20_000) / unit.length));
        const kept = keptOf(scan(JSON.stringify({ a: text })).view()['a']);
        expect(JSON.parse(JSON.stringify(text)).startsWith(kept)).toBe(true);
      }),
      { numRuns: 50, seed: 20_261_121 },
    );
  });
});

describe('an edit', () => {
  test('changes the named members and keeps every other byte', () => {
    const object = scan('{ "model" : "a", "x":1.0e5 ,"s":"\\u0041" }');
    const edited = replaceMembers(
      object,
      new Map([
        ['model', '"b"'],
        ['new', '{}'],
      ]),
    );
    expect(decode(edited)).toBe('{"model" : "b","x":1.0e5,"s":"\\u0041","new":{}}');
  });

  test('equals the same edit on the parsed object', () => {
    const edits = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.option(fc.jsonValue()));
    const objects = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue());
    fc.assert(
      fc.property(objects, edits, (value, changes) => {
        const texts = new Map(
          Object.entries(changes).map(([k, v]) => [k, v === null ? null : JSON.stringify(v)]),
        );
        const expected: Record<string, unknown> = { ...value, ...changes };
        for (const [key, change] of Object.entries(changes))
          if (change === null) delete expected[key];
        const edited = JSON.parse(decode(replaceMembers(scan(JSON.stringify(value)), texts)));
        expect(edited).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      { seed: 20_261_121 },
    );
  });
});
