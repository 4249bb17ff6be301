/**
 * Tests the health of routes over HTTP: circuit breakers, cooldowns, probes and session affinity.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { admin, wallet } from './support/history/ledger-views.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, at, CHAT, get, hello, listAt } from './support/wire.ts';

let left: ScriptedUpstream;
let right: ScriptedUpstream;
let gateway: GatewayProcess;

/** The models, one for each test, so that no circuit breaker counts failures of another test. */
const MODELS = ['out', 'limited', 'back', 'sessions', 'hanging', 'probed'] as const;

/**
 * Returns the settings of a model. Only the model whose upstreams hang has a short deadline,
 * because a busy machine may exceed it for the others.
 */
const model = (id: string): string => `
  ${id}:
    kind: chat
    maker: gen
    context_window: 100000
    max_output: 10000
    default_channel: direct
    timeouts: ${id === 'hanging' ? '{ first_byte: 1s }' : '{}'}
    channels:
      direct:
        price: { input: "1.00", output: "2.00" }
        routes:
          - { upstream: left, model: ${id} }
          - { upstream: right, model: ${id} }
`;

const upstream = (name: string, host: string): string =>
  `\n  ${name}: { protocol: openai, base_url: "http://${host}/v1", api_key: "sk-x", allow_private: true }`;

/**
 * The time limit of tests that wait for a probe. A circuit breaker is open for five seconds before
 * it allows a probe.
 */
const PROBE_TEST_MS = 180_000;

beforeAll(async () => {
  left = await startScriptedUpstream();
  right = await startScriptedUpstream();
  gateway = await startGateway({
    config: shippedConfig({
      '\nupstreams:\n': `\nupstreams:\n${upstream('left', left.host)}${upstream('right', right.host)}\n`,
      '\nmodels:\n': `\nmodels:\n${MODELS.map(model).join('')}`,
      '# health: { probe: true, probe_after: 30s }': 'health: { probe_after: 0s }',
    }),
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  left.stop();
  right.stop();
});

const answer = () =>
  Response.json({
    id: 'chatcmpl-up',
    object: 'chat.completion',
    created: 1,
    model: 'there',
    choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
const fails = () => Response.json({ error: { message: 'out of order' } }, { status: 500 });

const send = (id: (typeof MODELS)[number], headers: Readonly<Record<string, string>> = {}) =>
  ask(gateway, CHAT, { ...hello.chat, model: id, stream: false }, headers);

const callsOf = ({ calls }: ScriptedUpstream, id: string) =>
  calls.filter(({ body }) => at(body, 'model') === id);

const routesOf = async (id: string): Promise<readonly unknown[]> => {
  const { text } = await admin(gateway, 'GET', '/routes');
  return listAt(JSON.parse(text), 'data').filter((route) => at(route, 'model') === id);
};
const standings = async (id: string) =>
  (await routesOf(id)).map((route) => `${at(route, 'upstream')} ${at(route, 'standing')}`);

test('a failing route gets no more requests, and callers do not notice', async () => {
  left.script(fails);
  right.script(answer);
  // Each request selects its first route at random. Five consecutive failures open a circuit
  // breaker.
  await eventually(
    'the breaker opens',
    async () => {
      expect((await send('out')).status).toBe(200);
      return await standings('out');
    },
    (now) => now.includes('left open'),
  );
  // An open breaker stays open for five seconds. If the ten requests do not fall into one such
  // period, they are sent again.
  await eventually(
    'some requests within a pause',
    async () => {
      const [before] = await routesOf('out');
      const asked = callsOf(left, 'out').length;
      for (let i = 0; i < 10; i++) expect((await send('out')).status).toBe(200);
      const more = callsOf(left, 'out').length - asked;
      const [after] = await routesOf('out');
      const isOnePause = [before, after].every((it) => at(it, 'standing') === 'open');
      return isOnePause && at(before, 'since') === at(after, 'since') ? more : null;
    },
    (more) => {
      expect(more ?? 0).toBe(0);
      return more === 0;
    },
  );
  const [sick, well] = await routesOf('out');
  expect(at(sick, 'success_rate')).toBe(0);
  expect(at(sick, 'last_failure.code')).toBe('upstream_failed');
  expect(String(at(sick, 'last_failure.cause'))).toContain('out of order');
  expect([at(well, 'standing'), at(well, 'success_rate')]).toEqual(['closed', 1]);
  expect(gateway.stderr()).toContain('a circuit breaker changed state');
});

describe('when every route is cooling down', () => {
  const pause = (seconds: number) => () =>
    new Response('{}', { status: 429, headers: { 'retry-after': String(seconds) } });

  test('callers get the time to wait, no upstream is called, and no money is held', async () => {
    left.script(pause(50));
    right.script(pause(50));
    expect((await send('limited')).status).toBe(503);
    const asked = () => callsOf(left, 'limited').length + callsOf(right, 'limited').length;
    expect(asked()).toBe(2);
    const refused = await send('limited');
    expect([refused.status, refused.at('error.code')]).toEqual([503, 'upstream_overloaded']);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(50);
    expect(asked()).toBe(2);
    expect((await wallet(gateway)).held).toBe(0n);
    expect(await standings('limited')).toEqual(['left cooling', 'right cooling']);
  });

  test('requests are served again afterwards', async () => {
    left.script(pause(1));
    right.script(pause(1));
    expect((await send('back')).status).toBe(503);
    left.script(answer);
    right.script(answer);
    const back = await eventually(
      'the pause is over',
      () => send('back'),
      ({ status }) => status === 200,
    );
    expect(back.at('choices.0.message.content')).toBe('yes');
  });
});

test('requests of one session stay on one route, and many sessions use all routes', async () => {
  left.script(answer);
  right.script(answer);
  const homes = new Set<string>();
  for (let session = 0; session < 30; session++) {
    const asked = () => [left, right].map((upstream) => callsOf(upstream, 'sessions').length);
    const before = asked();
    for (let turn = 0; turn < 3; turn++) {
      await send('sessions', { 'x-session-id': `session ${session}` });
    }
    const more = asked().map((count, i) => count - (before[i] ?? 0));
    expect(more.toSorted()).toEqual([0, 3]);
    homes.add(more.join());
  }
  expect(homes.size).toBe(2);
});

test('fails over from a route that hangs, and counts the failure', async () => {
  left.script(() => new Promise(() => {}));
  right.script(() => new Promise(() => {}));
  const answered = await Promise.all(Array.from({ length: 5 }, () => send('hanging')));
  expect(answered.map(({ status }) => status)).toEqual([504, 504, 504, 504, 504]);
  expect(await standings('hanging')).toEqual(['left open', 'right open']);
  const down = {
    ...{ status: 'down', success_rate: null, first_byte_ms: null },
    ...{ tokens_per_second: null, uptime_90d: null },
  };
  expect((await get(gateway, '/v2/models/hanging')).at('channels.0.health')).toEqual(down);
});

test(
  'a route with an open breaker is probed before callers may use it',
  async () => {
    left.script(fails);
    right.script(fails);
    await eventually(
      'both breakers open',
      async () => {
        await send('probed');
        return await standings('probed');
      },
      (now) => now.join() === 'left open,right open',
    );
    left.script(answer);
    const known = callsOf(left, 'probed').length;
    await eventually(
      'the probe',
      () => standings('probed'),
      (now) => now.includes('left half_open'),
    );
    const probes = callsOf(left, 'probed').slice(known);
    expect(probes.map(({ body }) => body)).toEqual([
      {
        model: 'probed',
        messages: [{ role: 'user', content: 'Say ok.' }],
        max_tokens: 16,
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
  },
  PROBE_TEST_MS,
);
