/**
 * Tests upstream failures of every kind: which error the caller gets, what is charged, and that no
 * secret of the upstream leaks.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import {
  breaches,
  nanoOf,
  receiptOf,
  settledWallet,
  type WalletState,
  wallet,
} from './support/history/ledger-views.ts';
import {
  CANARY_KEY,
  CANARY_ORG,
  chatChunk,
  chatStream,
  eventStream,
  messageStart,
  messageWords,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from './support/upstreams/scripted-upstream.ts';
import {
  type Answer,
  ask,
  at,
  CHAT,
  eventsOf,
  hello,
  MESSAGES,
  payloads,
  post,
  read,
  readUntil,
} from './support/wire.ts';

/**
 * The time limit within which the upstream must notice an abort. An upstream without an abort waits
 * for minutes, so the limit may be long for a busy machine.
 */
const ABORT_LIMIT_MS = 30_000;
/**
 * Turns off Bun's periodic garbage collection in the gateway. It would close an unread answer after
 * about a second, which would hide a missing abort.
 */
const NO_COLLECTION = { BUN_GC_TIMER_DISABLE: '1' };

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
let before: WalletState;
/**
 * Everything that callers in this file received. It must not contain any secret of the upstream.
 */
const shown: string[] = [];

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({
    config: upstream.config(),
    env: { LOG_LEVEL: 'debug', ...NO_COLLECTION },
  });
});
beforeEach(async () => {
  before = await wallet(gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const chat = { ...hello.chat, model: 'scripted-chat' };
const message = { ...hello.messages, model: 'scripted-messages' };
const endpoints = [
  { name: 'chat', path: CHAT, body: chat, error: 'error.code' },
  { name: 'messages', path: MESSAGES, body: message, error: 'error.details.error_code' },
] as const;

const record = (answer: Answer): Answer => {
  shown.push(answer.text, JSON.stringify([...answer.headers]));
  return answer;
};
const expectFree = async (): Promise<void> => {
  expect(await settledWallet(gateway)).toEqual(before);
};

const secrets = () =>
  `${CANARY_KEY} of ${CANARY_ORG} at http://${upstream.host}/v1/x or ${upstream.host}`;
const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  Response.json(body, {
    status,
    headers: { ...headers, 'x-organization': CANARY_ORG, 'openai-organization': CANARY_ORG },
  });
const failing = (status: number) => () =>
  json(status, { error: { message: `refused: ${secrets()}`, type: 'x', code: null, param: null } });
const html = () =>
  new Response(`<html><body>502 nginx ${secrets()}</body></html>`, {
    status: 502,
    headers: { 'content-type': 'text/html' },
  });

describe.each(endpoints)('before the first byte, on $name', ({ path, body, error }) => {
  test.each([
    ['401', failing(401), [502, 'upstream_refused_us', 'false']],
    ['403', failing(403), [502, 'upstream_refused_us', 'false']],
    ['500', failing(500), [502, 'upstream_failed', 'true']],
    ['HTML', html, [502, 'upstream_failed', 'true']],
    [
      'a redirect',
      () => Response.redirect('http://127.0.0.1:1/elsewhere', 307),
      [502, 'upstream_failed', 'true'],
    ],
    ['an answer that is not JSON', () => new Response('Hello'), [502, 'upstream_failed', 'true']],
    [
      'an error in a 200',
      () => json(200, { error: { message: secrets() } }),
      [502, 'upstream_failed', 'true'],
    ],
  ] as const)('%s: a clean error, and nothing is charged', async (_what, answer, wanted) => {
    upstream.script(answer);
    for (const stream of [false, true]) {
      const refused = record(await ask(gateway, path, { ...body, stream }));
      const retry = refused.headers.get('x-should-retry');
      expect([refused.status, refused.at(error), retry]).toEqual([...wanted]);
      expect(refused.headers.get('content-type')).toBe('application/json');
    }
    await expectFree();
  });

  test('429 and 503 are reported as overload, with the time to wait', async () => {
    for (const status of [429, 503]) {
      upstream.script(() =>
        json(status, { error: { message: secrets() } }, { 'retry-after': '7' }),
      );
      const refused = record(await ask(gateway, path, body));
      expect(refused.status).toBe(path === CHAT ? 503 : 529);
      expect(refused.headers.get('retry-after')).toBe('7');
      expect(refused.headers.get('x-should-retry')).toBe('true');
    }
    await expectFree();
  });

  test("400 passes on the upstream's message, masked", async () => {
    upstream.script(() =>
      json(400, { error: { message: `top_p and ${secrets()}`, param: 'top_p', type: 'x' } }),
    );
    const refused = record(await ask(gateway, path, body));
    expect([refused.status, refused.at(error)]).toEqual([400, 'upstream_rejected_request']);
    expect(refused.at('error.message')).toStartWith('top_p and [hidden] of [hidden] at [address]');
    await expectFree();
  });

  test('a connection that ends without an answer', async () => {
    upstream.script(() => eventStream([], (controller) => controller.error(new Error('reset'))));
    for (const stream of [false, true]) {
      const refused = record(await ask(gateway, path, { ...body, stream }));
      expect(refused.status).toBeGreaterThanOrEqual(500);
      expect(refused.at(error)).toMatch(/^upstream_/);
    }
    await expectFree();
  });

  test('an empty stream', async () => {
    upstream.script(() => eventStream([]));
    const refused = record(await ask(gateway, path, { ...body, stream: true }));
    expect([refused.status, refused.at(error)]).toEqual([502, 'upstream_truncated']);
    await expectFree();
  });
});

const halves: Readonly<Record<string, readonly string[]>> = {
  [CHAT]: [chatChunk({ role: 'assistant', content: '' }), chatChunk({ content: 'Half of it' })],
  [MESSAGES]: [messageStart, messageWords('Half of it')],
};

type Controller = ReadableStreamDefaultController<Uint8Array>;

describe.each(endpoints)('in the middle of a $name stream', ({ path, body }) => {
  const half = halves[path] ?? [];

  test.each([
    ['an end without the end mark', (upstream: Controller) => upstream.close()],
    ['a reset', (upstream: Controller) => upstream.error(new Error('reset'))],
  ])(
    '%s: the error event of the dialect, and what was delivered is charged',
    async (_what, end) => {
      const delivered = Promise.withResolvers<void>();
      upstream.script(() =>
        eventStream(half, async (controller) => {
          await delivered.promise;
          end(controller);
        }),
      );
      const response = await post(gateway, path, { ...body, stream: true });
      const reader = await readUntil(response, (text) => text.includes('Half of it'));
      delivered.resolve();
      const cut = record(await read(new Response(await reader.rest(), response)));
      expect(cut.status).toBe(200);
      const last = eventsOf(cut.text).at(-1);
      const reported: unknown = JSON.parse(last?.data ?? '');
      if (path === CHAT) {
        expect(last?.name).toBeNull();
        expect(reported).toMatchObject({ error: { code: 'upstream_truncated', param: null } });
      } else {
        expect(last?.name).toBe('error');
        expect(reported).toMatchObject({ type: 'error', error: { type: 'api_error' } });
      }
      expect(cut.text).toContain('Half of it');
      expect(cut.text).not.toContain('[DONE]');
      expect(cut.text).not.toContain('message_stop');
      const receipt = await receiptOf(gateway, cut.headers.get('x-request-id') ?? '');
      expect(receipt.at('data')).toMatchObject({
        outcome: 'upstream_truncated',
        cost_estimated: true,
      });
      const charge = nanoOf(receipt.at('data.cost_exact'));
      expect(charge).toBeGreaterThan(0n);
      expect(await wallet(gateway)).toEqual({ balance: before.balance - charge, held: 0n });
      expect(await breaches(gateway)).toEqual([]);
    },
  );

  test('an error event of the upstream is replaced by our own, without its text', async () => {
    const error = { type: 'overloaded_error', message: secrets() };
    const event =
      path === CHAT
        ? `data: ${JSON.stringify({ error })}\n\n`
        : `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`;
    const seen = Promise.withResolvers<void>();
    upstream.script(() =>
      eventStream(half, async (controller) => {
        // The upstream sends its error only after the caller has received text. Before that, the
        // gateway could still try another route.
        await seen.promise;
        controller.enqueue(new TextEncoder().encode(event));
        controller.close();
      }),
    );
    const running = await post(gateway, path, { ...body, stream: true });
    const reading = await readUntil(running, (text) => text.includes('Half of it'));
    seen.resolve();
    const text = await reading.rest();
    shown.push(text);
    expect(payloads(text).at(-1)).toHaveProperty('error.message');
    expect(text).not.toContain('message_stop');
  });
});

describe('a caller that disconnects', () => {
  const endless = (call: UpstreamCall, pieces: readonly string[]): Response =>
    eventStream(pieces, async (controller) => {
      await call.aborted;
      controller.close();
    });

  test.each(endpoints)('stops the upstream of a $name stream', async ({ path, body }) => {
    upstream.script((call) => endless(call, halves[path] ?? []));
    const leaving = new AbortController();
    const response = await post(gateway, path, { ...body, stream: true }, {}, leaving.signal);
    await readUntil(response, (text) => text.includes('Half of it'));
    await expectAborted(() => leaving.abort());
    const receipt = await receiptOf(gateway, response.headers.get('x-request-id') ?? '');
    expect(receipt.at('data.outcome')).toBe('caller_left');
    expect((await wallet(gateway)).held).toBe(0n);
  });

  test.each(endpoints)(
    'stops the upstream of a non-streaming $name answer',
    async ({ path, body }) => {
      const arrived = Promise.withResolvers<void>();
      upstream.script(async (call) => {
        arrived.resolve();
        await call.aborted;
        return new Response('nobody reads this');
      });
      const leaving = new AbortController();
      const asked = post(gateway, path, body, {}, leaving.signal).catch((error: unknown) => error);
      await arrived.promise;
      await expectAborted(() => leaving.abort());
      await asked;
      await settledWallet(gateway);
    },
  );
});

test.each(endpoints)('ends an endless $name answer that cannot be used', async (of) => {
  const json = { 'content-type': 'application/json' };
  const parts = { ...json, 'content-length': '999999999' };
  for (const [stream, headers] of [
    [true, json],
    [false, parts],
  ] as const) {
    upstream.script(({ aborted }) => {
      const endless = eventStream(['{'], async () => await aborted);
      return new Response(endless.body, { headers });
    });
    expect((await ask(gateway, of.path, { ...of.body, stream })).status).toBe(502);
    await expectAborted(() => undefined);
  }
});

/**
 * Expects that the gateway aborts its last call to the upstream.
 * @param leave disconnects the caller. It does nothing if the caller already has its answer.
 */
async function expectAborted(leave: () => void): Promise<void> {
  const aborted = upstream.calls.at(-1)?.aborted;
  leave();
  const late = Bun.sleep(ABORT_LIMIT_MS).then(() => 'late');
  expect(await Promise.race([aborted?.then(() => 'aborted'), late])).toBe('aborted');
}

test('sends the upstream its own key and model and the known fields, and nothing else of the caller', async () => {
  upstream.script(() => eventStream(chatStream('Hi')));
  const extra = { temperature: 0.5, x_future: [1], provider: { channel: 'direct' } };
  const answer = await ask(gateway, CHAT, { ...chat, ...extra, stream: true }, { cookie: 'a=b' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-ignored-fields')).toBe('x_future');
  const call = upstream.calls.at(-1);
  expect(call?.path).toBe('/v1/chat/completions');
  expect(call?.headers.get('authorization')).toBe(`Bearer ${CANARY_KEY}`);
  expect(call?.headers.get('cookie')).toBeNull();
  expect(JSON.stringify([...(call?.headers ?? [])])).not.toContain(gateway.key);
  expect(call?.body).toEqual({
    model: 'upstream-model',
    messages: chat.messages,
    stream: true,
    temperature: 0.5,
    stream_options: { include_usage: true },
  });
  expect(answer.text).not.toContain('upstream-model');
  expect(at(payloads(answer.text)[0], 'model')).toBe('scripted-chat');
});

test('no caller ever saw the host, key or organization of an upstream, and no log holds a key', () => {
  expect(shown.length).toBeGreaterThan(40);
  for (const text of shown) {
    for (const secret of [CANARY_KEY, CANARY_ORG, upstream.host, 'nginx'])
      expect(text).not.toContain(secret);
  }
  const log = gateway.stderr();
  expect(log).toContain('it refused our key (status 401)');
  for (const secret of [CANARY_KEY, gateway.key, 'Hello there']) expect(log).not.toContain(secret);
});
