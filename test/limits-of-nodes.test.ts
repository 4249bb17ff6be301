/** Tests the limits of keys with requests to three gateways on one PostgreSQL database. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import { type GatewayNodes, startNodes } from './support/gateways/gateway-nodes.ts';
import type { GatewayProcess } from './support/gateways/gateway-process.ts';
import { admin } from './support/history/ledger-views.ts';
import {
  openStream,
  type PacedUpstream,
  startPacedUpstream,
} from './support/upstreams/paced-upstream.ts';
import { ask, CHAT, hello } from './support/wire.ts';

const started = new AsyncDisposableStack();
let upstream: PacedUpstream;
let fleet: GatewayNodes;
let accountId: string;
beforeAll(async () => {
  upstream = await startPacedUpstream();
  started.defer(upstream.stop);
  fleet = started.use(await startNodes(3, { config: upstream.config() }));
  accountId = String((await admin(first(), 'GET', '/accounts')).at('data.0.id'));
  const credit = { amount: '100', currency: 'USD', reason: 'test' };
  expect((await admin(first(), 'POST', `/accounts/${accountId}/credits`, credit)).status).toBe(201);
});
afterAll(() => started.disposeAsync());

const first = (): GatewayProcess => {
  const [node] = fleet.nodes;
  if (node === undefined) throw new Error('no node');
  return node;
};

async function keyWith(limits: Readonly<Record<string, number>>): Promise<string> {
  const body = { account_id: accountId, name: 'limited', limits };
  const made = await admin(first(), 'POST', '/keys', body);
  expect(made.status).toBe(201);
  return String(made.at('secret'));
}

test('three nodes together admit 5 of a limit of 5 a minute, and say when to retry', async () => {
  const key = await keyWith({ requests_per_minute: 5 });
  const asking = fleet.nodes.flatMap(({ url }) =>
    Array.from({ length: 4 }, () => ask({ url, key }, CHAT, hello.chat)),
  );
  const answers = await Promise.all(asking);
  expect(answers.filter(({ status }) => status === 200).length).toBe(5);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBe(7);
  for (const { headers } of refused) {
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
});

test('a client that stays on one node gets its whole limit there', async () => {
  const key = await keyWith({ requests_per_minute: 60 });
  const asking = Array.from({ length: 60 }, () => ask({ ...first(), key }, CHAT, hello.chat));
  const statuses = (await Promise.all(asking)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBe(60);
});

test('three nodes run two of two concurrent requests, and another one when one ends', async () => {
  const key = await keyWith({ concurrency: 2 });
  const [a, b, c] = fleet.nodes.map(({ url }) => ({ url, key }));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three nodes');
  const running = [await openStream(a), await openStream(b)];
  for (const node of [a, b, c]) expect((await ask(node, CHAT, hello.chat)).status).toBe(429);
  upstream.release();
  for (const each of running) await each.rest();
  for (const node of [c, a, b, c]) {
    // On a busy machine, it takes a moment until this node knows that a request on another node has
    // ended.
    await eventually(
      'the place is free',
      async () => (await ask(node, CHAT, hello.chat)).status,
      (status) => status === 200,
    );
  }
});
