import { expect, test } from 'bun:test';
import { nano } from '../money/amount.ts';
import { extendRefusal, holdRefusal } from './hold-refusal.ts';

const ASKED = {
  requestId: 'req_1',
  currency: 'USD',
  atLeast: nano(400_000_000n),
  worstCase: nano(9_000_000_000n),
  price: { affordable: () => ({ affordable_max_tokens: 7 }) },
} as const;

test('a second request of a careful account gets 429 with the wait and the reason', () => {
  const error = holdRefusal({ status: 'one_at_a_time' }, ASKED);
  expect([error.code, error.status]).toEqual(['one_request_at_a_time', 429]);
  expect([error.retryable, error.retryAfterSeconds]).toEqual([true, 5]);
  expect(error.message).toContain('A recent answer cost more than the amount held for it');
  expect(error.message).toContain('Wait until it ends, then retry.');
});

test('a balance of which a silent node keeps a part gets 402 with the time to retry', () => {
  const refused = { status: 'balance_too_low', available: nano(100_000_000n) } as const;
  const error = holdRefusal({ ...refused, isPartial: true }, ASKED);
  expect([error.code, error.retryAfterSeconds]).toEqual(['insufficient_balance', 15]);
  expect(error.message).toContain('reserved by an unresponsive node of this gateway');
  expect(error.extra).toMatchObject({ available: '0.10' });
  expect(holdRefusal(refused, ASKED).retryAfterSeconds).toBeNull();
  expect(extendRefusal({ ...refused, isPartial: true }).retryAfterSeconds).toBe(15);
});

test('amounts have no trailing zeros, which clients would take for the status 500', () => {
  const available = nano(5_000_000n);
  const asked = { ...ASKED, atLeast: nano(10_485_000n) };
  for (const refused of [
    { status: 'balance_too_low', available },
    { status: 'cap_reached', owner: 'key', window: 'day', available },
    { status: 'worst_case_too_low', available },
  ] as const) {
    const { message, extra } = holdRefusal(refused, asked);
    expect(`${message} ${JSON.stringify(extra)}`).not.toMatch(/429|500|502|503|504|524/);
    expect(message).toContain('0.005 USD');
  }
});

test('a worst case that is not covered gets 402 with what is needed and available', () => {
  const available = nano(5_000_000_000n);
  const error = holdRefusal({ status: 'worst_case_too_low', available }, ASKED);
  expect([error.code, error.status]).toEqual(['insufficient_balance', 402]);
  expect(error.message).toContain('9.00 USD, and 5.00 USD is available.');
  expect(error.extra).toEqual({
    currency: 'USD',
    available: '5.00',
    required: '9.00',
  });
});

test('an answer that a limit ends names the limit', () => {
  const available = nano(0n);
  const reached = { status: 'cap_reached', owner: 'member', window: 'month', available } as const;
  const error = extendRefusal(reached);
  expect([error.code, error.extra]).toEqual(['spend_limit_reached', { limit: 'member_month' }]);
  expect(error.message).toContain('the member who created this API key was reached during');
});
