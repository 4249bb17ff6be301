import { expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import { TookTooLong } from './deadlines.ts';
import { verdictOf } from './verdict.ts';

test('what an upstream does wrong counts against its route, with the reason for the operator', () => {
  const cause = new Error('reset by peer');
  const cut = new GatewayError('upstream_truncated', 'Cut.', { cause });
  expect(verdictOf('upstream_truncated', cut)).toEqual({
    kind: 'failure',
    code: 'upstream_truncated',
    cause: 'reset by peer',
  });
  expect(verdictOf('completed', null)).toEqual({ kind: 'success' });
});

test('what callers do, and what is our own affair, says nothing of it', () => {
  for (const outcome of ['caller_left', 'length', 'revoked', 'shutdown', 'gateway_error'] as const)
    expect(verdictOf(outcome, null)).toEqual({ kind: 'unknown' });
  const refused = new GatewayError('content_policy_violation', 'No.');
  expect(verdictOf('upstream_error', refused)).toEqual({ kind: 'unknown' });
  // A caller who reads slowly can make any answer take too long.
  expect(verdictOf('upstream_timeout', new TookTooLong())).toEqual({ kind: 'unknown' });
});
