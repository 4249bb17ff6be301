import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../errors.ts';
import { JsonScan } from './scan.ts';

/** Returns the refusal of a body that arrives in pieces, or `accepted`. */
function scanned(body: string, pieceBytes = body.length): string {
  const bytes = new TextEncoder().encode(body);
  const scan = new JsonScan({ maxDepth: 64, uniqueKeys: true });
  try {
    for (let end = pieceBytes; end < bytes.byteLength; end += pieceBytes) scan.advance(bytes, end);
    scan.finish(bytes, bytes.byteLength);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown.message;
    throw thrown;
  }
  return 'accepted';
}

const TWICE = (key: string) =>
  `The key "${key}" appears twice in an object of the body. Send it once.`;

describe('a key that an object has twice is refused', () => {
  test.each([
    ['{"tools":[{"type":"custom","type":"web_search_20260318"}]}', 'type'],
    ['{"stream_options":{"include_usage":false,"include_usage" : true}}', 'include_usage'],
    ['{"tools":[{"model":"a","mod\\u0065l":"b"}]}', 'model'],
    ['{"tools":[{"mod\\u0065l":"a","model":"b"}]}', 'model'],
    ['{"a":{"x\\"y":1,"z":[{"q":1}],"x\\"y":2}}', 'x"y'],
    ['{"a":{"":1,"":2}}', ''],
    ['{"a":[[{"b":{"c":1},"d":"\\\\","b":2}]]}', 'b'],
  ])('%s', (body, key) => {
    for (const pieceBytes of [1, 7, body.length])
      expect(scanned(body, pieceBytes)).toBe(TWICE(key));
  });

  test('also among many keys, and keys of equal hash', () => {
    const keys = Array.from({ length: 100 }, (_, index) => `"k${index}":1`);
    expect(scanned(`{"a":{${keys.join()}}}`)).toBe('accepted');
    expect(scanned(`{"a":{${[...keys, '"k7":2'].join()}}}`)).toBe(TWICE('k7'));
    expect(scanned('{"a":{"Aa":1,"BB":2,"AaBB":3,"BBAa":4,"AaAa":5}}')).toBe('accepted');
  });
});

test.each([
  '{"a":{"x":1},"b":{"x":1}}',
  '{"a":{"x":{"x":{"x":[{"x":1},{"x":1}]}},"y":"x"}}',
  '{"a":["x","x",{"x":"x"}],"b":{"key":"a:b","c":"\\"key\\":1"}}',
])('the same key in different objects is accepted: %s', (body) => {
  expect(scanned(body)).toBe('accepted');
});

test('whatever JSON.stringify writes is accepted', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      expect(scanned(JSON.stringify(value))).toBe('accepted');
    }),
    { seed: 20_261_122, numRuns: 500 },
  );
});
