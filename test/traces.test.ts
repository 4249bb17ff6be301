/**
 * Tests the OpenTelemetry spans of a request: they continue the caller's trace, and the upstream
 * gets the trace context too.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  ANSWER,
  chat,
  HEADER,
  message,
  type ObservedGateway,
  SERVICE,
  startObserved,
} from './support/gateways/observed-gateway.ts';
import {
  chatStream,
  eventStream,
  messageEnd,
  messageStart,
  messageWords,
} from './support/upstreams/scripted-upstream.ts';
import { ask, at, CHAT, hello, MESSAGES } from './support/wire.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';
const kept = { traceparent: `00-${TRACE}-${CALLER_SPAN}-01` };

let observed: ObservedGateway;
beforeAll(async () => {
  observed = await startObserved();
});
afterAll(async () => await observed[Symbol.asyncDispose]());

describe('the trace', () => {
  test("continues the caller's trace through our spans to the upstream", async () => {
    observed.upstream.script(() => eventStream([messageStart, messageWords(ANSWER), messageEnd]));
    const answer = await ask(observed.gateway, MESSAGES, { ...message, stream: true }, kept);
    const line = await observed.lineOf(answer);
    expect(line['trace_id']).toBe(TRACE);
    const [server, client, ...others] = await observed.spansOf(line);
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
    const seen = observed.upstream.calls.at(-1)?.headers.get('traceparent');
    expect(seen).toBe(`00-${TRACE}-${client?.spanId}-01`);
  });

  test('of a failure has the error and its source', async () => {
    observed.upstream.script(() => new Response('no', { status: 500 }));
    const [server, client] = await observed.spansOf(
      await observed.lineOf(await ask(observed.gateway, CHAT, chat)),
    );
    expect([server?.status, server?.attributes['error.type']]).toEqual([2, 'upstream_failed']);
    expect([client?.status, client?.attributes['error.type']]).toEqual([2, '500']);
    const refused = await observed.lineOf(
      await ask(observed.gateway, CHAT, { ...chat, model: 'none' }),
    );
    const [own, ...rest] = await observed.spansOf(refused);
    expect(rest).toEqual([]);
    expect(own?.status).toBe(0);
    expect(own?.attributes).not.toHaveProperty('error.type');
  });

  test('of a request that failed over has a span for each attempt, whose id that upstream received', async () => {
    observed.upstream.script((call) =>
      at(call.body, 'model') === 'first-model'
        ? new Response('no', { status: 503 })
        : eventStream(chatStream(ANSWER)),
    );
    const from = observed.upstream.calls.length;
    const body = { ...chat, model: 'two-channels', provider: { channel: 'economical' } };
    const answer = await ask(observed.gateway, CHAT, { ...body, stream: true });
    const line = await observed.lineOf(answer);
    expect(line).toMatchObject({
      outcome: 'completed',
      channel: 'direct',
      channel_requested: 'economical',
      upstream_model: 'second-model',
    });
    expect(String(line['attempts']).replaceAll(/\d+\+\d+ms/g, 'TIME')).toBe(
      'economical scripted-openai/first-model 503 TIME, direct scripted-openai/second-model 200 TIME',
    );
    const [server, first, second] = await observed.spansOf(line);
    expect([server?.status, first?.status, second?.status]).toEqual([0, 2, 0]);
    expect(first?.attributes).not.toHaveProperty(['gen_ai.usage.output_tokens']);
    expect(second?.attributes['gen_ai.usage.output_tokens']).toBe(5);
    expect(second?.startNano).toBeGreaterThanOrEqual(first?.endNano ?? 0n);
    const sent = observed.upstream.calls
      .slice(from)
      .map(({ headers }) => headers.get('traceparent'));
    expect(sent).toEqual(
      [first, second].map((span) => `00-${String(line['trace_id'])}-${span?.spanId}-01`),
    );
  });

  test('is passed on but not exported when the caller does not sample it', async () => {
    observed.upstream.script(() => eventStream(chatStream(ANSWER)));
    const unsampled = `00-${'1'.repeat(32)}-${CALLER_SPAN}-00`;
    const headers = { traceparent: unsampled };
    await observed.lineOf(await ask(observed.gateway, CHAT, { ...chat, stream: true }, headers));
    expect(observed.upstream.calls.at(-1)?.headers.get('traceparent')).toBe(unsampled);
    await observed.spansOf(await observed.lineOf(await ask(observed.gateway, CHAT, hello.chat)));
    expect(observed.collector.spans.map(({ traceId }) => traceId)).not.toContain('1'.repeat(32));
  });

  test('is exported in OTLP from a service with the configured name', async () => {
    const [request] = observed.collector.requests;
    expect(request?.path).toBe('/v1/traces');
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(request?.headers.get('x-token')).toBe(HEADER);
    expect(observed.collector.resource()).toMatchObject({ 'service.name': SERVICE });
    expect(Object.keys(observed.collector.resource())).toContain('service.instance.id');
  });
});
