/** Tests that three nodes under load drain, disable and enable routes without a failed request. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import { type GatewayNodes, startNodes } from './support/gateways/gateway-nodes.ts';
import { type GatewayProcess, shippedConfig } from './support/gateways/gateway-process.ts';
import { breaches } from './support/history/ledger-views.ts';
import { type HostileCall, startHostileUpstream } from './support/upstreams/hostile-upstream.ts';
import { chatStream } from './support/upstreams/scripted-upstream.ts';
import { CHAT, hello, post } from './support/wire.ts';

setDefaultTimeout(180_000);

const started = new AsyncDisposableStack();
let fleet: GatewayNodes;
/**
 * `one` and `two`: the number of requests that the upstream of this name has received. `running`:
 * the number of requests that wait for `gate` now.
 */
const calls = { one: 0, two: 0, running: 0 };
/** A promise that delays the answers of upstream `one`; null if they are not delayed. */
let gate: Promise<void> | null = null;

async function answer({ head, chunk, endBody }: HostileCall): Promise<void> {
  const [first = '', ...rest] = chatStream('said');
  await head();
  await chunk(first);
  for (const piece of rest) await chunk(piece);
  await endBody();
}

beforeAll(async () => {
  const [one, two] = await Promise.all([startHostileUpstream(), startHostileUpstream()]);
  for (const upstream of [one, two]) started.defer(() => upstream.stop());
  one.script(async (call) => {
    calls.one += 1;
    const waits = gate;
    if (waits === null) return await answer(call);
    calls.running += 1;
    const [first = '', ...rest] = chatStream('said');
    // If the prompt contains `begun`, the first chunk is sent at once, and the rest after `gate`
    // resolves. Any other request gets its whole answer after `gate` resolves.
    const isBegun = JSON.stringify(call.body).includes('begun');
    if (isBegun) {
      await call.head();
      await call.chunk(first);
    }
    await waits;
    calls.running -= 1;
    if (!isBegun) return await answer(call);
    for (const piece of rest) await call.chunk(piece);
    await call.endBody();
  });
  two.script(async (call) => {
    calls.two += 1;
    await answer(call);
  });
  const upstream = (name: string, host: string): string =>
    `\n  ${name}: { protocol: openai, base_url: "http://${host}/v1", api_key: none, allow_private: true }`;
  const config = shippedConfig({
    '\nupstreams:\n': `\nupstreams:${upstream('one', one.host)}${upstream('two', two.host)}\n`,
    '\nmodels:\n': `
models:
  served:
    kind: chat
    maker: gen
    context_window: 100000
    max_output: 1000
    default_channel: direct
    channels:
      direct:
        price: { input: "1.00", output: "2.00" }
        routes:
          - { upstream: one, model: there, weight: 1000 }
          - { upstream: two, model: there }
      economical:
        price: { input: "1.00", output: "2.00" }
        routes: [{ upstream: one, model: there }]
`,
  });
  fleet = started.use(await startNodes(3, { config }));
});
afterAll(() => started.disposeAsync());

function nodeAt(at: number): GatewayProcess {
  const node = fleet.nodes[at];
  if (node === undefined) throw new Error(`no node ${at}`);
  return node;
}
const first = (): GatewayProcess => nodeAt(0);
const second = (): GatewayProcess => nodeAt(1);

/**
 * Sends a streaming request. Only upstream `one` serves the channel `economical`; both upstreams
 * serve the default channel.
 */
const send = async (node: GatewayProcess, content = 'Hello', provider: object = {}) => {
  const body = {
    ...{ model: 'served', stream: true, provider },
    messages: [{ role: 'user', content }],
  };
  const response = await post({ url: node.url, key: first().key }, CHAT, {
    ...hello.chat,
    ...body,
  });
  const text = await response.text();
  return { status: response.status, text, isWhole: text.trimEnd().endsWith('[DONE]') };
};

async function state(node: GatewayProcess, upstream: string, body: object) {
  const response = await fetch(`${node.url}/admin/v1/upstreams/${upstream}/state`, {
    method: 'POST',
    headers: { authorization: `Bearer ${node.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answered: Awaited<ReturnType<Response['json']>> = await response.json();
  return { status: response.status, body: answered };
}

/** Returns for each node whether the route of upstream `one` is `on` or `off`. */
const seen = (): Promise<readonly string[]> =>
  Promise.all(
    fleet.nodes.map(async (node) => {
      const response = await fetch(`${node.url}/metrics`, {
        headers: { authorization: `Bearer ${node.adminToken}` },
      });
      const text = await response.text();
      const off = 'modelgate_route_standing{upstream="one",model="there",standing="off"} 1';
      return text.includes(off) ? 'off' : 'on';
    }),
  );
const allAre = (wanted: string) => (states: readonly string[]) =>
  states.every((each) => each === wanted);
/** The time limit for a change to take effect on every node. */
const IN_FORCE_MS = 5_000;

test('draining under load on three nodes fails no request, and running ones finish', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const slow = fleet.nodes.map((node) => send(node, 'begun', { channel: 'economical' }));
  await eventually(
    'the slow streams run',
    () => calls.running,
    (count) => count === 3,
  );
  gate = null;
  const results: Awaited<ReturnType<typeof send>>[] = [];
  let isLoaded = true;
  const load = fleet.nodes.map(async (node) => {
    while (isLoaded) results.push(await send(node));
  });
  await eventually(
    'upstream one serves',
    () => calls.one,
    (count) => count > 20,
  );
  const drained = await state(second(), 'one', { state: 'drained', confirm: true });
  expect(drained).toMatchObject({
    status: 200,
    body: {
      state: 'drained',
      stops: [{ model: 'served', channel: 'economical', fallback: 'direct' }],
    },
  });
  await eventually('every node follows', seen, allAre('off'), IN_FORCE_MS);
  const before = { ...calls };
  await eventually(
    'upstream two serves',
    () => calls.two - before.two,
    (count) => count > 20,
  );
  expect(calls.one).toBe(before.one);
  expect(calls.running).toBe(3);
  resolve();
  for (const each of await Promise.all(slow))
    expect(each).toMatchObject({ status: 200, isWhole: true });
  await state(first(), 'one', { state: 'enabled' });
  await eventually('every node follows', seen, allAre('on'), IN_FORCE_MS);
  await eventually(
    'upstream one serves again',
    () => calls.one,
    (count) => count > before.one,
  );
  isLoaded = false;
  await Promise.all(load);
  expect(new Set(results.map(({ status, isWhole }) => `${status} ${isWhole}`))).toEqual(
    new Set(['200 true']),
  );
  expect(await breaches(first())).toEqual([]);
});

test('disabling moves requests without an answer to another route, and ends streams', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const waiting = send(first(), 'silent', { channel: 'economical' });
  const begun = send(second(), 'begun', { channel: 'economical' });
  await eventually(
    'both run',
    () => calls.running,
    (count) => count === 2,
  );
  await state(first(), 'one', { state: 'disabled', model: 'there', confirm: true });
  expect(await waiting).toMatchObject({ status: 200, isWhole: true });
  const cut = await begun;
  expect([cut.status, cut.isWhole]).toEqual([200, false]);
  expect(cut.text).toContain('taken out of service');
  const refused = await send(first(), 'Hello', {
    ...{ channel: 'economical', allow_fallbacks: false },
  });
  expect([refused.status, refused.text.includes('No provider of this channel')]).toEqual([
    503,
    true,
  ]);
  resolve();
  gate = null;
  // The operator's change aborted these attempts, so they do not count as failures of the route.
  const { body } = await routes();
  expect(body.data.find((route: { upstream: string }) => route.upstream === 'one')).toMatchObject({
    ...{ standing: 'closed', last_failure: null },
    out_of_service: { state: 'disabled', whole_upstream: false, by: 'admin' },
  });
  expect(await breaches(first())).toEqual([]);
});

async function routes() {
  const response = await fetch(`${first().url}/admin/v1/routes`, {
    headers: { authorization: `Bearer ${first().adminToken}` },
  });
  const body: Awaited<ReturnType<Response['json']>> = await response.json();
  return { body };
}
