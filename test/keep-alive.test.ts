/**
 * Tests that the gateway keeps silent streams alive with bytes that the clients of each protocol
 * tolerate. This is rule 4 of `protocol-rules.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { openRawCaller } from './support/raw-caller.ts';
import {
  chatChunk,
  chatStream,
  eventStream,
  messageEnd,
  messageStart,
  messageWords,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { at, CHAT, eventsOf, hello, MESSAGES, post, readUntil } from './support/wire.ts';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.script(({ body }) => {
    const answer = silences.get(String(at(body, 'x_name') ?? at(body, 'messages.0.content')));
    return answer?.() ?? new Response('no such silence', { status: 500 });
  });
  const limits = 'limits: { keep_alive: 1s, first_event_hold: 1s }';
  gateway = await startGateway({
    config: upstream.config({
      '\nchat:\n': `\n${limits}\nchat:\n`,
      'scripted-openai: {': 'scripted-openai: { pass: [x_name],',
      'scripted-anthropic: {': 'scripted-anthropic: { pass: [x_name],',
    }),
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

type Silence = {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The keep-alive text that the caller must receive before the upstream continues its answer. */
  readonly alive: string;
};

/**
 * The upstream's scripted answers, by the request field `x_name`, or by the prompt without it. The
 * gateway forwards this field, so that each of the concurrent tests gets its own answer.
 */
const silences = new Map<string, () => Response | Promise<Response>>();

/**
 * Sends a request and returns its stream. The upstream sends `before`, waits until the caller has
 * received a keep-alive, and sends `after`.
 */
async function throughSilence({ path, body, before, after, alive }: Silence): Promise<string> {
  const received = Promise.withResolvers<void>();
  const name = `silence ${silences.size}`;
  silences.set(name, () =>
    eventStream(before, async (controller) => {
      await received.promise;
      controller.enqueue(new TextEncoder().encode(after.join('')));
      controller.close();
    }),
  );
  const response = await post(gateway, path, { ...body, stream: true, x_name: name });
  const reader = await readUntil(response, (text) => text.includes(alive));
  received.resolve();
  return await reader.rest();
}

const [role = '', ...words] = chatStream('Hi');
const chat = { path: CHAT, body: { ...hello.chat, model: 'scripted-chat' } };
const messages = { path: MESSAGES, body: { ...hello.messages, model: 'scripted-messages' } };
const saying = [messageWords('Hi'), messageEnd];
const COMMENT = ': ping\n\n';
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';

test.concurrent('chat is kept alive by comments', async () => {
  const text = await throughSilence({ ...chat, before: [role], after: words, alive: COMMENT });
  expect(text).toMatch(/\n\n: ping\n\n/);
  expect(text).toEndWith('data: [DONE]\n\n');
  expect(text).not.toContain('event:');
});

test.concurrent('chat is kept alive by comments before the first event, too', async () => {
  const after = [role, ...words];
  const text = await throughSilence({ ...chat, before: [], after, alive: COMMENT });
  expect(text).toStartWith(COMMENT);
  expect(eventsOf(text).at(-1)?.data).toBe('[DONE]');
});

test.concurrent('messages are kept alive by pings', async () => {
  const before = [messageStart];
  const text = await throughSilence({ ...messages, before, after: saying, alive: PING });
  expect(text).not.toMatch(/(?:^|\n): ping/);
  expect(text).toEndWith('event: message_stop\ndata: {"type":"message_stop"}\n\n');
});

test.concurrent('messages are kept alive by comments before message_start', async () => {
  const after = [messageStart, ...saying];
  const text = await throughSilence({ ...messages, before: [], after, alive: COMMENT });
  expect(text).toStartWith(COMMENT);
  expect(text).not.toContain('event: ping');
});

test.concurrent('a Gemini stream is kept alive while the model thinks and nobody sees it', async () => {
  let isAlive = false;
  silences.set('Think', () =>
    eventStream([role], async (controller) => {
      const more = isAlive ? words.join('') : chatChunk({ reasoning_content: 'Hm. ' });
      controller.enqueue(new TextEncoder().encode(more));
      if (isAlive) controller.close();
      else await Bun.sleep(50);
    }),
  );
  const path = '/v1beta/models/scripted-chat:streamGenerateContent?alt=sse';
  const response = await post(gateway, path, { contents: [{ parts: [{ text: 'Think' }] }] });
  const reader = await readUntil(response, (text) => text.includes('"parts":[{"text":""}]'));
  isAlive = true;
  const text = await reader.rest();
  expect(text).not.toContain('Hm.');
  expect(eventsOf(text).at(-1)?.data).toContain('"finishReason":"STOP"');
});

test('a silent stream gets its whole head with a comment, long before the first keep-alive', async () => {
  await using patient = await startGateway({
    config: upstream.config({
      '\nchat:\n': '\nlimits: { keep_alive: 4m, first_event_hold: 1s }\nchat:\n',
      'scripted-openai: {': 'scripted-openai: { pass: [x_name],',
      'scripted-anthropic: {': 'scripted-anthropic: { pass: [x_name],',
    }),
  });
  for (const { path, body } of [chat, messages]) {
    const name = `silence ${silences.size}`;
    silences.set(name, () => new Promise<Response>(() => undefined));
    const text = JSON.stringify({ ...body, stream: true, x_name: name });
    const headers = { 'content-length': String(text.length) };
    const caller = await openRawCaller(patient, path, headers);
    caller.write(text);
    const received = await caller.readUntil((answer) => answer.includes(': ping'));
    caller.leave();
    const [head = '', ...rest] = received.split('\r\n\r\n');
    expect(head).toStartWith('HTTP/1.1 200 OK\r\n');
    expect(head.toLowerCase()).toContain('\r\ncontent-type: text/event-stream');
    expect(rest.join('')).toBe(`8\r\n${COMMENT}\r\n`);
  }
});

/**
 * Sends a request and returns its stream. The upstream sends no status line until the caller has
 * received a keep-alive.
 */
async function untilAnswered(answer: () => Response): Promise<string> {
  const received = Promise.withResolvers<void>();
  const name = `silence ${silences.size}`;
  silences.set(name, async () => {
    await received.promise;
    return answer();
  });
  const response = await post(gateway, CHAT, { ...chat.body, stream: true, x_name: name });
  expect(response.status).toBe(200);
  const reader = await readUntil(response, (text) => text.includes(COMMENT));
  received.resolve();
  return await reader.rest();
}

test.concurrent('chat is kept alive before the upstream returns headers', async () => {
  const text = await untilAnswered(() => eventStream([role, ...words]));
  expect(text).toStartWith(COMMENT);
  expect(text).toEndWith('data: [DONE]\n\n');
});

test.concurrent('an upstream error after the first keep-alive ends the stream with an error event and a log line', async () => {
  const text = await untilAnswered(
    () => new Response('{"error":{"message":"busy"}}', { status: 503 }),
  );
  expect(eventsOf(text).at(-1)?.data).toContain('"code":"upstream_overloaded"');
  await eventually('a log line', gateway.stderr, (log) => log.includes('upstream_overloaded'));
});
