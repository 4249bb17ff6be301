import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import { NOTHING_SERVED } from '../money/served.ts';
import { openChatStream } from '../protocols/chat/stream-pass.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { destinationAt, upstreamNamed } from '../routing/routes.fixture.ts';
import { answering, listenRaw } from '../upstreams/raw-server.fixture.ts';
import { countTurns } from './stream-relay.fixture.ts';
import { type OpenLimits, openStream, readAnswerBytes, tierIn, usable } from './upstream-answer.ts';

const FIRST_BYTE_MS = 1_000;
const limitsWith = (clock = manualClock()): OpenLimits => ({
  clock,
  maxAnswerBytes: 1_000,
  firstByteTimeoutMs: FIRST_BYTE_MS,
  idleTimeoutMs: 1_000,
  context: { hidden: [], model: null },
});

const pass = () =>
  openChatStream({
    requestId: 'req_01X',
    createdSeconds: 1_790_000_000,
    model: 'm',
    includeUsage: false,
    maxEventBytes: 1_000,
    quirks: NO_QUIRKS,
  });

/** A stream of these texts. If `end` is true, it is closed after them; if not, it stays open. */
const streaming = (texts: readonly string[], end = false, type = 'text/event-stream'): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
        if (end) controller.close();
      },
    }),
    { headers: { 'content-type': type } },
  );

async function codeOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  return thrown instanceof GatewayError ? thrown.code : `no GatewayError: ${thrown}`;
}

const open = (response: Response, limits = limitsWith()) =>
  openStream(response, pass(), limits, () => undefined);

const WORDS =
  'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"hi"},"finish_reason":null}]}\n\n';

test('a stream opens with its first event; comments do not count', async () => {
  let firstBytes = 0;
  const opened = await openStream(
    streaming([': wait\n\n', ': still\n\n', WORDS]),
    pass(),
    limitsWith(),
    () => {
      firstBytes += 1;
    },
  );
  expect(new TextDecoder().decode(opened.first)).toContain('"content":"hi"');
  expect(firstBytes).toBeGreaterThan(0);
});

test('other requests run while a flood of comments is read', async () => {
  const flood = Array.from({ length: 40 }, () => ': wait\n\n'.repeat(2_000));
  const turns = countTurns();
  await openStream(streaming([...flood, WORDS]), pass(), limitsWith(), () => undefined);
  expect(turns.end()).toBeGreaterThan(5);
});

test.each([
  ['an error event', streaming(['data: {"error":{"message":"no"}}\n\n']), 'upstream_failed'],
  [
    'words with an error behind them',
    streaming([`${WORDS}data: {"error":{"message":"no"}}\n\n`]),
    'upstream_failed',
  ],
  [
    'an error of being overloaded',
    streaming(['data: {"error":{"message":"no","type":"overloaded_error"}}\n\n']),
    'upstream_overloaded',
  ],
  ['no event at all', streaming([], true), 'upstream_truncated'],
  ['half an event', streaming(['data: {"id":'], true), 'upstream_truncated'],
  ['HTML', streaming(['<html>'], true, 'text/html'), 'upstream_failed'],
  ['JSON', streaming([WORDS], true, 'application/json'), 'upstream_failed'],
] as const)('a stream that begins with %s cannot be used', async (_what, response, code) => {
  expect(await codeOf(open(response))).toBe(code);
});

test('reports a stream that breaks before its first event as truncated', async () => {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('ECONNRESET')),
  });
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  expect(await codeOf(open(response))).toBe('upstream_truncated');
});

test('times out without a first event, even if comments come', async () => {
  const clock = manualClock();
  const code = codeOf(open(streaming([': wait\n\n']), limitsWith(clock)));
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(FIRST_BYTE_MS);
  expect(await code).toBe('upstream_timeout');
});

test('refuses a non-streaming answer that reports an error', () => {
  const facts = { usage: null, served: NOTHING_SERVED, outputBytes: 0, finishReason: null };
  const error = { type: null, code: null, message: 'no' };
  const failing = { facts: { ...facts, error }, write: () => '' };
  const to = destinationAt(upstreamNamed('there'));
  expect(() => usable(failing, to)).toThrow(expect.objectContaining({ code: 'upstream_failed' }));
});

const LIMIT = 1000;
const IDLE_MS = 5_000;
const limits = { clock: manualClock(), maxAnswerBytes: LIMIT, idleTimeoutMs: IDLE_MS };

const inPieces = (pieces: readonly number[], headers: Record<string, string> = {}): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const size of pieces) controller.enqueue(new Uint8Array(size).fill(size % 256));
        controller.close();
      },
    }),
    { headers },
  );

test('reads an answer of exactly the limit, in any number of chunks', async () => {
  for (const response of [
    inPieces([LIMIT]),
    inPieces([400, 300, 300]),
    inPieces([LIMIT], { 'content-length': String(LIMIT) }),
  ]) {
    expect(await readAnswerBytes(response, limits)).toHaveLength(LIMIT);
  }
});

test('joins chunks in order', async () => {
  expect([...(await readAnswerBytes(inPieces([1, 2, 3]), limits))]).toEqual([1, 2, 2, 3, 3, 3]);
});

test('reads a missing body as empty', async () => {
  expect(await readAnswerBytes(new Response(null), limits)).toHaveLength(0);
});

test('refuses one byte over the limit, declared or not, and clients need not retry', async () => {
  const declared = inPieces([1], { 'content-length': String(LIMIT + 1) });
  for (const response of [inPieces([LIMIT, 1]), declared]) {
    const refused = await readAnswerBytes(response, limits).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: 'upstream_failed', retryable: false });
  }
});

test('limits a chunked answer whose content-length is too small', async () => {
  const chunk = `${LIMIT.toString(16)}\r\n${'x'.repeat(LIMIT)}\r\n`;
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n';
  const server = await listenRaw(answering(`${head}${chunk}${chunk}0\r\n\r\n`));
  try {
    expect(await codeOf(readAnswerBytes(await fetch(server.url), limits))).toBe('upstream_failed');
  } finally {
    await server.close();
  }
});

test('measures a compressed answer after decompression', async () => {
  const packed = Bun.gzipSync(new Uint8Array(50 * LIMIT));
  expect(packed.byteLength).toBeLessThan(LIMIT);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(packed, { headers: { 'content-encoding': 'gzip' } }),
  });
  try {
    const response = await fetch(server.url);
    expect(await codeOf(readAnswerBytes(response, limits))).toBe('upstream_failed');
  } finally {
    await server.stop(true);
  }
});

test('reports an answer that breaks off as truncated', async () => {
  const broken = new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(10)),
      pull: (controller) => controller.error(new Error('ECONNRESET')),
    }),
  );
  expect(await codeOf(readAnswerBytes(broken, limits))).toBe('upstream_truncated');
});

test('times out on silence within an answer; each chunk restarts the timeout', async () => {
  const clock = manualClock();
  let upstream: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      upstream = controller;
    },
  });
  const code = codeOf(readAnswerBytes(new Response(body), { ...limits, clock }));
  for (let piece = 0; piece < 3; piece++) {
    clock.advance(IDLE_MS - 1);
    (upstream as ReadableStreamDefaultController<Uint8Array> | null)?.enqueue(new Uint8Array(1));
    await new Promise((resolve) => setImmediate(resolve));
  }
  clock.advance(IDLE_MS);
  expect(await code).toBe('upstream_timeout');
});

test.each([
  ['one name', ['Priority'], 'Priority'],
  ['a repeated header', ['priority', 'standard'], null],
  ['a long name', ['x'.repeat(257)], null],
  ['no header', [], null],
])('reads the tier of %s', (_what, values, tier) => {
  const headers = new Headers(values.map((value): [string, string] => ['x-tier', value]));
  const quirks = { ...NO_QUIRKS, tierHeader: 'x-tier' };
  expect(tierIn(new Response('', { headers }), { quirks })).toBe(tier);
});
