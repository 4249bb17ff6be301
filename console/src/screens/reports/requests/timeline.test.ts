import { expect, test } from 'bun:test';
import { speedOf, timelineOf } from './timeline.ts';

const attempt = (channel: string, result: string, start_ms: number, duration_ms: number) => ({
  ...{ channel, result, start_ms, duration_ms },
});

test('bars start and end with their attempts, then the answer', () => {
  const bars = timelineOf({
    attempts: [attempt('direct', 'upstream_timeout', 0, 500), attempt('stable', '200', 500, 100)],
    ...{ first_byte_ms: 600, duration_ms: 1000, channel: 'stable' },
  });
  expect(bars.map(({ kind, start, width }) => [kind, start, width])).toEqual([
    ['attempt', 0, 0.5],
    ['attempt', 0.5, 0.1],
    ['answer', 0.6, 0.4],
  ]);
  expect(bars.map(({ isFailure }) => isFailure)).toEqual([true, false, false]);
});

test('bars stay on the axis and stay visible', () => {
  const bars = timelineOf({
    attempts: [attempt('direct', '200', 0, 0), attempt('direct', '200', 2000, 10)],
    ...{ first_byte_ms: null, duration_ms: 100, channel: 'direct' },
  });
  expect(bars).toHaveLength(2);
  for (const { start, width } of bars) {
    expect(width).toBeGreaterThan(0);
    expect(start + width).toBeLessThanOrEqual(1);
  }
});

test('the speed is measured from the first token', () => {
  const request = { output_tokens: 50, first_byte_ms: 500, duration_ms: 1500, streamed: true };
  expect(speedOf(request)).toBe(50);
  expect(speedOf({ ...request, first_byte_ms: null })).toBeNull();
  expect(speedOf({ ...request, streamed: false })).toBeNull();
  expect(speedOf({ ...request, duration_ms: 500 })).toBeNull();
});
