/** Tests what the gateway itself writes into a Responses stream: head, keep-alives and errors. */
import { describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { ERRORS, type ErrorCode, GatewayError } from '../../errors.ts';
import { asJsonObject } from '../../json/object.ts';
import type { StreamPass } from '../dialect.ts';
import { FIXTURE_COST, STREAM_CONTEXT } from '../recorded-streams.fixture.ts';
import { brokenRules, type ResponsesEvent, responsesEvents } from '../responses-rules.fixture.ts';
import {
  chatEvents,
  fragment,
  OVER_CHAT,
  prepared,
  responseStream,
  TOOLS,
} from '../responses-to-chat/answer.fixture.ts';
import { isCodex, type ResponseStream, responsesDialect } from './response-stream.ts';

const SILENT = { requestId: 'req_01JD', createdSeconds: 1_790_000_000, model: 'm', started: false };
const STARTED = { ...SILENT, started: true };
const BROKE = new GatewayError('upstream_truncated', 'The provider ended its answer early.');

const decoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const numbersOf = (text: string): number[] =>
  responsesEvents(text).map(({ sequence_number: number }) => number);
const typesOf = (text: string): string[] => responsesEvents(text).map(({ type }) => type);

const open = (response: ResponseStream): StreamPass =>
  prepared(OVER_CHAT, TOOLS).openStream({ ...STREAM_CONTEXT, model: 'm', response });
const push = (pass: StreamPass, text: string): string =>
  decoded(pass.push(new TextEncoder().encode(text)));
const finish = (pass: StreamPass): string => decoded(pass.finish(FIXTURE_COST));

/** Returns a stream whose first events the gateway may send before an upstream answers. */
function ownStream(): ResponseStream {
  const stream = responseStream();
  stream.allowOwnEvents();
  return stream;
}

describe('a silent upstream', () => {
  test('gets the response begun by the gateway, and then keep-alive events', () => {
    const stream = ownStream();
    const head = decoded(stream.keepAlive(SILENT));
    expect(typesOf(head)).toEqual(['response.created', 'response.in_progress']);
    expect(decoded(stream.keepAlive(SILENT))).toBe(
      'event: keepalive\ndata: {"type":"keepalive","sequence_number":2}\n\n',
    );
    expect(numbersOf(decoded(stream.keepAlive(SILENT)))).toEqual([3]);
  });

  test('goes on with the numbers that follow, and without a second beginning', () => {
    const stream = ownStream();
    const own = decoded(stream.keepAlive(SILENT)) + decoded(stream.keepAlive(SILENT));
    const pass = open(stream);
    const answer = push(pass, chatEvents([{ content: 'Hi' }])) + finish(pass);
    expect(brokenRules(own + answer, true)).toEqual([]);
    expect(typesOf(answer)).not.toContain('response.created');
  });

  test('sends an event with its first chunk, because the relay waits for one', () => {
    const stream = ownStream();
    stream.keepAlive(SILENT);
    expect(typesOf(push(open(stream), chatEvents([], null)))).toEqual(['keepalive']);
  });

  test('gets comments while a route may speak Responses itself', () => {
    const stream = responseStream();
    expect(decoded(stream.keepAlive(SILENT))).toBe(': ping\n\n');
    const pass = open(stream);
    const answer = push(pass, chatEvents([{ content: 'Hi' }])) + finish(pass);
    expect(brokenRules(answer, true)).toEqual([]);
  });
});

test('a route that failed before anything was sent leaves no trace', () => {
  const failure = 'data: {"error":{"message":"no"}}\n\n';
  for (const stream of [responseStream(), ownStream()]) {
    const own = decoded(stream.keepAlive(SILENT));
    const first = open(stream);
    // The relay discards these events, since the error is in the same chunk.
    const call = fragment(0, '{}', { id: 'c', name: 'f' });
    push(first, chatEvents([{ content: 'lost' }, call, { content: 'x' }], null) + failure);
    expect(first.facts.error?.message).toBe('no');
    const between = decoded(stream.keepAlive(SILENT));
    const second = open(stream);
    const answer = push(second, chatEvents([{ content: 'Hi' }])) + finish(second);
    const text = own + between + answer;
    expect(brokenRules(text, true)).toEqual([]);
    expect(text).not.toContain('lost');
    push(open(stream), chatEvents([call, { content: 'x' }], null) + failure);
    const third = open(stream);
    push(third, chatEvents([{ content: 'Hi' }], null));
    const [, failed] = responsesEvents(decoded(stream.errorEvent(BROKE, STARTED)));
    expect(failed?.['response']).toMatchObject({ status: 'failed', output: [] });
  }
});

test('keep-alives within an answer are numbered with its events', () => {
  const stream = responseStream();
  const pass = open(stream);
  const begun = push(pass, chatEvents([{ content: 'Hi' }], null));
  const kept = decoded(stream.keepAlive(STARTED));
  const rest = push(pass, chatEvents([{ content: '!' }])) + finish(pass);
  expect(typesOf(kept)).toEqual(['keepalive']);
  expect(brokenRules(begun + kept + rest, true)).toEqual([]);
});

describe('a failure', () => {
  test('after the first event is an error in both forms, then response.failed', () => {
    const stream = responseStream();
    const pass = open(stream);
    const whole = fragment(0, '{}', { id: 'c', name: 'get_time' });
    const begun = push(pass, chatEvents([whole, { content: 'I was' }], null));
    const ending = decoded(stream.errorEvent(BROKE, STARTED));
    const [error, failed] = responsesEvents(ending);
    const count = responsesEvents(begun).length;
    const { message } = BROKE;
    expect(error).toEqual({
      type: 'error',
      sequence_number: count,
      code: 'server_error',
      message,
      param: null,
      error: { type: 'upstream_error', code: 'server_error', message, param: null },
    });
    expect(failed).toMatchObject({ type: 'response.failed', sequence_number: count + 1 });
    expect(failed?.['response']).toMatchObject({
      id: 'resp_01JD',
      status: 'failed',
      error: { code: 'server_error', message },
      usage: null,
      // Only the call was finished, so the open message is left out.
      output: [{ type: 'function_call', status: 'completed' }],
    });
    expect(brokenRules(begun + ending, true)).toEqual([]);
  });

  test('behind the own beginning has the numbers that follow', () => {
    const stream = ownStream();
    const head = decoded(stream.keepAlive(SILENT));
    const failing = open(stream);
    push(failing, `${chatEvents([{ content: 'lost' }], null)}data: {"error":{"message":"no"}}\n\n`);
    const text = head + decoded(stream.errorEvent(BROKE, SILENT));
    expect(numbersOf(text)).toEqual([0, 1, 2, 3]);
    expect(text).not.toContain('lost');
  });

  test('behind a comment begins with 0', () => {
    expect(numbersOf(decoded(responseStream().errorEvent(BROKE, SILENT)))).toEqual([0, 1]);
    expect(numbersOf(decoded(responsesDialect.errorEvent(BROKE, SILENT)))).toEqual([0, 1]);
    expect(decoded(responsesDialect.keepAlive(SILENT))).toBe(': ping\n\n');
  });

  const codes: readonly (readonly [ErrorCode, string])[] = [
    ['insufficient_balance', 'insufficient_quota'],
    ['spend_limit_reached', 'insufficient_quota'],
    ['context_length_exceeded', 'context_length_exceeded'],
    ['content_policy_violation', 'invalid_prompt'],
    ['upstream_rejected_request', 'invalid_prompt'],
    ['invalid_api_key', 'invalid_prompt'],
    ['rate_limit_exceeded', 'rate_limit_exceeded'],
    ['one_request_at_a_time', 'rate_limit_exceeded'],
    ['upstream_truncated', 'server_error'],
    ['upstream_failed', 'server_error'],
    ['upstream_timeout', 'server_error'],
    ['internal_error', 'server_error'],
    ['upstream_overloaded', 'server_error'],
    ['shutting_down', 'server_error'],
  ];
  test.each(codes)('%s is reported as %s', (code, reported) => {
    const events = responsesEvents(
      decoded(responseStream().errorEvent(new GatewayError(code, 'Why.'), STARTED)),
    );
    const [error, failed] = events;
    expect(error).toMatchObject({ code: reported, error: { code: reported } });
    expect(error?.['error']).toMatchObject({ type: ERRORS[code].openai });
    expect(failed?.['response']).toMatchObject({ error: { code: reported, message: 'Why.' } });
  });

  test('of a rate limit says how long to wait, which Codex reads from the message', () => {
    const limited = new GatewayError('rate_limit_exceeded', 'Too many.', { retryAfterSeconds: 3 });
    const [error] = responsesEvents(decoded(responseStream().errorEvent(limited, STARTED)));
    expect(error?.['message']).toBe('Too many. Please try again in 3s.');
  });

  test('is raised by the official client', async () => {
    const stream = responseStream();
    const pass = open(stream);
    const begun = push(pass, chatEvents([{ content: 'I was' }], null));
    const body = begun + decoded(stream.errorEvent(BROKE, STARTED));
    const client = new OpenAI({
      apiKey: 'none',
      maxRetries: 0,
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    });
    const read = client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse();
    await expect(read).rejects.toThrow(BROKE.message);
  });
});

describe('a content filter', () => {
  /** Returns the response object in the last event that a caller gets. */
  function lastOf(deltas: Parameters<typeof chatEvents>[0], finished: string, codex: boolean) {
    const pass = open(responseStream({}, codex));
    const text = push(pass, chatEvents(deltas, finished)) + finish(pass);
    const event: ResponsesEvent | undefined = responsesEvents(text).at(-1);
    return asJsonObject(event?.['response']);
  }
  const said = [{ content: 'I' }];
  const refused = [{ refusal: 'I cannot.' }];

  test('is incomplete', () => {
    expect(lastOf(said, 'content_filter', false)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
      error: null,
      output: [{ type: 'message', status: 'incomplete' }],
    });
  });

  test('is a failure that stops Codex, with its usage', () => {
    expect(lastOf(said, 'content_filter', true)).toMatchObject({
      status: 'failed',
      incomplete_details: null,
      error: { code: 'invalid_prompt', message: 'A content filter stopped this answer.' },
      usage: { input_tokens: 9, cost_exact: '0.000123400' },
    });
  });

  test('shows the refusal of a model, to Codex as the message', () => {
    expect(lastOf(refused, 'stop', false)).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'refusal', refusal: 'I cannot.' }] }],
    });
    expect(lastOf(refused, 'stop', true)).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_prompt', message: 'I cannot.' },
    });
  });

  test('leaves other answers of Codex as they are', () => {
    expect(lastOf(said, 'stop', true)).toMatchObject({ status: 'completed' });
    expect(lastOf(said, 'length', true)).toMatchObject({ status: 'incomplete' });
  });

  test('knows Codex by its originator or user agent', () => {
    const by = (name: string, value: string): boolean => isCodex(new Headers([[name, value]]));
    expect(by('originator', 'codex_exec')).toBe(true);
    expect(by('user-agent', 'codex_cli_rs/0.169.0 (Linux)')).toBe(true);
    expect(by('user-agent', 'OpenAI/JS 7.55.0')).toBe(false);
    expect(isCodex(new Headers())).toBe(false);
  });
});
