/**
 * Tests callers that disconnect early, with an upstream that bills the whole answer anyway. The
 * gateway reads the answer to its end, so that it can charge the reported usage.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { breaches, nothingHeld, receiptOf, settledWallet } from './support/history/ledger-views.ts';
import { answerWell, half, SAID } from './support/upstreams/hostile-answers.ts';
import {
  type HostileCall,
  type HostileUpstream,
  startHostileUpstream,
} from './support/upstreams/hostile-upstream.ts';
import { chatChunk, chatUsage, messageEnd } from './support/upstreams/scripted-upstream.ts';
import { CHAT, get, hello, MESSAGES, post, RESPONSES, readUntil } from './support/wire.ts';

let upstream: HostileUpstream;
let gateway: GatewayProcess;

/**
 * Returns a configuration whose upstreams bill the whole answer after a disconnect. The gateway
 * then continues to read the answer for at most `readOn`.
 */
const config = (readOn: string): string =>
  upstream
    .config({ '# limits: ': `limits: { read_on: ${readOn}, drain: 1s }\n# limits: ` })
    .replaceAll('on_disconnect: abort', 'on_disconnect: read_on');

beforeAll(async () => {
  upstream = await startHostileUpstream();
  gateway = await startGateway({ config: config('10m') });
});
afterAll(async () => {
  expect(await breaches(gateway)).toEqual([]);
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const ENDPOINTS = [
  ['chat', 'chat', CHAT, hello.chat],
  ['chat', 'messages', CHAT, hello.chat],
  ['messages', 'chat', MESSAGES, hello.messages],
  ['messages', 'messages', MESSAGES, hello.messages],
  ['responses', 'chat', RESPONSES, hello.responses],
  ['responses', 'messages', RESPONSES, hello.responses],
] as const;
const rest = (call: HostileCall): string =>
  call.path.endsWith('/messages')
    ? messageEnd
    : `${chatChunk({}, 'stop')}${chatUsage(10, 5)}data: [DONE]\n\n`;

/** Returns an upstream script that sends half of an answer, and the rest when `gone` resolves. */
const finishLater = (gone: Promise<void>) => async (call: HostileCall) => {
  await call.head();
  await call.chunk(half(call));
  await gone;
  await call.chunk(rest(call));
  await call.endBody();
};
const beginAndStay = async (call: HostileCall): Promise<void> => {
  await call.head();
  await call.chunk(half(call));
  await call.gone;
};

/** Opens a stream, reads its first words, and disconnects. Returns the id of the request. */
async function leave(
  target: GatewayProcess,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const leaving = new AbortController();
  const response = await post(target, path, { ...body, stream: true }, {}, leaving.signal);
  await readUntil(response, (text) => text.includes(SAID));
  leaving.abort();
  return response.headers.get('x-request-id') ?? '';
}

async function gauge(target: GatewayProcess, name: string): Promise<number> {
  const { text } = await get({ ...target, key: target.adminToken }, '/metrics');
  return Number(new RegExp(`^modelgate_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

/**
 * Waits until the gateway is reading this number of answers whose callers have disconnected. The
 * gateway needs a moment to notice the disconnects.
 */
const readOn = (target: GatewayProcess, expected: number): Promise<number> =>
  eventually(
    'answers that are read on',
    () => gauge(target, 'requests_read_on'),
    (count) => count === expected,
  );

test.each(ENDPOINTS)(
  'a stream of %s from %s is read to its usage, which is charged',
  async (_endpoint, speaks, path, body) => {
    const gone = Promise.withResolvers<void>();
    upstream.script(finishLater(gone.promise));
    const id = await leave(gateway, path, { ...body, model: `scripted-${speaks}` });
    await readOn(gateway, 1);
    gone.resolve();
    const receipt = await receiptOf(gateway, id);
    expect(receipt.at('data')).toMatchObject({
      outcome: 'caller_left',
      tokens_prompt: 10,
      tokens_completion: 5,
      cost_estimated: false,
      measure: 'read_on',
      cost_exact: '0.000020000',
    });
    await settledWallet(gateway);
  },
);

test.each(ENDPOINTS)(
  'a non-streaming answer of %s from %s is read to its usage, which is charged',
  async (_endpoint, speaks, path, body) => {
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    upstream.script(async (call) => {
      arrived.resolve();
      await gone.promise;
      await answerWell(call);
    });
    const before = await nothingHeld(gateway);
    const leaving = new AbortController();
    const asked = post(gateway, path, { ...body, model: `scripted-${speaks}` }, {}, leaving.signal);
    const failed = asked.catch((error: unknown) => error);
    await arrived.promise;
    leaving.abort();
    expect(await failed).toBeInstanceOf(Error);
    await readOn(gateway, 1);
    gone.resolve();
    const after = await eventually(
      'the charge',
      () => nothingHeld(gateway),
      ({ balance }) => balance < before.balance,
    );
    expect(before.balance - after.balance).toBe(20_000n);
    await settledWallet(gateway);
  },
);

test('200 callers who leave at once pay together what the provider bills', async () => {
  const gone = Promise.withResolvers<void>();
  upstream.script(finishLater(gone.promise));
  const before = await nothingHeld(gateway);
  const ids = await Promise.all(
    Array.from({ length: 200 }, (_, at) => {
      const [, speaks, path, body] = ENDPOINTS[at % ENDPOINTS.length] ?? ENDPOINTS[0];
      return leave(gateway, path, { ...body, model: `scripted-${speaks}` });
    }),
  );
  await readOn(gateway, ids.length);
  gone.resolve();
  for (const id of ids) expect((await receiptOf(gateway, id)).at('data.measure')).toBe('read_on');
  const after = await settledWallet(gateway);
  expect(before.balance - after.balance).toBe(200n * 20_000n);
});

test('an endless stream is aborted after limits.read_on, and nothing is left behind', async () => {
  await using hasty = await startGateway({ config: config('1s') });
  let open = 0;
  upstream.script(async (call) => {
    open += 1;
    await beginAndStay(call);
    open -= 1;
  });
  const ids = await Promise.all(
    Array.from({ length: 50 }, (_, at) => {
      const [, speaks, path, body] = ENDPOINTS[at % ENDPOINTS.length] ?? ENDPOINTS[0];
      return leave(hasty, path, { ...body, model: `scripted-${speaks}` });
    }),
  );
  await eventually(
    'nothing in flight',
    () => gauge(hasty, 'requests_in_flight'),
    (count) => count === 0,
  );
  await eventually(
    'all upstream connections are closed',
    () => open,
    (count) => count === 0,
  );
  for (const id of ids) {
    const { outcome, measure } = Object((await receiptOf(hasty, id)).at('data'));
    expect([outcome, measure]).toEqual(['caller_left', 'estimated']);
  }
  await settledWallet(hasty);
});

test('a shutdown settles an answer that is read on, and exits with 0', async () => {
  upstream.script(beginAndStay);
  await using own = await startGateway({ config: config('10m') });
  const [, speaks, path, body] = ENDPOINTS[0];
  const id = await leave(own, path, { ...body, model: `scripted-${speaks}` });
  expect(await own.stop('SIGTERM')).toBe(0);
  await using again = await startGateway({ folder: own.folder });
  expect((await receiptOf(again, id)).at('data')).toMatchObject({
    outcome: 'caller_left',
    cost_estimated: true,
  });
  await settledWallet(again);
});
