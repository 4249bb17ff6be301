import { describe, expect, test } from 'bun:test';
import { finished, settledFor } from './finished.fixture.ts';
import { type LineLevel, lineLevel, requestLine } from './log.ts';
import type { FinishedRequest } from './request-journal.ts';

const isModel = (id: string): boolean => id === 'gen';
const refused = finished({
  status: 429,
  errorCode: 'rate_limit_exceeded',
  end: 'refused',
  settled: null,
});

describe('the line of a request', () => {
  test('has the same fields in the same order for every outcome', () => {
    const names = Object.keys(requestLine(finished(), isModel));
    expect(Object.keys(requestLine(refused, isModel))).toEqual(names);
    expect(names).toContain('cost');
    for (const value of Object.values(requestLine(finished(), isModel)))
      expect(['string', 'number', 'boolean', 'object']).toContain(typeof value);
  });

  test('lists the attempts in order', () => {
    const tried = { channel: 'direct', upstream: 'a', model: 'm', startMs: 0, durationMs: 12 };
    const settled = settledFor('req_1', {
      attempts: [
        { ...tried, result: '503' },
        { ...tried, upstream: 'b', result: '200', startMs: 13, durationMs: 400 },
      ],
    });
    expect(requestLine(finished({ settled }), isModel)['attempts']).toBe(
      'direct a/m 503 0+12ms, direct b/m 200 13+400ms',
    );
  });

  test('contains no unknown names from the caller', () => {
    const asked = { model: 'my secret', channel: 'my secret', stream: true };
    const line = requestLine(finished({ ...refused, asked }), isModel);
    expect(line).toMatchObject({ model: null, channel_requested: 'unknown', stream: true });
    const known = { model: 'gen', channel: 'stable', stream: false };
    expect(requestLine(finished({ ...refused, asked: known }), isModel)).toMatchObject({
      model: 'gen',
      channel_requested: 'stable',
    });
  });

  test('truncates the finish reason of an upstream', () => {
    const settled = settledFor('req_1', { finishReason: 'x'.repeat(1_000) });
    expect(requestLine(finished({ settled }), isModel)['finish_reason']).toBe('x'.repeat(64));
  });

  test('has few values when nothing is charged', () => {
    const line = requestLine(finished({ endpoint: null, settled: null, end: 'answered' }), isModel);
    expect(line).not.toHaveProperty('cost');
    expect(line).toMatchObject({ outcome: 'answered', duration_ms: 121 });
  });
});

describe('the level of a line', () => {
  test.each<[LineLevel, Partial<FinishedRequest>]>([
    ['error', { status: 502, end: 'upstream_error' }],
    ['error', { status: 503, end: 'failed', settled: null }],
    ['error', { end: 'not_booked' }],
    ['error', { end: 'gateway_error' }],
    ['warn', { status: 401, end: 'refused', settled: null }],
    ['warn', { end: 'upstream_truncated' }],
    ['warn', { end: 'shutdown' }],
    ['warn', { status: 503, end: 'failed', errorCode: 'shutting_down', settled: null }],
    ['info', { status: 499, end: 'caller_left' }],
    ['info', { end: 'length' }],
    ['info', {}],
  ])('%s for %p', (level, given) => {
    expect(lineLevel(finished(given))).toBe(level);
  });
});
