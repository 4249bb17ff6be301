import { expect, test } from 'bun:test';
import { stepOf } from './totp.ts';

/**
 * The secret of RFC 6238, appendix B. The RFC lists codes of eight digits; the tests use their last
 * six.
 */
const SECRET = '12345678901234567890';

test('finds the step of a code within the tolerated clock difference', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [20_000_000_000, '353130'],
  ] as const) {
    const step = Math.floor(seconds / 30);
    for (const away of [-1, 0, 1]) {
      expect(stepOf(code, SECRET, (seconds + away * 30) * 1_000)).toBe(step);
    }
    expect(stepOf(code, SECRET, (seconds + 60) * 1_000)).toBeNull();
  }
});
