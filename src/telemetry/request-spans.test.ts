import { describe, expect, test } from 'bun:test';
import type { AttemptRecord, Receipt } from '../ledger/ledger.ts';
import { NO_USAGE } from '../money/usage.ts';
import { attemptSpanId } from '../protocols/trace-context.ts';
import { finished, STARTED_MS, settledFor } from './finished.fixture.ts';
import { otlpBody, type Span } from './otlp.ts';
import { requestSpans } from './request-spans.ts';

const tried = (upstream: string, result: string, startMs: number): AttemptRecord => ({
  channel: 'direct',
  upstream,
  model: `${upstream}-model`,
  result,
  startMs,
  durationMs: 30,
});
const RECEIPT: Partial<Receipt> = {
  startedAtMs: STARTED_MS + 2,
  firstByteMs: 450,
  durationMs: 900,
  streamed: true,
  finishReason: 'stop',
  usage: { ...NO_USAGE, input: 10, cacheRead: 100, cacheWrite5m: 20, cacheWrite1h: 3, output: 7 },
  attempts: [tried('slow', 'upstream_timeout', 0), tried('fine', '200', 50)],
};
const providerOf = (upstream: string): string => `provider of ${upstream}`;
const spansOf = (given: Partial<Receipt> = {}, rest: Parameters<typeof finished>[0] = {}) =>
  requestSpans(
    finished({ settled: settledFor('req_1', { ...RECEIPT, ...given }), durationMs: 910, ...rest }),
    providerOf,
  );

describe('a request that failed over', () => {
  const [server, failed, served, ...others] = spansOf();

  test('is a server span with a client span per attempt', () => {
    expect(others).toEqual([]);
    expect(server).toMatchObject({ kind: 'server', spanId: '00000000000000f0' });
    expect(server).toMatchObject({ name: 'POST /v2/chat/completions', parentSpanId: null });
    for (const [index, client] of [failed, served].entries()) {
      expect(client).toMatchObject({
        kind: 'client',
        parentSpanId: server?.spanId,
        traceId: server?.traceId,
        spanId: attemptSpanId({ spanId: '00000000000000f0' }, index),
      });
    }
  });

  test('has the times of its receipt; the serving attempt lasts as long as its answer', () => {
    expect([server?.startMs, server?.endMs]).toEqual([STARTED_MS, STARTED_MS + 910]);
    expect([failed?.startMs, failed?.endMs]).toEqual([STARTED_MS + 2, STARTED_MS + 32]);
    expect([served?.startMs, served?.endMs]).toEqual([STARTED_MS + 52, STARTED_MS + 902]);
    expect(failed?.events).toEqual([]);
    expect(served?.events).toEqual([{ name: 'first_byte', atMs: STARTED_MS + 452 }]);
  });

  test('describes each attempt, and the usage of the one that served', () => {
    expect(failed?.attributes).toMatchObject({
      'gen_ai.provider.name': 'provider of slow',
      'error.type': 'upstream_timeout',
      'http.response.status_code': null,
    });
    expect(failed?.attributes).not.toHaveProperty(['gen_ai.usage.input_tokens']);
    expect(served?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'fine-model',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': { double: 0.4 },
      'gen_ai.usage.input_tokens': 133,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 100,
      'gen_ai.usage.cache_write.input_tokens': 23,
      'http.response.status_code': 200,
      'error.type': null,
    });
    expect([server?.isError, failed?.isError, served?.isError]).toEqual([false, true, false]);
  });
});

test('a broken stream is an error of the serving attempt and of the request', () => {
  const [server, , served] = spansOf(
    { outcome: 'upstream_truncated', errorCode: 'upstream_truncated' },
    { end: 'upstream_truncated' },
  );
  for (const span of [server, served]) {
    expect(span?.isError).toBe(true);
    expect(span?.attributes['error.type']).toBe('upstream_truncated');
  }
});

test('a disconnect or a refusal is not a server error', () => {
  const left = { outcome: 'caller_left', errorCode: 'caller_left' } as const;
  const [server, , served] = spansOf(left, { end: 'caller_left' });
  expect([server?.isError, served?.isError]).toEqual([false, false]);
  expect(server?.attributes['error.type']).toBeNull();
  const refused = finished({ status: 402, end: 'refused', settled: null });
  expect(requestSpans(refused, providerOf).map(({ isError }) => isError)).toEqual([false]);
});

test('an image has the tokens that its provider reported', () => {
  const images = { endpoint: 'images', streamed: false } as const;
  const usage = { ...NO_USAGE, input: 9, imageInput: 40, imageOutput: 300 };
  const [, , counted] = spansOf({ ...images, usage });
  expect(counted?.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 49,
    'gen_ai.usage.output_tokens': 300,
  });
  const [, , served] = spansOf({ ...images, usage: NO_USAGE });
  expect(served?.attributes).toMatchObject({
    'gen_ai.operation.name': 'generate_content',
    'gen_ai.output.type': 'image',
    'gen_ai.usage.input_tokens': null,
    'gen_ai.response.time_to_first_chunk': null,
  });
});

test('embeddings have input tokens alone', () => {
  const [, , served] = spansOf({ endpoint: 'embeddings', streamed: false });
  expect(served?.attributes).toMatchObject({
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.output.type': null,
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.usage.output_tokens': null,
  });
});

test('encodes a span as the protocol requires', () => {
  const span: Span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    parentSpanId: null,
    name: 'POST /x',
    kind: 'server',
    startMs: 1_790_000_000_000.25,
    endMs: 1_790_000_000_001,
    attributes: { text: 'é"', yes: true, count: 3, share: { double: 2 }, list: ['a'], no: null },
    events: [{ name: 'first_byte', atMs: 1_790_000_000_000.5 }],
    isError: true,
  };
  const resource = { serviceName: 's', version: '1', instanceId: 'i' };
  const { resourceSpans } = JSON.parse(otlpBody([span], resource));
  expect(resourceSpans[0].resource.attributes[0]).toEqual({
    key: 'service.name',
    value: { stringValue: 's' },
  });
  expect(resourceSpans[0].scopeSpans[0].spans).toEqual([
    {
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      flags: 1,
      name: 'POST /x',
      kind: 2,
      startTimeUnixNano: '1790000000000250000',
      endTimeUnixNano: '1790000000001000000',
      attributes: [
        { key: 'text', value: { stringValue: 'é"' } },
        { key: 'yes', value: { boolValue: true } },
        { key: 'count', value: { intValue: '3' } },
        { key: 'share', value: { doubleValue: 2 } },
        { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }] } } },
      ],
      events: [{ timeUnixNano: '1790000000000500000', name: 'first_byte' }],
      status: { code: 2 },
    },
  ]);
});
