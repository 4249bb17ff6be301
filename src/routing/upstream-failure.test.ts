import { describe, expect, test } from 'bun:test';
import {
  describeFailure,
  MAX_ERROR_BODY_BYTES,
  maskSecrets,
  upstreamFailure,
} from './upstream-failure.ts';

const body = (error: Record<string, unknown>): string => JSON.stringify({ error });

describe('what an upstream status means to the caller', () => {
  test('a bad request is passed on with its words and its place', () => {
    const error = describeFailure(
      400,
      body({ message: 'temperature is too high', param: 'temperature' }),
      null,
    );
    expect([error.status, error.code, error.message, error.param]).toEqual([
      400,
      'upstream_rejected_request',
      'temperature is too high',
      'temperature',
    ]);
  });

  test('a prompt that is too long is told as that, in either dialect', () => {
    const openai = describeFailure(
      400,
      body({ message: 'too many', code: 'context_length_exceeded' }),
      null,
    );
    const anthropic = describeFailure(
      400,
      body({ message: 'prompt is too long: 1200000 tokens' }),
      null,
    );
    expect([openai.code, anthropic.code]).toEqual([
      'context_length_exceeded',
      'context_length_exceeded',
    ]);
  });

  test.each([401, 402, 403])('%d blames nobody outside and names no account', (status) => {
    const error = describeFailure(status, body({ message: 'bad key sk-live-1234567890' }), null);
    expect(error.code).toBe('upstream_refused_us');
    expect(error.status).toBe(502);
    expect(error.message).not.toContain('sk-live');
  });

  test.each([
    [429, '17', 17],
    [503, null, 5],
    [529, '0', 1],
    [429, '86400', 60],
    [429, 'Wed, 21 Oct 2026 07:28:00 GMT', 5],
  ])('%d with retry-after %p waits %d seconds', (status, header, seconds) => {
    const error = describeFailure(status, '', header);
    expect([error.code, error.retryAfterSeconds]).toEqual(['upstream_overloaded', seconds]);
  });

  test('HTML from a proxy is a failure of the upstream and leaks nothing', () => {
    const error = describeFailure(400, '<html>nginx at 10.0.0.7</html>', null);
    expect(error.code).toBe('upstream_failed');
    expect(error.message).not.toContain('nginx');
  });
});

test('addresses, keys and organisations are masked', () => {
  const masked = maskSecrets(
    'see https://api.example.com/v1?x=1, key sk-proj-abcdef123456, org-AbCdEf123, host 10.1.2.3:8080',
  );
  expect(masked).toBe('see [address] key [hidden], [hidden], host [address]');
});

test('an endless error body is read only so far', async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(16 * 1024));
    },
  });
  const error = await upstreamFailure(new Response(endless, { status: 500 }), []);
  expect(error.code).toBe('upstream_failed');
  expect(pulled * 16 * 1024).toBeLessThanOrEqual(2 * MAX_ERROR_BODY_BYTES);
});

test("the upstream's own host and key are hidden, whatever they look like", async () => {
  const message = 'gw.corp.example:8443 does not know hunter2';
  const answer = new Response(JSON.stringify({ error: { message } }), { status: 400 });
  const error = await upstreamFailure(answer, ['gw.corp.example:8443', 'hunter2']);
  expect(error.message).toBe('[hidden] does not know [hidden]');
});
