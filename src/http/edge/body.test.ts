import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { MAX_KEYS } from '../../json/object-keys.ts';
import {
  BYTES_PER_VALUE,
  DOCUMENT_LIMITS,
  jsonIn,
  MAX_BODY_BYTES,
  MAX_BODY_FIELDS,
  MAX_CONVERSATION_VALUES,
  MAX_ESCAPES,
  MAX_JSON_DEPTH,
  MAX_KEY_BYTES,
  MAX_SHORT_ESCAPES,
  MAX_STRUCTURE_BYTES,
  MAX_VALUES,
  readBody,
  readJson,
  readScanned,
  scanMade,
} from './body.ts';
import { RequestBytes } from './request-bytes.ts';

const LIMIT = 1000;
/** The memory of one request body, reserved from a budget that never runs out. */
const FREE = new RequestBytes(Number.MAX_SAFE_INTEGER).open();
/**
 * A size far over the limit, but finite, so that a broken limit fails the test instead of hanging
 * it.
 */
const LONG_BODY = 100 * LIMIT;

/** A request whose body arrives in these chunks, without a declared length. */
function chunked(pieces: readonly (string | Uint8Array)[], type = 'application/json'): Request {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  return new Request('http://gateway/', {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });
}

const posted = (body: string, headers: Record<string, string> = {}): Request =>
  new Request('http://gateway/', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

async function failure(work: Promise<unknown>): Promise<GatewayError> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof GatewayError) return thrown;
  throw new Error(`expected a GatewayError, got ${thrown}`);
}

const padded = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

test('reads a body of exactly the limit, declared or not', async () => {
  const text = padded(LIMIT);
  expect(text.length).toBe(LIMIT);
  for (const request of [
    posted(text, { 'content-length': String(LIMIT) }),
    chunked([text.slice(0, 10), text.slice(10)]),
  ]) {
    expect(new TextDecoder().decode(await readBody(request, LIMIT, FREE))).toBe(text);
  }
});

test('refuses one byte over the limit and names the limit', async () => {
  const text = padded(LIMIT + 1);
  for (const request of [
    posted(text, { 'content-length': String(LIMIT + 1) }),
    chunked([text.slice(0, LIMIT), text.slice(LIMIT)]),
  ]) {
    const error = await failure(readBody(request, LIMIT, FREE));
    expect(error.code).toBe('request_too_large');
    expect(error.message).toContain(`limit of ${LIMIT} bytes`);
  }
});

test('refuses a declared length over the limit before reading', async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(10));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'application/json', 'content-length': '1001' };
  const request = new Request('http://gateway/', { method: 'POST', body, headers });
  expect((await failure(readBody(request, LIMIT, FREE))).code).toBe('request_too_large');
  expect(pulled).toBe(0);
});

test('cancels a long body at the limit', async () => {
  let sent = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        sent += 100;
        controller.enqueue(new Uint8Array(100));
        if (sent >= LONG_BODY) controller.close();
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request('http://gateway/', { method: 'POST', body });
  expect((await failure(readBody(request, LIMIT, FREE))).code).toBe('request_too_large');
  expect(cancelled).toBe(true);
  expect(sent).toBeLessThanOrEqual(LIMIT + 100);
});

test('keeps every byte while the buffer grows, at any chunking', async () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);
  for (const step of [7_919, 65_536, 200_000]) {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += step) pieces.push(bytes.slice(at, at + step));
    expect(await readBody(chunked(pieces), bytes.length, FREE)).toEqual(bytes);
  }
});

test('reads a request without a body as empty', async () => {
  const request = (): Request => new Request('http://gateway/', { method: 'POST' });
  expect(await readBody(request(), LIMIT, FREE)).toHaveLength(0);
  expect(await readJson(request(), LIMIT, FREE)).toEqual({});
  expect((await failure(readScanned(request(), LIMIT, FREE))).code).toBe('invalid_json');
});

test("reports a truncated body as the caller's disconnect", async () => {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new DOMException('The connection was closed.', 'AbortError'));
    },
  });
  const request = new Request('http://gateway/', { method: 'POST', body });
  const error = await failure(readBody(request, LIMIT, FREE));
  expect(error.code).toBe('caller_left');
  expect(error.cause).toBeInstanceOf(DOMException);
});

test('accepts every JSON media type, or none', async () => {
  for (const type of [
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/problem+json',
    ' application/json;charset=utf-8',
  ]) {
    expect(await readJson(chunked(['{"a":1}'], type), LIMIT, FREE)).toEqual({ a: 1 });
  }
  const untyped = chunked(['{"a":1}']);
  untyped.headers.delete('content-type');
  expect(await readJson(untyped, LIMIT, FREE)).toEqual({ a: 1 });
});

test('returns 415 for another media type', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    const error = await failure(readScanned(chunked(['{"a":1}'], type), LIMIT, FREE));
    expect(error.code).toBe('unsupported_media_type');
    expect(error.message).toBe(`Content-Type is ${type}; send the body as application/json.`);
  }
});

test('returns 415 for a compressed body, whatever it contains', async () => {
  for (const read of [readScanned, readJson]) {
    const request = chunked(['{"a":1}']);
    request.headers.set('content-encoding', 'gzip');
    const error = await failure(read(request, LIMIT, FREE));
    expect(error.code).toBe('unsupported_media_type');
    expect(error.message).toBe('Content-Encoding is gzip; send the body uncompressed.');
  }
  const plain = chunked(['{"a":1}']);
  plain.headers.set('content-encoding', 'Identity');
  expect(await readJson(plain, LIMIT, FREE)).toEqual({ a: 1 });
});

test(`accepts objects and lists nested ${MAX_JSON_DEPTH} deep and no deeper`, async () => {
  const nested = (depth: number): string =>
    `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
  expect(await readJson(posted(nested(MAX_JSON_DEPTH)), 10_000, FREE)).toBeObject();
  const error = await failure(readJson(posted(nested(MAX_JSON_DEPTH + 1)), 10_000, FREE));
  expect(error.code).toBe('invalid_json');
});

test('returns 400 for anything but a JSON object', async () => {
  for (const text of [' ', '[]', '"a"', '1', 'null', '{', '{"a":1', '{"a":1}x', '{a:1}']) {
    expect([text, (await failure(readJson(posted(text), LIMIT, FREE))).code]).toEqual([
      text,
      'invalid_json',
    ]);
  }
});

test('returns 400 for invalid UTF-8 instead of replacing it', async () => {
  const bytes = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0x22, 0x7d]);
  expect((await failure(readJson(chunked([bytes]), LIMIT, FREE))).code).toBe('invalid_json');
});

describe('a body that is small in bytes and expensive to parse', () => {
  const MIB = 1024 * 1024;
  const fields = (count: number): string =>
    Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
  /**
   * Returns an object with nested lists that the scan counts as `values` values: one per opening
   * bracket or brace, and one per comma.
   */
  const lists = (values: number): string => `{"a":[[]${',[]'.repeat((values - 4) / 2)},1]}`;

  test.each([
    ['fields', `{${fields(MAX_BODY_FIELDS)}}`, `{${fields(MAX_BODY_FIELDS + 1)}}`],
    ['values', lists(MAX_CONVERSATION_VALUES), lists(MAX_CONVERSATION_VALUES + 2)],
    ['long keys', `{"${'k'.repeat(MAX_KEY_BYTES)}":1}`, `{"${'k'.repeat(MAX_KEY_BYTES + 1)}":1}`],
    [
      'whitespace',
      `{${' '.repeat(MAX_STRUCTURE_BYTES - 2)}}`,
      `{${' '.repeat(MAX_STRUCTURE_BYTES - 1)}}`,
    ],
  ])('is refused by its %s', async (_what, most, more) => {
    await readScanned(posted(most), 32 * MIB, FREE);
    const error = await failure(readScanned(posted(more), 32 * MIB, FREE));
    expect(error.code).toBe('invalid_json');
    expect(error.message).toMatch(/more than|longer than/);
  });

  test('may have fewer values where no conversation is sent', async () => {
    const most = lists(MAX_VALUES);
    const more = lists(MAX_VALUES + 2);
    const says = `more than ${MAX_VALUES} values`;
    expect(await readJson(posted(most), MAX_BODY_BYTES, FREE)).toBeObject();
    expect((await failure(readJson(posted(more), MAX_BODY_BYTES, FREE))).message).toContain(says);
    expect((await failure(readScanned(posted(more), MAX_BODY_BYTES, FREE))).message).toContain(
      says,
    );
    const bytes = new TextEncoder().encode(more);
    expect((await failure(jsonIn(bytes, posted(''), MAX_BODY_BYTES, FREE))).message).toContain(
      says,
    );
  });

  test('that was already read has the limits of its route, and reserves its values', async () => {
    const bytes = new TextEncoder().encode(lists(MAX_VALUES + 2));
    let reserved = 0;
    const reserve = (total: number): void => {
      reserved = Math.max(reserved, total);
    };
    expect(await jsonIn(bytes, posted(''), 2 * MAX_BODY_BYTES, { reserve })).toBeObject();
    expect(reserved).toBeGreaterThan(bytes.byteLength + MAX_VALUES * BYTES_PER_VALUE);
    expect(await jsonIn(bytes, posted(''), MAX_BODY_BYTES, FREE, DOCUMENT_LIMITS)).toBeObject();
  });

  test('is canceled at the limit, long before it has arrived', async () => {
    const piece = new TextEncoder().encode('[],'.repeat(1_000));
    let sent = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          sent += 1;
          controller.enqueue(sent === 1 ? new TextEncoder().encode('{"a":[') : piece);
          if (sent > 1_000) controller.close();
        },
        cancel() {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const request = new Request('http://gateway/', { method: 'POST', body });
    expect((await failure(readScanned(request, 32 * MIB, FREE))).code).toBe('invalid_json');
    expect(cancelled).toBe(true);
    expect(sent * 1_000 * 2).toBeLessThan(MAX_CONVERSATION_VALUES + 5_000);
  });

  test('is refused by its escapes, which are slow to parse', async () => {
    const escaped = (count: number): string => `{"a":"${'\\n'.repeat(count)}"}`;
    await readScanned(posted(escaped(MAX_ESCAPES)), 32 * MIB, FREE);
    const error = await failure(readScanned(posted(escaped(MAX_ESCAPES + 1)), 32 * MIB, FREE));
    expect([error.code, error.message]).toEqual([
      'invalid_json',
      expect.stringContaining(`more than ${MAX_ESCAPES} escapes`),
    ]);
  });

  test('may have fewer escapes outside long strings, all of which are parsed', async () => {
    const short = `"${'\\n'.repeat(125)}"`;
    const escaped = (count: number): string =>
      `{"a":[${Array(count / 125)
        .fill(short)
        .join(',')}]}`;
    await readScanned(posted(escaped(MAX_SHORT_ESCAPES)), 32 * MIB, FREE);
    const more = posted(escaped(MAX_SHORT_ESCAPES + 125));
    expect((await failure(readScanned(more, 32 * MIB, FREE))).message).toContain(
      `more than ${MAX_SHORT_ESCAPES} escapes in keys and in strings of at most 256 bytes`,
    );
  });

  test('may have 10,000 keys in an object, and escapes in keys count as short', async () => {
    const keys = (count: number, end = ''): string =>
      Array.from({ length: count }, (_, at) => `"${at}${end}":1`).join(',');
    await readScanned(posted(`{"a":{${keys(MAX_KEYS)}}}`), 32 * MIB, FREE);
    const more = posted(`{"a":{${keys(MAX_KEYS + 1)}}}`);
    expect((await failure(readScanned(more, 32 * MIB, FREE))).message).toContain('10000 keys');
    const escaped = posted(`{"a":{${keys(600, '\\n'.repeat(500))}}}`);
    expect((await failure(readScanned(escaped, 32 * MIB, FREE))).message).toContain(
      `${MAX_SHORT_ESCAPES} escapes in keys`,
    );
  });

  test('reserves memory by its values', async () => {
    const budget = new RequestBytes(64 * MIB);
    const share = budget.open();
    const text = lists(10_000);
    await readScanned(posted(text), 32 * MIB, share);
    expect(budget.inFlight).toBe(text.length + 10_000 * BYTES_PER_VALUE);
    const late = new RequestBytes(MIB).open();
    const refused = await failure(readScanned(posted(text), 32 * MIB, late));
    expect(refused.code).toBe('rate_limit_exceeded');
  });

  test('lets other requests run while it is scanned', async () => {
    const turns: number[] = [];
    let isRead = false;
    const count = (): void => {
      if (isRead) return;
      turns.push(turns.length);
      setImmediate(count);
    };
    setImmediate(count);
    const text = `{"a":[${' '.repeat(3 * MIB)}]}`;
    const whole = posted(text, { 'content-length': String(text.length) });
    await readScanned(whole, 32 * MIB, FREE);
    expect(turns.length).toBeGreaterThanOrEqual(24);
    await readScanned(chunked([text.slice(0, MIB), text.slice(MIB)]), 32 * MIB, FREE);
    expect(turns.length).toBeGreaterThanOrEqual(48);
    isRead = true;
  });
});

test('a body made from another one counts with the memory that it needs', async () => {
  const budget = new RequestBytes(10_000);
  const share = budget.open();
  share.reserve(2_000);
  const made = (length: number) => scanMade(Buffer.from(`{"a":"${'x'.repeat(length)}"}`), share);
  await made(100);
  expect(budget.inFlight).toBe(2_000);
  expect((await made(5_000)).members.has('a')).toBe(true);
  expect(budget.inFlight).toBe(5_008 + BYTES_PER_VALUE);
  expect(await failure(made(10_000))).toMatchObject({ code: 'rate_limit_exceeded' });
  share.release();
  expect(budget.inFlight).toBe(0);
});
