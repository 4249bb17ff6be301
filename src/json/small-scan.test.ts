/**
 * Tests that `scanSmall` and `JsonScan` find the same parts in every body that `scanSmall` accepts.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LONG_STRING_BYTES } from './cursor.ts';
import { replacedText, replaceMembers } from './edit.ts';
import { JsonScan, scanObject } from './scan.ts';
import type { ScanLimits } from './scan-limits.ts';
import { SMALL_BYTES, scanSmall } from './small-scan.ts';

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const BODY: ScanLimits = {
  maxDepth: 5,
  maxValues: 20,
  maxMembers: 4,
  maxKeyBytes: 12,
  uniqueKeys: true,
};
const ANSWER: ScanLimits = { maxDepth: 64 };

/**
 * Returns the parts that `scanSmall` and `JsonScan` find; null for a body that `scanSmall` leaves
 * to `JsonScan`.
 */
function found(bytes: Uint8Array<ArrayBuffer>, limits: ScanLimits) {
  const small = scanSmall(bytes, limits);
  if (small === null) return null;
  const scan = new JsonScan(limits);
  const { members, longStrings, values } = scan.finish(bytes, bytes.byteLength);
  return [
    { members: [...small.members], longStrings: small.longStrings, values: small.values },
    { members: [...members], longStrings, values },
  ] as const;
}

function agree(bytes: Uint8Array<ArrayBuffer>): void {
  for (const limits of [BODY, ANSWER, { ...BODY, maxKeyBytes: 1024 }]) {
    const [small, large] = found(bytes, limits) ?? [];
    expect(small).toEqual(large);
  }
}

const key = fc.oneof(fc.constantFrom('a', 'b', 'model', '', 'k'.repeat(20), '键'), fc.string());
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 1.5e10, -7, 'x', '', 'é\\"', 'y'.repeat(300)),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}));
const text = fc
  .tuple(fc.dictionary(key, value, { maxKeys: 5 }), fc.boolean())
  .map(([object, isSpaced]) => JSON.stringify(object, null, isSpaced ? 2 : 0));

/** JSON text in which one part is removed, or replaced by JSON punctuation or a piece of JSON. */
const spoiled = fc
  .tuple(text, fc.nat(), fc.nat(12), fc.constantFrom(...'{}[]:,"\\ \n', '"a":1', '"a":', 'é', ''))
  .map(([whole, from, length, by]) => {
    const at = from % (whole.length + 1);
    return whole.slice(0, at) + by + whole.slice(at + length);
  });

describe('the scan of a small object', () => {
  test('takes the requests and answers of both protocols', () => {
    const request =
      '{"model":"gen-v4-pro","messages":[{"role":"user","content":"Hi \\"you\\""}],"max_tokens" : 16}';
    const [small] =
      found(encode(request), { maxDepth: 64, maxMembers: 256, uniqueKeys: true }) ?? [];
    expect(small?.members.map(([name]) => name)).toEqual(['model', 'messages', 'max_tokens']);
    expect(small?.values).toBe(6);
    const long = `{"choices":[{"message":{"content":"${'é'.repeat(200)}"}}],"usage":{}}`;
    expect(found(encode(long), ANSWER)?.[0].longStrings).toEqual([{ start: 35, end: 435 }]);
  });

  test('agrees with the other scan on random objects', () => {
    fc.assert(
      fc.property(text, (body) => agree(encode(body))),
      { numRuns: 2000 },
    );
  });

  test('agrees with the other scan on spoiled text', () => {
    fc.assert(
      fc.property(spoiled, (body) => agree(encode(body))),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['', 'nothing'],
    [' {"a":1}', 'leading space'],
    ['\ufeff{}', 'a byte order mark'],
    ['{"a":1} x', 'text after the object'],
    ['{"a":1,}', 'a comma at the end'],
    ['{"a":}', 'no value'],
    ['{"a":1 2}', 'two values'],
    ['{"a":"x}', 'a string without end'],
    ['{"a":[1}', 'a container without end'],
    ['{"a":1,"a":2}', 'a key twice'],
    ['{"a":{"b":1,"b":2}}', 'a nested key twice'],
    ['{"b":[{"a\\u0062":1}]}', 'a key with an escape'],
    ['{"é":1}', 'a key beyond ASCII'],
    [`{"a":{"${'k'.repeat(LONG_STRING_BYTES + 1)}":1}}`, 'a long key'],
    ['{"a":[[[[[1]]]]]}', 'deep nesting'],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5}', 'many members'],
    [`{"a":[${'1,'.repeat(19)}1]}`, 'many values'],
    [`{"a":"${'x'.repeat(SMALL_BYTES)}"}`, 'many bytes'],
  ])('leaves %p to the other scan: %s', (body) => {
    expect(scanSmall(encode(body), BODY)).toBeNull();
  });
});

test('an object with a text is edited to the same bytes as one without', () => {
  const edit = fc.oneof(
    fc.constant(null),
    fc.jsonValue().map((json) => JSON.stringify(json)),
    fc.constant('{"a":1}').map(encode),
  );
  const edits = fc.dictionary(fc.constantFrom('a', 'b', 'model', 'new'), edit, { maxKeys: 4 });
  let ofText = 0;
  fc.assert(
    fc.property(text, edits, (body, changes) => {
      const bytes = encode(body);
      const object = scanObject(bytes, 64);
      const plain = new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength);
      if (object.ascii !== null) ofText += 1;
      expect(plain.ascii).toBeNull();
      const members = new Map(Object.entries(changes));
      const expected = Buffer.from(replaceMembers(plain, members)).toString();
      expect(Buffer.from(replaceMembers(object, members)).toString()).toBe(expected);
      expect(replacedText(object, members)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
  expect(ofText).toBeGreaterThan(100);
});
