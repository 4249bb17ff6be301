/** Tests that a client cannot keep many connections or requests open for a long time. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { eventually } from './support/eventually.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { metricsText } from './support/metrics-text.ts';
import { openRawCaller } from './support/raw-caller.ts';
import {
  chatStream,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, CHAT, get, hello, MESSAGES, post, readUntil } from './support/wire.ts';

const PLACES = 3;
/** The number of connections of each kind that the client opens and leaves idle. */
const STILL = 100;

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const limits = `limits: { requests_per_address: ${PLACES} }`;
  gateway = await startGateway({
    config: upstream.config({ '\nchat:\n': `\n${limits}\nchat:\n` }),
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const busiest = async (): Promise<number> =>
  Number(/^modelgate_busiest_address_requests (\d+)$/m.exec(await metricsText(gateway))?.[1]);

test('streams count until they end; the next request gets 429 with retry-after', async () => {
  const [first = '', ...rest] = chatStream('Hi');
  const more = Promise.withResolvers<void>();
  upstream.script(() =>
    eventStream([first], async (controller) => {
      await more.promise;
      controller.enqueue(new TextEncoder().encode(rest.join('')));
      controller.close();
    }),
  );
  const body = { ...hello.chat, model: 'scripted-chat', stream: true };
  const streams = await Promise.all(
    Array.from({ length: PLACES }, async () =>
      readUntil(await post(gateway, CHAT, body), (text) => text.includes('data:')),
    ),
  );
  for (const path of [CHAT, MESSAGES]) {
    const refused = await ask(gateway, path, {}, { authorization: 'Bearer sk-mg-none' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.at('error.message')).toContain('limits.requests_per_address');
  }
  expect((await get(gateway, '/healthz')).status).toBe(200);
  expect(await busiest()).toBe(PLACES);
  more.resolve();
  for (const stream of streams) expect(await stream.rest()).toContain('[DONE]');
  await eventually('running requests', busiest, (count) => count === 0);
  expect((await get(gateway, '/v1/models')).status).toBe(200);
  expect(await metricsText(gateway)).toContain('modelgate_address_refusals_total 2\n');
});

test('a body that does not arrive takes a place without a key, and gives it back', async () => {
  const length = { 'content-length': '1000' };
  const callers = await Promise.all(
    Array.from({ length: PLACES }, () => openRawCaller(gateway, '/console/api/sign-in', length)),
  );
  await eventually('running requests', busiest, (count) => count === PLACES);
  expect((await get(gateway, '/v1/models')).status).toBe(429);
  for (const caller of callers) caller.leave();
  await eventually('running requests', busiest, (count) => count === 0);
});

test('connections whose headers do not arrive are closed, also if they send some', async () => {
  const { hostname, port } = new URL(gateway.url);
  const begun = 'POST /v1/messages HTTP/1.1\r\nHost: a\r\n';
  const closed = Array.from({ length: 3 * STILL }, (_, at) => {
    const socket = connect(Number(port), hostname);
    const sent = at % 3;
    if (sent > 0) socket.write(begun);
    const drip = setInterval(
      () => sent === 2 && socket.writable && socket.write('x-a: b\r\n'),
      1_000,
    );
    return new Promise<void>((resolve) => {
      socket
        .on('error', () => {})
        .on('close', () => {
          clearInterval(drip);
          resolve();
        });
      socket.resume();
    });
  });
  await Promise.all(closed);
  expect(await busiest()).toBe(0);
}, 180_000);
