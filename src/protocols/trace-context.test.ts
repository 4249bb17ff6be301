import { describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { attemptSpanId, traceOf, traceparent } from './trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const KEPT = `00-${TRACE}-${PARENT}-01`;
const always = { keepsNew: () => true };
const clock = manualClock();

describe('the trace of a request', () => {
  test("is the caller's, with our own span", () => {
    const trace = traceOf(KEPT, clock, always);
    expect(trace).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, sampled: true });
    expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(trace.spanId).not.toBe(PARENT);
  });

  test.each([
    ['none', null],
    ['an empty one', ''],
    ['the invalid version ff', `ff-${TRACE}-${PARENT}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['more than version 00 has', `${KEPT}-more`],
    ['what follows without a dash', `01-${TRACE}-${PARENT}-01more`],
    ['two at once', `${KEPT}, ${KEPT}`],
  ])('is new when the header is %s', (_what, header) => {
    const trace = traceOf(header, clock, always);
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(trace.traceId).not.toBe(TRACE);
    expect(trace.parentSpanId).toBeNull();
  });

  test.each([
    ['01', true],
    ['00', false],
    ['03', true],
    ['fe', false],
  ])("follows the caller's flags %s about keeping it", (flags, sampled) => {
    const trace = traceOf(`00-${TRACE}-${PARENT}-${flags}`, clock, always);
    expect([trace.sampled, trace.recorded]).toEqual([sampled, sampled]);
  });

  test('of a later version is read by its known fields', () => {
    for (const header of [`01-${TRACE}-${PARENT}-01`, `cc-${TRACE}-${PARENT}-01-what-else`])
      expect(traceOf(header, clock)).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  });

  test('that starts here is sampled by the gateway', () => {
    const asked: string[] = [];
    const trace = traceOf(null, clock, { keepsNew: (id) => asked.push(id) > 1 });
    expect(asked).toEqual([trace.traceId]);
    expect([trace.sampled, trace.recorded]).toEqual([false, false]);
  });

  test('is different for every request', () => {
    const ids = Array.from({ length: 50 }, () => traceOf(null, clock));
    expect(new Set(ids.map(({ traceId }) => traceId)).size).toBe(50);
    expect(new Set(ids.map(({ spanId }) => spanId)).size).toBe(50);
  });
});

describe('the header for an upstream', () => {
  test('names the span of the attempt, different for each', () => {
    const trace = traceOf(KEPT, clock, always);
    expect(traceparent(trace, 0)).toBe(`00-${TRACE}-${attemptSpanId(trace, 0)}-01`);
    const spans = [trace.spanId, attemptSpanId(trace, 0), attemptSpanId(trace, 1)];
    expect(new Set(spans).size).toBe(3);
  });

  test("is the caller's own if nothing is recorded here", () => {
    expect(traceparent(traceOf(KEPT, clock, 'off'), 0)).toBe(KEPT);
    const unkept = `00-${TRACE}-${PARENT}-00`;
    expect(traceparent(traceOf(unkept, clock, always), 1)).toBe(unkept);
  });

  test('is absent when no trace is kept', () => {
    expect(traceparent(traceOf(null, clock, 'off'), 0)).toBeNull();
    expect(traceparent(traceOf(null, clock, { keepsNew: () => false }), 0)).toBeNull();
  });

  test('never names the all-zero span', () => {
    expect(attemptSpanId({ spanId: 'ffffffffffffffff' }, 0)).toBe('8000000000000000');
    expect(attemptSpanId({ spanId: '00000000000000ff' }, 1)).toBe('0000000000000101');
  });
});
