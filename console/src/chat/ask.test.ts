import { describe, expect, test } from 'bun:test';
import { ApiError } from '#api/api-error.ts';
import { showAccount } from '#api/shown-account.ts';
import { type Answer, firstTokenMs, tokensPerSecond } from './answer.ts';
import { ask } from './ask.ts';

const chunk = (delta: object, more: object = {}): object => ({
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
});
const END = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const USAGE = {
  choices: [],
  usage: {
    prompt_tokens: 19,
    completion_tokens: 10,
    prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 4 },
    cost: 0.0001234,
    cost_exact: '0.000876140',
    cost_currency: 'CNY',
  },
};
const wire = (...events: readonly (object | string)[]): string =>
  events
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    .join('');

const HEADERS = { 'x-request-id': 'req_1', 'x-channel': 'stable' };
const encoder = new TextEncoder();

/**
 * Sends one request and returns its answer and all updates. Each reading of the clock adds one
 * millisecond.
 */
async function asked(answer: (init: RequestInit) => Response | Promise<Response>) {
  const updates: Answer[] = [];
  let nowMs = 0;
  const stop = new AbortController();
  const last = await ask(
    {
      fetch: async (_, init) => await answer(init),
      nowMs: () => {
        nowMs += 100;
        return nowMs;
      },
    },
    {
      body: { model: 'm' },
      asked: { model: 'm', requestedChannel: null, promptWeight: 5 },
      signal: stop.signal,
      onChange: (next) => {
        updates.push(next);
        if (next.text.includes('STOP')) stop.abort();
      },
    },
  );
  return { last, updates };
}

const streamed = (body: string, init: ResponseInit = { headers: HEADERS }) =>
  asked(() => new Response(encoder.encode(body), init));

test('a request names the account that the page shows, which pays for it', async () => {
  const sent: unknown[] = [];
  showAccount('acc_1');
  await asked(({ headers }) => {
    sent.push(headers);
    return new Response(wire(END, '[DONE]'), { headers: HEADERS });
  });
  showAccount(null);
  expect(sent).toEqual([expect.objectContaining({ 'x-account': 'acc_1' })]);
});

describe('a chat answer', () => {
  test('grows with each chunk, and ends with usage and cost', async () => {
    const { last, updates } = await streamed(
      wire(
        chunk({ role: 'assistant', content: '', refusal: null }),
        chunk({ reasoning_content: 'Let me see. ' }),
        chunk({ content: 'Hel' }, { usage: null }),
        chunk({ content: 'lo' }),
        END,
        USAGE,
        '[DONE]',
      ),
    );
    expect(updates.map(({ phase }) => phase)).toEqual([
      ...['waiting', 'waiting', 'waiting', 'streaming', 'streaming', 'streaming'],
      ...['streaming', 'streaming', 'done'],
    ] as Answer['phase'][]);
    expect(last).toMatchObject({
      ...{ phase: 'done', text: 'Hello', reasoning: 'Let me see. ', finishReason: 'stop' },
      ...{ requestId: 'req_1', channel: 'stable', problem: null },
      usage: {
        ...{ input: 19, cached: 8, cacheWrite: 3, output: 10, reasoning: 4 },
        cost: { amount: '0.000876140', currency: 'CNY' },
      },
    });
    expect(firstTokenMs(last)).toBe(200);
    expect(tokensPerSecond(last)).toBe(50);
  });

  test('joins the chunks of several tool calls', async () => {
    const piece = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
    const { last } = await streamed(
      wire(
        piece(0, { id: 'call_a', type: 'function', function: { name: 'get_time', arguments: '' } }),
        piece(0, { function: { arguments: '{"tz":' } }),
        piece(0, { function: { arguments: '"UTC"}' } }),
        piece(1, { id: 'call_b', type: 'custom', custom: { name: 'sql', input: 'select' } }),
        piece(1, { custom: { input: ' 1' } }),
        '[DONE]',
      ),
    );
    expect(last.toolCalls).toEqual([
      { id: 'call_a', type: 'function', name: 'get_time', input: '{"tz":"UTC"}' },
      { id: 'call_b', type: 'custom', name: 'sql', input: 'select 1' },
    ]);
  });

  test('keeps encrypted reasoning for the next request', async () => {
    const detail = (more: object) =>
      chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...more }] });
    const { last } = await streamed(
      wire(detail({ text: 'One ' }), detail({ text: 'two' }), detail({ signature: 'seal' })),
    );
    expect(last.reasoningDetails).toEqual([
      { type: 'reasoning.text', index: 0, text: 'One two', signature: 'seal' },
    ]);
  });

  test("reports a refusal with the gateway's message", async () => {
    const error = { message: 'USD wallet is short.', code: 'insufficient_balance', param: null };
    const { last } = await streamed(JSON.stringify({ error }), { status: 402, headers: HEADERS });
    expect(last).toMatchObject({ phase: 'failed', requestId: 'req_1', text: '' });
    const { problem } = last;
    expect(problem?.kind === 'api' && problem.error.code).toBe('insufficient_balance');
  });

  test('keeps the content before an error in the stream', async () => {
    const { last } = await streamed(
      wire(chunk({ content: 'Half' }), { error: { message: 'Gone.', code: 'upstream_failed' } }),
    );
    expect(last).toMatchObject({ phase: 'failed', text: 'Half' });
    expect(last.problem?.kind === 'api' && last.problem.error.message).toBe('Gone.');
  });

  test('is cut when the end marker is missing', async () => {
    const { last } = await streamed(wire(chunk({ content: 'All' }), END));
    expect(last).toMatchObject({ phase: 'failed', text: 'All', problem: { kind: 'cut' } });
  });

  test('is cut when the connection breaks', async () => {
    const { last } = await asked(() => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(encoder.encode(wire(chunk({ content: 'Ha' })))),
        pull: (controller) => controller.error(new TypeError('network')),
      });
      return new Response(body);
    });
    expect(last).toMatchObject({ phase: 'failed', text: 'Ha', problem: { kind: 'cut' } });
  });

  test('is unreadable when the response is no event stream', async () => {
    const { last } = await streamed('data: <html>\n\n');
    expect(last).toMatchObject({ phase: 'failed', problem: { kind: 'unreadable' } });
  });

  test('is unreachable without a response', async () => {
    const { last } = await asked(() => Promise.reject(new TypeError('refused')));
    const { problem } = last;
    expect(problem?.kind === 'api' && problem.error instanceof ApiError).toBe(true);
    expect(problem?.kind === 'api' && problem.error.code).toBe('unreachable');
  });

  test('keeps its content when stopped, and the request is aborted', async () => {
    let aborted = false;
    const { last } = await asked((init) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(encoder.encode(wire(chunk({ content: 'one STOP' }))));
          init.signal?.addEventListener('abort', () => {
            aborted = true;
            controller.error(init.signal?.reason);
          });
        },
      });
      return new Response(body, { headers: HEADERS });
    });
    expect(aborted).toBe(true);
    expect(last).toMatchObject({ phase: 'stopped', text: 'one STOP', requestId: 'req_1' });
    expect(last.problem).toBeNull();
  });
});
