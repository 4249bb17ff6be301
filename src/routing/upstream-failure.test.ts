import { describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import {
  describeFailure,
  MAX_ERROR_BODY_BYTES,
  MAX_ERROR_BODY_MS,
  reportedFailure,
  upstreamFailure,
  withoutPlace,
} from './upstream-failure.ts';

const NOTHING_HIDDEN = { hidden: [] };
const body = (error: Record<string, unknown>): string => JSON.stringify({ error });
const failureFor = (status: number, text: string, headers: Record<string, string> = {}) =>
  describeFailure(status, text, new Headers(headers), NOTHING_HIDDEN);
const causeOf = ({ cause }: GatewayError): string => (cause instanceof Error ? cause.message : '');

describe('a bad request', () => {
  test('is passed on with message and field', () => {
    const error = failureFor(
      400,
      body({ message: 'temperature is too high', param: 'temperature' }),
    );
    expect([error.status, error.code, error.message, error.param]).toEqual([
      400,
      'upstream_rejected_request',
      'temperature is too high',
      'temperature',
    ]);
  });

  test.each([
    ['{"detail":"stop: too many"}', 'stop: too many', null],
    [
      '{"detail":[{"loc":["body","messages",0,"role"],"msg":"Input should be user","type":"enum"}]}',
      'messages.0.role: Input should be user',
      'messages.0.role',
    ],
    ['{"error":"json: cannot unmarshal number"}', 'json: cannot unmarshal number', null],
    ['{"code":"Client","error":"stop is not supported"}', 'stop is not supported', null],
    ['{"object":"error","message":"bad top_k","code":400}', 'bad top_k', null],
    ['{"type":"error","error":{"type":"invalid_request_error","message":"no"}}', 'no', null],
    ['[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]', 'bad', null],
    ['{"message":"n must be 1"}', 'n must be 1', null],
  ])('in any shape: %s', (text, message, param) => {
    const error = failureFor(400, text);
    expect([error.code, error.message, error.param]).toEqual([
      'upstream_rejected_request',
      message,
      param,
    ]);
  });

  test("uses the caller's name of the model, for whole words only", () => {
    const message = 'gpt-5 takes no images; gpt-5-mini does, vendor/gpt-5 is another';
    const model = { there: 'gpt-5', here: 'gen-v4-pro' };
    const error = describeFailure(400, body({ message }), new Headers(), { hidden: [], model });
    expect(error.message).toBe(
      'gen-v4-pro takes no images; gpt-5-mini does, vendor/gpt-5 is another',
    );
  });

  test('omits the field of a translated request', () => {
    const error = failureFor(400, body({ message: 'too long', param: 'messages.3.content.0' }));
    const without = withoutPlace(error, 'messages');
    expect([without.code, without.message, without.param, without.cause]).toEqual([
      error.code,
      error.message,
      null,
      error.cause,
    ]);
    const plain = failureFor(500, '');
    expect(withoutPlace(plain, 'messages')).toBe(plain);
  });

  test("names the caller's own field of a prompt that is too long for a translated request", () => {
    const message = 'prompt is too long: 1200000 tokens > 1000000 maximum';
    const error = failureFor(400, body({ message, param: 'messages.3' }));
    const placed = withoutPlace(error, 'input');
    expect([placed.code, placed.message, placed.param]).toEqual([error.code, message, 'input']);
  });

  test('loses only the field of a translated request, not the wait or the headers', () => {
    const rest = { retryAfterSeconds: 7, extra: { more: 1 }, headers: { 'x-a': '1' } };
    for (const retryable of [true, false]) {
      const error = new GatewayError('upstream_overloaded', 'Busy.', {
        ...{ ...rest, param: 'p', ...(retryable ? {} : { retryable: false }) },
      });
      const { param, retryAfterSeconds, extra, headers, ...placed } = withoutPlace(error, 'input');
      expect({ retryAfterSeconds, extra, headers }).toEqual(rest);
      expect([param, placed.retryable]).toEqual([null, retryable]);
    }
  });

  test('reports a body that is too large', () => {
    expect(failureFor(413, '<html>nginx</html>')).toMatchObject({
      code: 'request_too_large',
      message: 'The request is larger than the provider behind this channel accepts.',
    });
  });

  test("a missing file is the caller's mistake, a missing path the operator's", () => {
    expect(failureFor(404, body({ message: 'File not found: file_1' })).code).toBe(
      'upstream_rejected_request',
    );
  });
});

describe('a prompt that is too long is recognized for all providers', () => {
  test.each([
    ["This model's maximum context length is 8192 tokens. However, you requested 9000", 400],
    ['Your input exceeds the context window of this model. Please adjust', 400],
    ['prompt is too long: 1200000 tokens > 1000000 maximum', 400],
    ['input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000', 400],
    ['The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 400],
    ["The input (9000 tokens) is longer than the model's context length (8192 tokens).", 400],
    ['the request exceeds the available context size, try increasing it', 400],
    ['the input length exceeds the context length', 400],
    ['Invalid request: Your request exceeded model token limit: 8192', 400],
    ["This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 400],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum', 422],
    ['The input token count (2000000) exceeds the maximum number of tokens allowed', 400],
    ['Input is too long for requested model.', 400],
  ])('%s', (message, status) => {
    expect(failureFor(status, body({ message })).code).toBe('context_length_exceeded');
  });

  test.each(['context_length_exceeded', 'exceed_context_size_error'])('by its code %s', (code) => {
    expect(failureFor(400, body({ message: 'no', code })).code).toBe('context_length_exceeded');
    expect(failureFor(500, body({ message: 'no', type: code })).code).toBe(
      'context_length_exceeded',
    );
  });
});

test('a request above the whole rate limit is not retryable', () => {
  const message =
    'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced in order to run successfully.';
  const error = failureFor(429, body({ message, type: 'tokens', code: 'rate_limit_exceeded' }));
  expect(error).toMatchObject({
    code: 'upstream_overloaded',
    retryable: false,
    retryAfterSeconds: null,
  });
  expect(error.message).not.toContain('org-x');
});

test.each([
  [400, { message: 'no', code: 'content_policy_violation' }],
  [400, { message: 'Your request was rejected by our safety system.' }],
  [400, { message: 'no', code: 'moderation_blocked', type: 'image_generation_user_error' }],
  [400, { message: 'Content Exists Risk', type: 'invalid_request_error' }],
  [400, { message: 'Output blocked by content filtering policy' }],
  [400, { message: 'high risk', type: 'content_filter' }],
  [403, { message: 'Your chosen model requires moderation and your input was flagged' }],
])('%d %p is the content policy', (status, error) => {
  expect(failureFor(status, body(error))).toMatchObject({
    status: 400,
    code: 'content_policy_violation',
  });
});

describe("an operator's mistake is hidden from callers and explained to the operator", () => {
  test.each([
    [401, { message: 'Incorrect API key provided: sk-live-1234567890' }, 'it refused our key'],
    [400, { message: 'API key not valid. Please pass a valid API key.' }, 'it refused our key'],
    [401, { message: 'invalid x-api-key', type: 'authentication_error' }, 'it refused our key'],
    [402, { message: 'Insufficient Balance' }, 'our account there has no balance or quota left'],
    [
      400,
      { message: 'Your credit balance is too low to access the Anthropic API.' },
      'our account there has no balance or quota left',
    ],
    [
      429,
      { message: 'You exceeded your current quota', code: 'insufficient_quota' },
      'our account there has no balance or quota left',
    ],
    [
      429,
      { message: 'suspended', type: 'exceeded_current_quota_error' },
      'our account there has no balance or quota left',
    ],
    [
      400,
      { message: 'Budget has been exceeded! Max budget: 0.5', type: 'budget_exceeded' },
      'our account there has no balance or quota left',
    ],
    [403, { message: 'Country not supported' }, 'our account there lacks the permission'],
    [
      400,
      { message: 'Your organization must be verified to stream this model.' },
      'our account there lacks the permission',
    ],
    [
      404,
      { message: 'The model `gpt-9` does not exist', code: 'model_not_found' },
      'it has no such model',
    ],
    [404, { message: "model 'llama9' not found" }, 'it has no such model'],
    [400, { message: 'Model Not Exist' }, 'it has no such model'],
    [404, { message: 'Not Found' }, 'there is nothing at this address, or no such model'],
    [405, { message: 'Method Not Allowed' }, 'there is nothing at this address, or no such model'],
  ])('%d %p', (status, error, words) => {
    const failure = failureFor(status, body(error));
    expect([failure.status, failure.code]).toEqual([502, 'upstream_refused_us']);
    expect(failure.message).not.toContain(error.message.slice(0, 12));
    expect(failure.retryAfterSeconds).toBeNull();
    expect(causeOf(failure)).toStartWith(`${words} (status ${status}): `);
    expect(causeOf(failure)).not.toContain('sk-live-1234567890');
  });

  test.each([
    ['incorrect api key', 'reasoning_effort'],
    ['insufficient balance', 'tool_choice'],
    ['unknown model', 'tools[0].type'],
    ['your organization must be verified', 'verbosity'],
  ])("is not what a caller's value %p says", (value, param) => {
    const message = `Invalid value: '${value}'. Supported values are: 'auto'.`;
    const failure = failureFor(400, body({ message, param, code: 'invalid_value' }));
    expect([failure.code, failure.param]).toEqual(['upstream_rejected_request', param]);
  });

  test('is found beside the field that OpenAI names', () => {
    const verified = 'Your organization must be verified to stream this model.';
    for (const [message, param] of [
      [verified, 'stream'],
      ['The model `x` does not exist', 'model'],
      ['Your credit balance is too low', 'None'],
    ])
      expect(failureFor(400, body({ message, param })).code).toBe('upstream_refused_us');
  });

  test('an invalid address is treated like HTML', () => {
    expect(failureFor(404, '<html>nginx at 10.0.0.7</html>').code).toBe('upstream_refused_us');
  });
});

describe('temporary failures', () => {
  test.each([
    [429, { 'retry-after': '17' }, 17],
    [503, {}, 5],
    [529, { 'retry-after': '0' }, 1],
    [429, { 'retry-after': '86400' }, 60],
  ])('%d with %p waits %d seconds', (status, headers, seconds) => {
    const error = failureFor(status, '', headers);
    expect([error.code, error.retryAfterSeconds]).toEqual(['upstream_overloaded', seconds]);
  });

  test.each([408, 504, 524])('%d is a timeout', (status) => {
    expect(failureFor(status, '<html>gateway timeout</html>').code).toBe('upstream_timeout');
  });

  test('a 5xx that mentions quotas or keys is a failure of the upstream', () => {
    expect(failureFor(500, body({ message: 'invalid api key in cache' })).code).toBe(
      'upstream_failed',
    );
  });
});

test.each([400, 415, 422, 500, 502])('HTML with %d is a failure that leaks nothing', (status) => {
  const error = failureFor(status, '<html>nginx at 10.0.0.7</html>');
  expect(error.code).toBe('upstream_failed');
  expect(error.message).not.toContain('nginx');
});

test('a stack trace is never passed on', () => {
  const message = 'Traceback (most recent call last):\n  File "/srv/app.py", line 3';
  expect(failureFor(400, body({ message }))).toMatchObject({
    code: 'upstream_failed',
    message: 'The provider behind this channel failed to answer.',
  });
});

describe('hostile words', () => {
  test.each(['\n', 'model ', 'model-', 'insufficient_', '\n at a', 'model:', 'sk-a', '[', '😀'])(
    'an endless %j does not block',
    (unit) => {
      // With this text, a pattern that backtracks at each letter would take minutes.
      const text = unit.repeat(MAX_ERROR_BODY_BYTES / unit.length);
      for (const status of [400, 404, 429, 500]) {
        failureFor(status, body({ message: text, type: text, code: text, param: text }));
        failureFor(status, text);
      }
      const inside = { type: text, code: text, message: `model${text.repeat(16)}` };
      const failure = reportedFailure(inside, NOTHING_HIDDEN);
      expect(failure.message.length).toBeLessThanOrEqual(2_000);
      expect(failure.message.isWellFormed()).toBe(true);
    },
  );

  test('nested places name no field', () => {
    const loc = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const error = failureFor(
      400,
      `{"detail":[{"msg":"no","loc":["body","stop",{"a":1},${loc},0]}]}`,
    );
    expect([error.message, error.param]).toEqual(['stop.0: no', 'stop.0']);
  });

  test('an operator sees no control characters', () => {
    expect(causeOf(failureFor(401, '\u001b[2J'))).toBe('it refused our key (status 401):  [2J');
  });
});

describe('a failure within an answer', () => {
  const within = (type: string | null, message: string) =>
    reportedFailure({ type, code: null, message }, NOTHING_HIDDEN).code;
  test('is classified by its message alone', () => {
    expect(within('overloaded_error', 'Overloaded')).toBe('upstream_overloaded');
    expect(within('rate_limit_error', 'slow down')).toBe('upstream_overloaded');
    expect(within('insufficient_quota', 'no money')).toBe('upstream_refused_us');
    expect(within(null, 'prompt is too long: 9 > 8')).toBe('context_length_exceeded');
    expect(within('content_filter', 'no')).toBe('content_policy_violation');
    expect(within('server_error', 'it broke')).toBe('upstream_failed');
  });

  test.each([
    ['400', 'upstream_rejected_request'],
    ['413', 'request_too_large'],
    ['429', 'upstream_overloaded'],
    ['402', 'upstream_refused_us'],
    ['502', 'upstream_failed'],
  ])('with the status %s as its code is %s', (code, expected) => {
    const failure = reportedFailure({ type: null, code, message: 'no' }, NOTHING_HIDDEN);
    expect(failure.code).toBe(expected as typeof failure.code);
  });

  test('passes its message on only if it is known what to mask', () => {
    const error = { type: 'content_filter', code: null, message: 'gw-7 refuses this' };
    expect(reportedFailure(error).message).not.toContain('gw-7');
    expect(reportedFailure(error, { hidden: ['gw-7'] }).message).toBe('[hidden] refuses this');
    expect(causeOf(reportedFailure(error))).toContain('gw-7 refuses this');
  });
});

describe('reading', () => {
  test('reads an endless error body up to a limit', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(16 * 1024));
      },
    });
    const error = await upstreamFailure(new Response(endless, { status: 500 }), NOTHING_HIDDEN);
    expect(error.code).toBe('upstream_failed');
    expect(pulled * 16 * 1024).toBeLessThanOrEqual(2 * MAX_ERROR_BODY_BYTES);
  });

  test('gives up on a slow error body', async () => {
    const clock = manualClock();
    let isLeft = false;
    const began = Promise.withResolvers<void>();
    const trickle = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"error":'));
        began.resolve();
        return new Promise(() => {});
      },
      cancel() {
        isLeft = true;
      },
    });
    const failed = upstreamFailure(new Response(trickle, { status: 429 }), { hidden: [], clock });
    await began.promise;
    clock.advance(MAX_ERROR_BODY_MS);
    expect((await failed).code).toBe('upstream_overloaded');
    expect(isLeft).toBe(true);
  });

  test("masks the upstream's host and key, whatever they look like", async () => {
    const message = 'gw.corp.example:8443 does not know hunter2';
    const answer = new Response(JSON.stringify({ error: { message } }), { status: 400 });
    const hidden = ['gw.corp.example', 'gw.corp.example:8443', 'hunter2'];
    const error = await upstreamFailure(answer, { hidden });
    expect(error).toBeInstanceOf(GatewayError);
    expect(error.message).toBe('[hidden] does not know [hidden]');
    expect(causeOf(error)).not.toContain('hunter2');
  });
});
