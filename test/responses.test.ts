/**
 * Tests the Responses API over HTTP with the built-in models and with failing upstreams. The
 * gateway holds money for these requests, answers, charges and records them like those of the other
 * endpoints.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { eventually } from './support/eventually.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import {
  admin,
  breaches,
  nanoOf,
  newAccountKey,
  nothingHeld,
  receiptOf,
  wallet,
} from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import { beginOnly, half } from './support/upstreams/hostile-answers.ts';
import {
  type HostileUpstream,
  startHostileUpstream,
} from './support/upstreams/hostile-upstream.ts';
import {
  type Answer,
  ask,
  at,
  hello,
  payloads,
  post,
  RESPONSES,
  readUntil,
} from './support/wire.ts';

const model = 'gen-opus-4-8';
const scripted = { input: 'Hello there', stream: true } as const;

let upstream: HostileUpstream;
let gateway: GatewayProcess;
let client: OpenAI;
beforeAll(async () => {
  upstream = await startHostileUpstream();
  gateway = await startGateway({ config: upstream.config(), env: { LOG_LEVEL: 'info' } });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
});
afterAll(async () => {
  expect(await breaches(gateway)).toEqual([]);
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const receipt = ({ headers }: Pick<Answer, 'headers'>): Promise<Answer> =>
  receiptOf(gateway, headers.get('x-request-id') ?? '');

/** Returns the log line of the request. */
async function logLine(id: string): Promise<unknown> {
  const find = async (): Promise<string | undefined> =>
    gateway
      .stdout()
      .split('\n')
      .find((each) => each.includes(id) && each.includes('"endpoint"'));
  const line = await eventually('the log line', find, (found) => found !== undefined);
  return JSON.parse(line ?? '');
}

describe('a request', () => {
  test.each(['/v1/responses', '/v2/responses'])('at %s says what it was charged', async (path) => {
    const before = await wallet(gateway);
    const answer = await ask(gateway, path, hello.responses);
    const after = await nothingHeld(gateway);
    expect([answer.status, answer.at('object'), answer.at('status'), answer.at('store')]).toEqual([
      ...[200, 'response', 'completed', false],
    ]);
    const cost = nanoOf(answer.at('usage.cost_exact'));
    expect(cost).toBeGreaterThan(0n);
    expect(before.balance - after.balance).toBe(cost);
    expect(answer.headers.get('x-cost')).toBe(`${answer.at('usage.cost_exact')} USD`);
    const kept = await receipt(answer);
    expect(kept.at('data')).toMatchObject({
      ...{ endpoint: 'responses', model, outcome: 'completed', streamed: false },
      usage_buckets: { output: answer.at('usage.output_tokens') },
    });
    expect(nanoOf(kept.at('data.cost_exact'))).toBe(cost);
    const id = answer.headers.get('x-request-id') ?? '';
    expect(await logLine(id)).toMatchObject({ endpoint: 'responses', model, status: 200 });
    expect(await metricsText(gateway)).toMatch(
      new RegExp(`endpoint="responses",[^}]*model="${model}"`),
    );
  });

  test('in a stream has the cost in the last event, and is recorded as a stream', async () => {
    const before = await wallet(gateway);
    const answer = await ask(gateway, RESPONSES, { ...hello.responses, stream: true });
    const after = await nothingHeld(gateway);
    const events = payloads(answer.text);
    expect(events.map((event) => at(event, 'sequence_number'))).toEqual([...events.keys()]);
    const last = events.at(-1);
    expect(at(last, 'type')).toBe('response.completed');
    const cost = nanoOf(at(last, 'response.usage.cost_exact'));
    expect(before.balance - after.balance).toBe(cost);
    expect((await receipt(answer)).at('data')).toMatchObject({
      ...{ endpoint: 'responses', outcome: 'completed', streamed: true },
    });
  });

  test('is served to the official client, plain and streamed', async () => {
    const body = { model, input: 'Hello there', max_output_tokens: 256 };
    const plain = await client.responses.create(body);
    const streamed = await client.responses.stream(body).finalResponse();
    expect(plain.output_text.length).toBeGreaterThan(3);
    expect(streamed.output_text).toBe(plain.output_text);
    expect(streamed.usage?.output_tokens).toBe(plain.usage?.output_tokens ?? 0);
  });

  test("beside whose tools Codex's web search stands is served without the search", async () => {
    const tools = [{ type: 'function', name: 'look' }, { type: 'web_search' }];
    const answer = await ask(gateway, RESPONSES, { ...hello.responses, tools });
    expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([200, 'web_search']);
  });

  test('is counted as it would be charged, with its tools and instructions', async () => {
    const tool = {
      ...({ type: 'function', name: 'now', strict: false } as const),
      parameters: { type: 'object' },
    };
    const request = { model, input: 'Hello there', instructions: 'Be brief.', tools: [tool] };
    const counted = await client.responses.inputTokens.count(request);
    expect(counted.object).toBe('response.input_tokens');
    const { usage } = await client.responses.create(request);
    expect(counted.input_tokens).toBe(Number(usage?.input_tokens));
    const path = '/v1/responses/input_tokens';
    const refused = await ask(gateway, path, { model, input: [{ type: 'mystery' }] });
    expect([refused.status, at(JSON.parse(refused.text), 'error.param')]).toEqual([
      400,
      'input[0].type',
    ]);
  });

  test('repeated under its Idempotency-Key gets the same answer, and is charged once', async () => {
    const headers = { 'idempotency-key': 'responses-1', 'x-client-request-id': 'thread-1' };
    const first = await ask(gateway, RESPONSES, hello.responses, headers);
    const before = await nothingHeld(gateway);
    const again = await ask(gateway, RESPONSES, hello.responses, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await nothingHeld(gateway)).toEqual(before);
  });

  test('with the client request id of another one is another request', async () => {
    const headers = { 'x-client-request-id': 'thread-1' };
    const [one, other] = [
      await ask(gateway, RESPONSES, hello.responses, headers),
      await ask(gateway, RESPONSES, hello.responses, headers),
    ];
    expect(one.at('id')).not.toBe(other.at('id'));
  });
});

describe('refused', () => {
  test.each([
    [
      { previous_response_id: 'resp_1' },
      400,
      'previous_response_not_found',
      'previous_response_id',
    ],
    [{ conversation: 'conv_1' }, 400, 'unsupported_parameter', 'conversation'],
    [{ background: true }, 400, 'unsupported_parameter', 'background'],
    [{ prompt: { id: 'pmpt_1' } }, 400, 'unsupported_parameter', 'prompt'],
    [{ input: [{ type: 'item_reference', id: 'rs_1' }] }, 404, 'not_found', 'input[0]'],
    [{ input: [{ type: 'hologram' }] }, 400, 'unsupported_value', 'input[0].type'],
    [{ tools: [{ type: 'web_search' }] }, 400, 'unsupported_value', 'tools[0].type'],
    [{ tools: [{ type: 'file_search' }] }, 400, 'unsupported_value', 'tools[0].type'],
    [{ model: 'img-2' }, 400, 'wrong_endpoint', 'model'],
    [{ model: 'nobody' }, 404, 'model_not_found', 'model'],
    [{ max_output_tokens: 1e9 }, 400, 'invalid_value', 'max_output_tokens'],
    [
      {
        input: [
          { type: 'reasoning', summary: [], encrypted_content: 'modelgate-responses-1.AAAA' },
          { role: 'user', content: 'Hi' },
        ],
      },
      ...([400, 'invalid_encrypted_content', 'input[0].encrypted_content'] as const),
    ],
  ] as const)('%j: %s %s, free of charge', async (more, status, code, param) => {
    const before = await nothingHeld(gateway);
    const answer = await ask(gateway, RESPONSES, { ...hello.responses, ...more });
    expect([answer.status, answer.at('error.code'), answer.at('error.param')]).toEqual([
      ...[status, code, param],
    ]);
    expect(await nothingHeld(gateway)).toEqual(before);
  });

  test('a WebSocket gets 426, and stored responses are not found', async () => {
    const headers = { authorization: `Bearer ${gateway.key}` };
    const upgrade = await fetch(`${gateway.url}/v1/responses`, {
      headers: { ...headers, connection: 'Upgrade', upgrade: 'websocket' },
    });
    expect([upgrade.status, at(await upgrade.json(), 'error.code')]).toEqual([
      ...[426, 'upgrade_required'],
    ]);
    const plain = await fetch(`${gateway.url}/v1/responses`, { headers });
    expect([plain.status, plain.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    const stored = await client.responses.retrieve('resp_1').catch((thrown: unknown) => thrown);
    expect(stored).toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('an empty wallet gets 402 before any upstream is called', async () => {
    const poor = {
      ...gateway,
      key: await newAccountKey(gateway, { amount: '0.000001', currency: 'USD' }),
    };
    const answer = await ask(poor, RESPONSES, { ...hello.responses, stream: true });
    expect([answer.status, answer.at('error.code')]).toEqual([402, 'insufficient_balance']);
    expect(answer.headers.get('x-should-retry')).toBe('false');
  });

  test('a key over its limit gets 429 with the time to wait', async () => {
    const account_id = String((await admin(gateway, 'GET', '/accounts')).at('data.0.id'));
    const limits = { requests_per_minute: 1 };
    const made = await admin(gateway, 'POST', '/keys', { account_id, name: 'one', limits });
    const caller = { ...gateway, key: String(made.at('secret')) };
    const first = await ask(caller, RESPONSES, hello.responses);
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    const second = await ask(caller, RESPONSES, hello.responses);
    expect([second.status, second.at('error.code')]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

describe.each(['chat', 'messages'] as const)('a stream from an upstream of %s', (speaks) => {
  const body = { ...scripted, model: `scripted-${speaks}` };

  test('that breaks ends with both forms of an error and a failed response', async () => {
    const delivered = Promise.withResolvers<void>();
    upstream.script(async (call) => {
      await call.head();
      await call.chunk(half(call));
      await delivered.promise;
      call.reset();
    });
    const response = await post(gateway, RESPONSES, body);
    const reader = await readUntil(response, (text) => text.includes('output_text.delta'));
    delivered.resolve();
    const [error, failed] = payloads(await reader.rest()).slice(-2);
    expect(error).toMatchObject({
      ...{ type: 'error', code: 'server_error', error: { code: 'server_error' } },
    });
    expect(failed).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' } },
    });
    const kept = await receipt(response);
    expect(kept.at('data')).toMatchObject({ endpoint: 'responses', outcome: 'upstream_truncated' });
    expect(nanoOf(kept.at('data.cost_exact'))).toBeGreaterThan(0n);
    await nothingHeld(gateway);
  });

  test('whose caller leaves is aborted, and charged for what was delivered', async () => {
    upstream.script(beginOnly);
    const leaving = new AbortController();
    const response = await post(gateway, RESPONSES, body, {}, leaving.signal);
    await readUntil(response, (text) => text.includes('output_text.delta'));
    leaving.abort();
    await nothingHeld(gateway);
    const kept = await receipt(response);
    expect(kept.at('data.outcome')).toBe('caller_left');
    expect(nanoOf(kept.at('data.cost_exact'))).toBeGreaterThan(0n);
  });
});
