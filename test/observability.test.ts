/** What an operator sees of each request: one line, the figures, the spans. And what nobody ever sees. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newAccountKey } from './books.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { type Family, readMetrics, sumOf } from './metrics-text.ts';
import {
  CANARY_KEY,
  chatChunk,
  chatStream,
  eventStream,
  messageEnd,
  messageStart,
  messageWords,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './scripted-upstream.ts';
import { ask, CHAT, get, hello, IMAGES, type Json, MESSAGES, post, readUntil } from './wire.ts';

const PROMPT = 'canary-prompt-3b7f';
const ANSWER = 'canary-answer-91cd';
const HEADER = 'canary-header-58e0';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';
const kept = { traceparent: `00-${TRACE}-${CALLER_SPAN}-01` };

const messages = [{ role: 'user', content: PROMPT }];
const chat = { model: 'scripted-chat', messages };
const message = { model: 'scripted-messages', max_tokens: 256, messages };

let upstream: ScriptedUpstream;
let collector: Collector;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  collector = startCollector();
  gateway = await startGateway({
    config: upstream.config(),
    env: {
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-token=${HEADER}`,
      OTEL_SERVICE_NAME: 'gate-of-the-tests',
    },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
  collector.stop();
});

const lines = (): readonly Json[] =>
  gateway
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** Of a request that was answered with this. */
async function lineOf(answer: { readonly headers: Headers }): Promise<Json> {
  const id = answer.headers.get('x-request-id');
  const found = await eventually(
    `the line of ${id}`,
    () => lines().filter((line) => line['request_id'] === id),
    (own) => own.length > 0,
  );
  return found[0] ?? {};
}

async function spansOf(line: Json): Promise<readonly CollectedSpan[]> {
  return await eventually(
    'its spans',
    () => collector.spans.filter((span) => span.traceId === line['trace_id']),
    (spans) =>
      spans.some(({ attributes }) => attributes['modelgate.request_id'] === line['request_id']),
  );
}

const metrics = async (): Promise<ReadonlyMap<string, Family>> =>
  readMetrics((await get(gateway, '/metrics')).text);

/** How much a metric grew while `act` ran. */
async function growth(
  act: () => Promise<unknown>,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<number> {
  const before = sumOf(await metrics(), name, labels);
  await act();
  return sumOf(await metrics(), name, labels) - before;
}

describe('the line of a request', () => {
  test('a stream: when it is over, with all that its receipt has', async () => {
    const ending = Promise.withResolvers<void>();
    upstream.script(() =>
      eventStream(chatStream(ANSWER).slice(0, 2), async (controller) => {
        await ending.promise;
        for (const piece of chatStream(ANSWER).slice(2))
          controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      }),
    );
    const response = await post(gateway, CHAT, { ...chat, stream: true });
    const reader = await readUntil(response, (text) => text.includes(ANSWER));
    const id = response.headers.get('x-request-id');
    expect(lines().filter((line) => line['request_id'] === id)).toEqual([]);
    ending.resolve();
    await reader.rest();
    const line = await lineOf(response);
    expect(line).toMatchObject({
      level: 30,
      msg: 'request',
      request_id: id,
      method: 'POST',
      route: '/v2/chat/completions',
      endpoint: 'chat',
      status: 200,
      outcome: 'completed',
      error_code: null,
      stream: true,
      model: 'scripted-chat',
      channel: 'direct',
      channel_requested: null,
      upstream: 'scripted-openai',
      upstream_model: 'upstream-model',
      finish_reason: 'stop',
      input_tokens: 10,
      cache_read_tokens: 0,
      output_tokens: 5,
      cost: '0.000020000',
      currency: 'USD',
      estimated: false,
    });
    expect(line['attempts']).toMatch(/^direct scripted-openai\/upstream-model 200 \d+\+\d+ms$/);
    expect(line['account']).toMatch(/^acc_/);
    expect(line['key']).toMatch(/^key_/);
    expect(line['trace_id']).toMatch(/^[0-9a-f]{32}$/);
    expect(Number(line['duration_ms'])).toBeGreaterThanOrEqual(Number(line['first_byte_ms']));
  });

  test('an answer in one piece, an image and a count of tokens', async () => {
    const image = await lineOf(await ask(gateway, IMAGES, hello.image));
    expect(image).toMatchObject({ endpoint: 'images', images: 1, outcome: 'completed' });
    const counted = await lineOf(
      await ask(gateway, '/v1/messages/count_tokens', { ...hello.messages, messages }),
    );
    expect(counted).toMatchObject({
      endpoint: 'count_tokens',
      outcome: 'answered',
      status: 200,
      model: 'gen-opus-4-8',
      cost: null,
    });
    const answered = await lineOf(
      await ask(gateway, '/v1/chat/completions', {
        ...hello.chat,
        provider: { channel: `${PROMPT} channel` },
      }),
    );
    expect(answered).toMatchObject({
      route: '/v1/chat/completions',
      stream: false,
      outcome: 'completed',
      channel: 'direct',
      channel_requested: 'unknown',
    });
  });

  test('a refusal: the reason, and as much as is known of who wanted what', async () => {
    const key = { authorization: `Bearer sk-mg-${'A'.repeat(46)}` };
    const stranger = await lineOf(await ask(gateway, CHAT, chat, key));
    expect(stranger).toMatchObject({
      level: 40,
      status: 401,
      outcome: 'refused',
      error_code: 'invalid_api_key',
      account: null,
      model: null,
    });
    const poor = { url: gateway.url, key: await newAccountKey(gateway, null) };
    const broke = await lineOf(await ask(poor, MESSAGES, { ...message, stream: true }));
    expect(broke).toMatchObject({
      status: 402,
      outcome: 'refused',
      error_code: 'insufficient_balance',
      model: 'scripted-messages',
      stream: true,
      cost: null,
    });
    expect(broke['account']).toMatch(/^acc_/);
    const unknown = await lineOf(await ask(gateway, CHAT, { ...chat, model: PROMPT }));
    expect(unknown).toMatchObject({ status: 404, error_code: 'model_not_found', model: null });
    const lost = await lineOf(await ask(gateway, `/v9/${PROMPT}`, chat));
    expect(lost).toMatchObject({ status: 404, error_code: 'unknown_url', route: null });
  });

  test('an upstream that fails: before its first byte and after it', async () => {
    upstream.script(() => new Response(`no ${CANARY_KEY}`, { status: 500 }));
    const failed = await lineOf(await ask(gateway, CHAT, chat));
    expect(failed).toMatchObject({
      level: 50,
      status: 502,
      outcome: 'upstream_error',
      error_code: 'upstream_failed',
      cost: '0.000000000',
    });
    expect(failed['attempts']).toMatch(/^direct scripted-openai\/upstream-model 500 \d+\+\d+ms$/);
    upstream.script(() => eventStream([chatChunk({ role: 'assistant', content: ANSWER })]));
    const cut = await lineOf(await ask(gateway, CHAT, { ...chat, stream: true }));
    expect(cut).toMatchObject({
      level: 40,
      status: 200,
      outcome: 'upstream_truncated',
      error_code: 'upstream_truncated',
      estimated: true,
    });
  });

  test('a caller who leaves in the middle of a stream', async () => {
    upstream.script((call) =>
      eventStream([messageStart, messageWords(ANSWER)], async () => await call.aborted),
    );
    const leaving = new AbortController();
    const body = { ...message, stream: true };
    const response = await post(gateway, MESSAGES, body, {}, leaving.signal);
    await readUntil(response, (text) => text.includes(ANSWER));
    leaving.abort();
    expect(await lineOf(response)).toMatchObject({
      level: 30,
      outcome: 'caller_left',
      endpoint: 'messages',
      stream: true,
    });
  });

  test('an answer that is given again under its Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'observed' };
    await ask(gateway, CHAT, hello.chat, key);
    const again = await lineOf(await ask(gateway, CHAT, hello.chat, key));
    expect(again).toMatchObject({ status: 200, outcome: 'replayed', cost: null });
  });

  test('what sells nothing has a short one, and probes have none', async () => {
    for (const probe of ['/healthz', '/readyz', '/metrics', '/']) await get(gateway, probe);
    const models = await lineOf(await get(gateway, '/v2/models'));
    expect(models).toMatchObject({ method: 'GET', route: '/v2/models', outcome: 'answered' });
    expect(models).not.toHaveProperty('cost');
    expect(lines().map((line) => line['route'])).not.toContain('/metrics');
    expect(lines().map((line) => line['route'])).not.toContain('/healthz');
  });
});

describe('the metrics', () => {
  test('count what was sold, by the text format and the naming conventions', async () => {
    const labels = { endpoint: 'chat', model: 'gen-v4-flash', channel: 'direct' };
    const asked = { ...hello.chat, model: 'gen-v4-flash' };
    const act = () => ask(gateway, CHAT, asked);
    const sold = { ...labels, outcome: 'completed' };
    expect(await growth(act, 'modelgate_requests_total', sold)).toBe(1);
    const duration = 'modelgate_request_duration_seconds_count';
    expect(await growth(act, duration, { endpoint: 'chat', model: 'gen-v4-flash' })).toBe(1);
    const input = { model: 'gen-v4-flash', bucket: 'input' };
    expect(await growth(act, 'modelgate_tokens_total', input)).toBeGreaterThan(0);
    const charged = { model: 'gen-v4-flash', currency: 'CNY' };
    const paid = await growth(act, 'modelgate_charged_currency_units_total', charged);
    const line = await lineOf(await ask(gateway, CHAT, asked));
    expect(paid).toBeCloseTo(Number(line['cost']), 9);
    const tried = { upstream: 'builtin', result: '200' };
    expect(await growth(act, 'modelgate_upstream_attempts_total', tried)).toBe(1);
  });

  test('count refusals by code, and holds by what the books said', async () => {
    const key = await newAccountKey(gateway, null);
    const act = () => ask({ url: gateway.url, key }, CHAT, hello.chat);
    const refused = { endpoint: 'chat', code: 'insufficient_balance' };
    expect(await growth(act, 'modelgate_refusals_total', refused)).toBe(1);
    const reason = { reason: 'balance_too_low' };
    expect(await growth(act, 'modelgate_hold_failures_total', reason)).toBe(1);
  });

  test('tell how things stand', async () => {
    const now = await metrics();
    expect(sumOf(now, 'modelgate_requests_in_flight')).toBe(0);
    expect(sumOf(now, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(sumOf(now, 'modelgate_build_info')).toBe(1);
    expect(sumOf(now, 'modelgate_event_loop_delay_max_seconds')).toBeGreaterThan(0);
    const route = { upstream: 'builtin', model: 'gen-opus-4-8' };
    expect(sumOf(now, 'modelgate_route_standing', { ...route, standing: 'closed' })).toBe(1);
    expect(sumOf(now, 'modelgate_route_standing', route)).toBe(1);
  });
});

describe('the trace', () => {
  test("goes on from the caller's, through our spans, to the upstream", async () => {
    upstream.script(() => eventStream([messageStart, messageWords(ANSWER), messageEnd]));
    const answer = await ask(gateway, MESSAGES, { ...message, stream: true }, kept);
    const line = await lineOf(answer);
    expect(line['trace_id']).toBe(TRACE);
    const [server, client, ...others] = await spansOf(line);
    expect(others).toEqual([]);
    expect(server).toMatchObject({
      parentSpanId: CALLER_SPAN,
      name: 'POST /v1/messages',
      kind: 2,
      status: 0,
    });
    expect(server?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/messages',
      'http.response.status_code': 200,
      'modelgate.outcome': 'completed',
      'modelgate.cost': line['cost'],
    });
    expect(client).toMatchObject({
      traceId: TRACE,
      parentSpanId: server?.spanId,
      name: 'chat upstream-model',
      kind: 3,
      status: 0,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.request.model': 'upstream-model',
        'gen_ai.request.stream': true,
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.response.finish_reasons': ['end_turn'],
        'modelgate.upstream': 'scripted-anthropic',
      },
    });
    const [first] = client?.events ?? [];
    expect(first?.name).toBe('first_byte');
    expect(first?.atNano).toBeGreaterThanOrEqual(client?.startNano ?? 0n);
    expect(first?.atNano).toBeLessThanOrEqual(client?.endNano ?? 0n);
    const seen = upstream.calls.at(-1)?.headers.get('traceparent');
    expect(seen).toBe(`00-${TRACE}-${client?.spanId}-01`);
  });

  test('of a failure says which, and whose', async () => {
    upstream.script(() => new Response('no', { status: 500 }));
    const [server, client] = await spansOf(await lineOf(await ask(gateway, CHAT, chat)));
    expect([server?.status, server?.attributes['error.type']]).toEqual([2, 'upstream_failed']);
    expect([client?.status, client?.attributes['error.type']]).toEqual([2, '500']);
    const refused = await lineOf(await ask(gateway, CHAT, { ...chat, model: 'none' }));
    const [own, ...rest] = await spansOf(refused);
    expect(rest).toEqual([]);
    expect(own?.status).toBe(0);
    expect(own?.attributes).not.toHaveProperty('error.type');
  });

  test('that the caller does not keep is passed on, and not told of', async () => {
    upstream.script(() => eventStream(chatStream(ANSWER)));
    const unkept = `00-${'1'.repeat(32)}-${CALLER_SPAN}-00`;
    const headers = { traceparent: unkept };
    await lineOf(await ask(gateway, CHAT, { ...chat, stream: true }, headers));
    expect(upstream.calls.at(-1)?.headers.get('traceparent')).toBe(unkept);
    await spansOf(await lineOf(await ask(gateway, CHAT, hello.chat)));
    expect(collector.spans.map(({ traceId }) => traceId)).not.toContain('1'.repeat(32));
  });

  test('comes by the protocol, from a service that has its name', async () => {
    const [request] = collector.requests;
    expect(request?.path).toBe('/v1/traces');
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(request?.headers.get('x-token')).toBe(HEADER);
    expect(collector.resource()).toMatchObject({ 'service.name': 'gate-of-the-tests' });
    expect(Object.keys(collector.resource())).toContain('service.instance.id');
  });
});

test('every field and every metric is in docs/observability.md', async () => {
  const docs = readFileSync(join(import.meta.dir, '../docs/observability.md'), 'utf8');
  const fields = new Set(lines().flatMap((line) => Object.keys(line)));
  const names = [...fields, ...(await metrics()).keys()];
  expect(names.length).toBeGreaterThan(45);
  expect(names.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});

test('at its end every request has had one line, the last one too, and no line or span has a secret', async () => {
  const last = await ask(gateway, CHAT, hello.chat, { 'x-odd': HEADER, cookie: HEADER, ...kept });
  expect(await gateway.stop()).toBe(0);
  await eventually('the last line of the log', gateway.stderr, (log) => log.includes('stopped'));
  const ids = lines().map((line) => line['request_id']);
  expect(ids).toContain(last.headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(ids.length);
  expect(collector.spans.map(({ attributes }) => attributes['modelgate.request_id'])).toContain(
    last.headers.get('x-request-id'),
  );
  const told = [gateway.stdout(), gateway.stderr(), ...collector.requests.map(({ text }) => text)];
  for (const secret of [PROMPT, ANSWER, HEADER, CANARY_KEY, gateway.key, gateway.adminToken]) {
    for (const text of told) expect(text).not.toContain(secret);
  }
});
