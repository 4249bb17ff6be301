import { expect, test } from 'bun:test';
import { speedsOf } from './speed.ts';

const request = (model: string, first_byte_ms: number | null, more = {}) => ({
  ...{ at: '2026-11-21T23:59:59.999Z', model, key_id: 'key_a', channel: 'direct' as const },
  ...{ streamed: true, first_byte_ms, duration_ms: (first_byte_ms ?? 0) + 1_000 },
  ...{ output_tokens: 50, ...more },
});

test('the median of an odd and of an even number of streams', () => {
  const three = [request('a', 300), request('a', 100), request('a', 9_000)];
  expect(speedsOf(three, ['model']).of(['a'])).toEqual({ firstTokenMs: 300, perSecond: 50 });
  const four = [...three, request('a', 200)];
  expect(speedsOf(four, ['model']).of(['a']).firstTokenMs).toBe(250);
});

test('answers that were not streamed or have no first byte are not counted', () => {
  const others = [request('a', 5, { streamed: false }), request('a', null), request('a', 100)];
  expect(speedsOf(others, ['model']).all.firstTokenMs).toBe(100);
  expect(speedsOf([], []).all).toEqual({ firstTokenMs: null, perSecond: null });
});

test('groups have one or two dimensions', () => {
  const requests = [
    request('a', 100),
    request('a', 200, { key_id: 'key_b' }),
    request('b', 400, { output_tokens: 100 }),
  ];
  const speeds = speedsOf(requests, ['model', 'key']);
  expect(speeds.of(['a', 'key_b']).firstTokenMs).toBe(200);
  expect(speeds.of(['b', 'key_a']).perSecond).toBe(100);
  expect(speeds.of(['b', 'key_b'])).toEqual({ firstTokenMs: null, perSecond: null });
  expect(speedsOf(requests, ['day']).of(['2026-11-21']).firstTokenMs).toBe(200);
});
