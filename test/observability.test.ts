/**
 * Tests what the log line and the metrics show an operator about each request, and what they must
 * never contain.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './support/eventually.ts';
import {
  ANSWER,
  chat,
  HEADER,
  message,
  type ObservedGateway,
  PROMPT,
  startObserved,
} from './support/gateways/observed-gateway.ts';
import { newAccountKey } from './support/history/ledger-views.ts';
import { readMetrics, sumOf } from './support/metrics-text.ts';
import {
  CANARY_KEY,
  chatChunk,
  chatStream,
  eventStream,
  messageStart,
  messageWords,
} from './support/upstreams/scripted-upstream.ts';
import { ask, CHAT, get, hello, IMAGES, MESSAGES, post, readUntil } from './support/wire.ts';

const messages = [{ role: 'user', content: PROMPT }];

let observed: ObservedGateway;
beforeAll(async () => {
  observed = await startObserved();
});
afterAll(async () => await observed[Symbol.asyncDispose]());

/** Returns by how much a metric grows while `act` runs. */
async function growth(
  act: () => Promise<unknown>,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<number> {
  const before = sumOf(await observed.metrics(), name, labels);
  await act();
  return sumOf(await observed.metrics(), name, labels) - before;
}

describe('the log line of a request', () => {
  test('of a stream is written at its end, with every field of its receipt', async () => {
    const ending = Promise.withResolvers<void>();
    observed.upstream.script(() =>
      eventStream(chatStream(ANSWER).slice(0, 2), async (controller) => {
        await ending.promise;
        for (const piece of chatStream(ANSWER).slice(2))
          controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      }),
    );
    const response = await post(observed.gateway, CHAT, { ...chat, stream: true });
    const reader = await readUntil(response, (text) => text.includes(ANSWER));
    const id = response.headers.get('x-request-id');
    expect(observed.lines().filter((line) => line['request_id'] === id)).toEqual([]);
    ending.resolve();
    await reader.rest();
    const line = await observed.lineOf(response);
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

  test('of a non-streaming answer, an image and a token count', async () => {
    const image = await observed.lineOf(await ask(observed.gateway, IMAGES, hello.image));
    expect(image).toMatchObject({ endpoint: 'images', images: 1, outcome: 'completed' });
    const counted = await observed.lineOf(
      await ask(observed.gateway, '/v1/messages/count_tokens', { ...hello.messages, messages }),
    );
    expect(counted).toMatchObject({
      endpoint: 'count_tokens',
      outcome: 'answered',
      status: 200,
      model: 'gen-opus-4-8',
      cost: null,
    });
    const answered = await observed.lineOf(
      await ask(observed.gateway, '/v1/chat/completions', {
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

  test('of a refusal has the reason and everything known about the request', async () => {
    const key = { authorization: `Bearer sk-mg-${'A'.repeat(46)}` };
    const stranger = await observed.lineOf(await ask(observed.gateway, CHAT, chat, key));
    expect(stranger).toMatchObject({
      level: 40,
      status: 401,
      outcome: 'refused',
      error_code: 'invalid_api_key',
      account: null,
      model: null,
    });
    const poor = { url: observed.gateway.url, key: await newAccountKey(observed.gateway, null) };
    const broke = await observed.lineOf(await ask(poor, MESSAGES, { ...message, stream: true }));
    expect(broke).toMatchObject({
      status: 402,
      outcome: 'refused',
      error_code: 'insufficient_balance',
      model: 'scripted-messages',
      stream: true,
      cost: null,
    });
    expect(broke['account']).toMatch(/^acc_/);
    const unknown = await observed.lineOf(
      await ask(observed.gateway, CHAT, { ...chat, model: PROMPT }),
    );
    expect(unknown).toMatchObject({ status: 404, error_code: 'model_not_found', model: null });
    const lost = await observed.lineOf(await ask(observed.gateway, `/v9/${PROMPT}`, chat));
    expect(lost).toMatchObject({ status: 404, error_code: 'unknown_url', route: null });
  });

  test('of an upstream failure, before its first byte and after it', async () => {
    observed.upstream.script(() => new Response(`no ${CANARY_KEY}`, { status: 500 }));
    const failed = await observed.lineOf(await ask(observed.gateway, CHAT, chat));
    expect(failed).toMatchObject({
      level: 50,
      status: 502,
      outcome: 'upstream_error',
      error_code: 'upstream_failed',
      cost: '0.000000000',
    });
    expect(failed['attempts']).toMatch(/^direct scripted-openai\/upstream-model 500 \d+\+\d+ms$/);
    observed.upstream.script(() =>
      eventStream([chatChunk({ role: 'assistant', content: ANSWER })]),
    );
    const cut = await observed.lineOf(await ask(observed.gateway, CHAT, { ...chat, stream: true }));
    expect(cut).toMatchObject({
      level: 40,
      status: 200,
      outcome: 'upstream_truncated',
      error_code: 'upstream_truncated',
      estimated: true,
    });
  });

  test('of a caller that disconnects in the middle of a stream', async () => {
    observed.upstream.script((call) =>
      eventStream([messageStart, messageWords(ANSWER)], async () => await call.aborted),
    );
    const leaving = new AbortController();
    const body = { ...message, stream: true };
    const response = await post(observed.gateway, MESSAGES, body, {}, leaving.signal);
    await readUntil(response, (text) => text.includes(ANSWER));
    leaving.abort();
    expect(await observed.lineOf(response)).toMatchObject({
      level: 30,
      outcome: 'caller_left',
      endpoint: 'messages',
      stream: true,
    });
  });

  test('of an answer replayed under its Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'observed' };
    await ask(observed.gateway, CHAT, hello.chat, key);
    const again = await observed.lineOf(await ask(observed.gateway, CHAT, hello.chat, key));
    expect(again).toMatchObject({ status: 200, outcome: 'replayed', cost: null });
  });

  test('is short for requests that sell nothing, and missing for probes', async () => {
    for (const probe of ['/healthz', '/readyz', '/metrics', '/'])
      await get(observed.gateway, probe);
    const models = await observed.lineOf(await get(observed.gateway, '/v2/models'));
    expect(models).toMatchObject({ method: 'GET', route: '/v2/models', outcome: 'answered' });
    expect(models).not.toHaveProperty('cost');
    expect(observed.lines().map((line) => line['route'])).not.toContain('/metrics');
    expect(observed.lines().map((line) => line['route'])).not.toContain('/healthz');
  });
});

describe('the metrics', () => {
  test('count sales, in the text format and by the naming conventions', async () => {
    const labels = { endpoint: 'chat', model: 'gen-v4-flash', channel: 'direct' };
    const asked = { ...hello.chat, model: 'gen-v4-flash' };
    const act = () => ask(observed.gateway, CHAT, asked);
    const sold = { ...labels, outcome: 'completed' };
    expect(await growth(act, 'modelgate_requests_total', sold)).toBe(1);
    const duration = 'modelgate_request_duration_seconds_count';
    expect(await growth(act, duration, { endpoint: 'chat', model: 'gen-v4-flash' })).toBe(1);
    const input = { model: 'gen-v4-flash', bucket: 'input' };
    expect(await growth(act, 'modelgate_tokens_total', input)).toBeGreaterThan(0);
    const charged = { model: 'gen-v4-flash', currency: 'CNY' };
    const paid = await growth(act, 'modelgate_charged_currency_units_total', charged);
    const line = await observed.lineOf(await ask(observed.gateway, CHAT, asked));
    expect(paid).toBeCloseTo(Number(line['cost']), 9);
    const tried = { upstream: 'builtin', result: '200' };
    expect(await growth(act, 'modelgate_upstream_attempts_total', tried)).toBe(1);
  });

  test('count refusals by code, and holds by their result in the ledger', async () => {
    const key = await newAccountKey(observed.gateway, null);
    const act = () => ask({ url: observed.gateway.url, key }, CHAT, hello.chat);
    const refused = { endpoint: 'chat', code: 'insufficient_balance' };
    expect(await growth(act, 'modelgate_refusals_total', refused)).toBe(1);
    const reason = { reason: 'balance_too_low' };
    expect(await growth(act, 'modelgate_hold_failures_total', reason)).toBe(1);
  });

  test('have a listener of their own, which serves nothing else and needs no credential', async () => {
    const [, address = ''] = /"address":"([\d.:]+)"/.exec(observed.gateway.stderr()) ?? [];
    const own = await fetch(`http://${address}/metrics`);
    expect(own.status).toBe(200);
    expect(readMetrics(await own.text()).has('modelgate_build_info')).toBe(true);
    for (const path of ['/', '/healthz', '/admin/v1/accounts', '/v1/models']) {
      expect((await fetch(`http://${address}${path}`)).status).toBe(404);
    }
    expect((await fetch(`http://${address}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  test('report the current state', async () => {
    const now = await observed.metrics();
    expect(sumOf(now, 'modelgate_requests_in_flight')).toBe(0);
    expect(sumOf(now, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(sumOf(now, 'modelgate_build_info')).toBe(1);
    expect(sumOf(now, 'modelgate_event_loop_delay_max_seconds')).toBeGreaterThan(0);
    const route = { upstream: 'builtin', model: 'gen-opus-4-8' };
    expect(sumOf(now, 'modelgate_route_standing', { ...route, standing: 'closed' })).toBe(1);
    expect(sumOf(now, 'modelgate_route_standing', route)).toBe(1);
  });
});

test('docs/observability.md lists every field and every metric', async () => {
  const docs = readFileSync(join(import.meta.dir, '../docs/observability.md'), 'utf8');
  const fields = new Set(observed.lines().flatMap((line) => Object.keys(line)));
  const names = [...fields, ...(await observed.metrics()).keys()];
  expect(names.length).toBeGreaterThan(45);
  expect(names.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});

test('every request has exactly one log line, also at a shutdown, and no line or span has a secret', async () => {
  const last = await ask(observed.gateway, CHAT, hello.chat, { 'x-odd': HEADER, cookie: HEADER });
  expect(await observed.gateway.stop()).toBe(0);
  await eventually('the last line of the log', observed.gateway.stderr, (log) =>
    log.includes('stopped'),
  );
  const ids = observed.lines().map((line) => line['request_id']);
  expect(ids).toContain(last.headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(ids.length);
  expect(
    observed.collector.spans.map(({ attributes }) => attributes['modelgate.request_id']),
  ).toContain(last.headers.get('x-request-id'));
  const shown = [
    observed.gateway.stdout(),
    observed.gateway.stderr(),
    ...observed.collector.requests.map(({ text }) => text),
  ];
  for (const secret of [
    PROMPT,
    ANSWER,
    HEADER,
    CANARY_KEY,
    observed.gateway.key,
    observed.gateway.adminToken,
  ]) {
    for (const text of shown) expect(text).not.toContain(secret);
  }
});
