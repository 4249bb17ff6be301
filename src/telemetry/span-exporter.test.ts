import { beforeEach, describe, expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { nextTurn } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import type { Span } from './otlp.ts';
import {
  BATCH_MS,
  FLUSH_LIMIT_MS,
  MAX_BATCH_SPANS,
  MAX_QUEUED_SPANS,
  RETRY_MS,
  SpanExporter,
  TIMEOUT_MS,
} from './span-exporter.ts';

type Asked = {
  readonly spans: number;
  readonly headers: Headers;
  readonly answer: (response: Response) => void;
};

let clock: ManualClock;
let asked: Asked[];
let changes: (string | null)[];
let exporter: SpanExporter;
beforeEach(() => {
  clock = manualClock();
  asked = [];
  changes = [];
  exporter = new SpanExporter({
    clock,
    url: 'http://collector/v1/traces',
    headers: { 'x-token': new Secret('hush') },
    resource: { serviceName: 's', version: '1', instanceId: 'i' },
    fetch: (_url, { body, headers, signal }) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
        const { spans } = JSON.parse(String(body)).resourceSpans[0].scopeSpans[0];
        asked.push({ spans: spans.length, headers: new Headers(headers), answer: resolve });
      }),
    onChange: (failure) => changes.push(failure),
  });
});

const spans = (count: number): readonly Span[] =>
  Array.from({ length: count }, () => ({
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    parentSpanId: null,
    name: 'x',
    kind: 'server',
    startMs: 0,
    endMs: 1,
    attributes: {},
    events: [],
    isError: false,
  }));
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await nextTurn();
}
/** Answers the latest export request with this status. */
async function answer(status: number, body: object | null = null): Promise<void> {
  asked.at(-1)?.answer(new Response(body && JSON.stringify(body), { status }));
  await nextTurn();
}
const sizes = (): readonly number[] => asked.map((each) => each.spans);

describe('spans', () => {
  test('are sent in batches after a second, with the configured headers', async () => {
    exporter.add(spans(1));
    exporter.add(spans(2));
    await advance(BATCH_MS - 1);
    expect(sizes()).toEqual([]);
    await advance(1);
    expect(sizes()).toEqual([3]);
    expect(asked[0]?.headers.get('x-token')).toBe('hush');
    await answer(200);
    await advance(60_000);
    expect(sizes()).toEqual([3]);
    expect(changes).toEqual([]);
  });

  test('fill batches that are sent at once, one after the other', async () => {
    exporter.add(spans(MAX_BATCH_SPANS + 5));
    expect(sizes()).toEqual([MAX_BATCH_SPANS]);
    await advance(BATCH_MS);
    expect(sizes()).toEqual([MAX_BATCH_SPANS]);
    await answer(200);
    await advance(0);
    expect(sizes()).toEqual([MAX_BATCH_SPANS, 5]);
  });

  test('are queued while the collector is unavailable, which is reported once', async () => {
    exporter.add(spans(3));
    await advance(BATCH_MS);
    await answer(503);
    expect(changes).toEqual(['it answered 503']);
    exporter.add(spans(MAX_BATCH_SPANS));
    await advance(RETRY_MS - 1);
    expect(sizes()).toEqual([3]);
    await advance(1);
    expect(sizes()).toEqual([3, MAX_BATCH_SPANS]);
    await answer(429);
    expect(changes).toHaveLength(1);
    await advance(RETRY_MS);
    await answer(200);
    expect(changes).toEqual(['it answered 503', null]);
    await advance(0);
    await answer(200);
    expect(sizes()).toEqual([3, MAX_BATCH_SPANS, MAX_BATCH_SPANS, 3]);
    expect(exporter.dropped).toBe(0);
  });

  test('that it refuses for good are dropped and counted', async () => {
    exporter.add(spans(3));
    await advance(BATCH_MS);
    await answer(401);
    expect(changes).toEqual(['it answered 401']);
    await advance(RETRY_MS);
    expect(sizes()).toEqual([3]);
    expect(exporter.dropped).toBe(3);
  });

  test('that an answer of success rejects are counted, reported once, and not sent again', async () => {
    const partialSuccess = { rejectedSpans: '2', errorMessage: 'the quota is used up' };
    for (const body of [{ partialSuccess }, { partialSuccess }, { partialSuccess: {} }]) {
      exporter.add(spans(3));
      await advance(BATCH_MS);
      await answer(200, body);
    }
    expect(changes).toEqual(['it rejected 2 spans: the quota is used up', null]);
    expect(sizes()).toEqual([3, 3, 3]);
    expect(exporter.dropped).toBe(4);
  });

  test('that time out are sent again', async () => {
    exporter.add(spans(3));
    await advance(BATCH_MS);
    await advance(TIMEOUT_MS);
    expect(changes).toEqual(['it did not answer in time']);
    await advance(RETRY_MS);
    expect(sizes()).toEqual([3, 3]);
  });

  test('beyond the queue are dropped and counted', async () => {
    exporter.add(spans(MAX_BATCH_SPANS));
    exporter.add(spans(MAX_QUEUED_SPANS));
    expect(exporter.dropped).toBe(0);
    exporter.add(spans(2));
    expect(exporter.dropped).toBe(2);
    await answer(503);
    expect(exporter.dropped).toBe(2 + MAX_BATCH_SPANS);
  });
});

describe('at the end', () => {
  test('sends the rest', async () => {
    exporter.add(spans(MAX_BATCH_SPANS - 1));
    exporter.add(spans(MAX_BATCH_SPANS));
    const closed = exporter.close();
    await answer(200);
    clock.advance(0);
    await answer(200);
    await closed;
    expect(sizes()).toEqual([MAX_BATCH_SPANS, MAX_BATCH_SPANS - 1]);
    expect(exporter.dropped).toBe(0);
  });

  test('does not wait for a collector that does not answer', async () => {
    exporter.add(spans(3));
    const closed = exporter.close();
    await advance(FLUSH_LIMIT_MS);
    await closed;
    expect(exporter.dropped).toBe(3);
    await advance(60_000);
    expect(sizes()).toEqual([3]);
  });
});
