import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { retryAfterSeconds } from './upstream-failure.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);

test.each([
  [{}, 5],
  [{ 'retry-after': '17' }, 17],
  [{ 'retry-after': '0' }, 1],
  [{ 'retry-after': '0.4' }, 1],
  [{ 'retry-after': '86400' }, 60],
  [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 1],
  [{ 'retry-after': 'soon' }, 5],
  [{ 'retry-after-ms': '2500', 'retry-after': '9' }, 3],
  [{ 'x-ratelimit-reset-requests': '12s' }, 12],
  [{ 'x-ratelimit-reset-tokens': '6m0s' }, 60],
  [{ 'x-ratelimit-reset-tokens': '120ms' }, 1],
  [{ 'x-ratelimit-reset-requests': '40s', 'x-ratelimit-reset-tokens': '3s' }, 3],
  [
    {
      'x-ratelimit-reset-requests': '40s',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-tokens': '3s',
      'x-ratelimit-remaining-tokens': '900',
    },
    40,
  ],
  [{ 'anthropic-ratelimit-tokens-reset': '2026-11-21T12:00:08Z' }, 8],
  [{ 'x-ratelimit-reset': String(NOW_MS + 21_000) }, 21],
  [{ 'x-ratelimit-reset': String(NOW_MS / 1000 + 33) }, 33],
])('%p waits %d seconds', (headers, seconds) => {
  expect(retryAfterSeconds(new Headers(headers), NOW_MS)).toBe(seconds);
});

test('returns whole seconds from 1 to 60 for any header', () => {
  const names = ['retry-after', 'retry-after-ms', 'x-ratelimit-reset', 'x-ratelimit-reset-tokens'];
  const value = fc.stringMatching(/^[\x21-\x7e]{1,20}$/);
  fc.assert(
    fc.property(fc.constantFrom(...names), value, (name, text) => {
      const seconds = retryAfterSeconds(new Headers({ [name]: text }), NOW_MS);
      expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
    }),
    { seed: 20261121 },
  );
});
