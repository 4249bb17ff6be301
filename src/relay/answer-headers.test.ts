import { expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';
import { smallCatalogue } from './admission.fixture.ts';
import { addAnswerHeaders, withAttempts } from './sale.ts';

const channel = smallCatalogue().models.get('gen-usd')?.channels.get('direct');
if (channel === undefined) throw new Error('the fixture has changed');

const attempt = (channelName: string, result: string): AttemptRecord => ({
  channel: channelName,
  upstream: 'secret-upstream',
  model: 'secret-model',
  result,
  startMs: 0,
  durationMs: 1,
});
const attempts = [attempt('economical', 'upstream_timeout'), attempt('direct', '200')];
const added = (about: Parameters<typeof addAnswerHeaders>[1]): Record<string, string> => {
  const headers = {};
  addAnswerHeaders(headers, about);
  return headers;
};
const headers = (requested: string | null, tried: readonly AttemptRecord[] = attempts) =>
  added({
    requested,
    channel,
    attempts: tried,
    limits: { 'x-ratelimit-limit-requests': '5' },
    contentType: 'application/json',
  });

test('an answer has headers for channel, price card, attempts and rate limits', () => {
  expect(headers('stable')).toEqual({
    'content-type': 'application/json',
    'x-attempts': 'economical:upstream_timeout, direct:200',
    'x-channel': 'direct',
    'x-channel-requested': 'stable',
    'x-price-card': 'card_direct',
    'x-ratelimit-limit-requests': '5',
  });
});

test('echoes the requested channel only when it is short and printable', () => {
  for (const asked of [null, '', 'a b', 'é', 'x'.repeat(65), 'a\nb'])
    expect(headers(asked)).not.toHaveProperty('x-channel-requested');
});

test('names no channel or price while another channel may still serve', () => {
  const about = { requested: 'stable', channel: null, attempts: [], limits: {} };
  expect(added({ ...about, contentType: 'text/event-stream' })).toEqual({
    'content-type': 'text/event-stream',
    'x-channel-requested': 'stable',
  });
});

test('omits the attempts before the first', () => {
  expect(headers(null, [])).not.toHaveProperty('x-attempts');
});

test('adds the attempts to a failure without changing it or naming upstreams', () => {
  const cause = new Error('why');
  const failure = new GatewayError('upstream_overloaded', 'Busy.', {
    retryAfterSeconds: 7,
    headers: { 'x-a': '1' },
    extra: { more: 1 },
    param: 'p',
    cause,
  });
  const failed = withAttempts(failure, attempts);
  expect(failed).toMatchObject({
    code: 'upstream_overloaded',
    message: 'Busy.',
    param: 'p',
  });
  expect(failed.cause).toBe(cause);
  expect([failed.retryAfterSeconds, failed.retryable, failed.extra]).toEqual([
    7,
    true,
    { more: 1 },
  ]);
  expect(failed.headers).toEqual({
    'x-a': '1',
    'x-attempts': 'economical:upstream_timeout, direct:200',
  });
  expect(JSON.stringify(failed.headers)).not.toContain('secret');
  const never = new GatewayError('upstream_failed', 'No.', { retryable: false });
  expect(withAttempts(never, []).retryable).toBe(false);
});
