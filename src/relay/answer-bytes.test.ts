import { expect, test } from 'bun:test';
import { manualClock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { readAnswerBytes } from './answer-bytes.ts';

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

async function codeOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  return thrown instanceof GatewayError ? thrown.code : `no GatewayError: ${thrown}`;
}

test('an answer of exactly the limit is read, in one piece or many, declared or not', async () => {
  for (const response of [
    inPieces([LIMIT]),
    inPieces([400, 300, 300]),
    inPieces([LIMIT], { 'content-length': String(LIMIT) }),
  ]) {
    expect(await readAnswerBytes(response, limits)).toHaveLength(LIMIT);
  }
});

test('pieces are put together in order', async () => {
  expect([...(await readAnswerBytes(inPieces([1, 2, 3]), limits))]).toEqual([1, 2, 2, 3, 3, 3]);
});

test('no body is no bytes', async () => {
  expect(await readAnswerBytes(new Response(null), limits)).toHaveLength(0);
});

test('one byte over the limit is refused, declared or not', async () => {
  expect(await codeOf(readAnswerBytes(inPieces([LIMIT, 1]), limits))).toBe('upstream_failed');
  const declared = inPieces([1], { 'content-length': String(LIMIT + 1) });
  expect(await codeOf(readAnswerBytes(declared, limits))).toBe('upstream_failed');
});

test('a compressed answer is measured as it unpacks, whatever length it declares', async () => {
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

test('an answer that breaks off is truncated, never taken for whole', async () => {
  const broken = new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(10)),
      pull: (controller) => controller.error(new Error('ECONNRESET')),
    }),
  );
  expect(await codeOf(readAnswerBytes(broken, limits))).toBe('upstream_truncated');
});

test('silence within an answer ends it, however much came before; what comes begins it anew', async () => {
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
