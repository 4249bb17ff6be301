/** Tests that money moves only once when an administrator's request is sent twice. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Answer, joined, Visit } from './console.fixture.ts';
import { newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

const folder = newFolder();
let gateway: Gateway;
let visit: Visit;
let accountId: string;

beforeAll(async () => {
  gateway = await openTestGateway(folder);
  visit = await joined(gateway, 'administrator');
  accountId = (await visit.send('GET /admin/v1/accounts')).body.data[0].id;
}, 180_000);
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

const CHAT = { model: 'gen-v4-flash', messages: [{ role: 'user', content: 'Say hello.' }] };

type Order = { readonly path: string; readonly body: object };

const ordersOf = (requestId: string): readonly Order[] => [
  {
    path: `/accounts/${accountId}/credits`,
    body: { amount: '12.345678901', currency: 'USD', reason: 'paid' },
  },
  {
    path: `/accounts/${accountId}/adjustments`,
    body: { amount: '-0.000000001', currency: 'USD', reason: 'a nano too much' },
  },
  {
    path: `/accounts/${accountId}/exchanges`,
    body: { from: 'USD', to: 'CNY', amount: '7.1', reason: 'needs yuan' },
  },
  {
    path: `/requests/${requestId}/refund`,
    body: { amount: 'all', reason: 'was no answer' },
  },
];

const sent = (order: Order, at: number): Promise<Answer> =>
  visit.send(`POST /admin/v1${order.path}`, order.body, { 'idempotency-key': `order ${at}` });

/** Converts an amount of the API, which has nine decimals, to nano-units exactly. */
const nanoOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

async function balances(): Promise<Readonly<Record<string, bigint>>> {
  const { data } = (await visit.send('GET /console/api/wallets')).body;
  return Object.fromEntries(
    data.map((wallet: Record<string, string>) => [
      wallet['currency'],
      nanoOf(wallet['balance'] ?? ''),
    ]),
  );
}

test('twice at once, again, and after a restart', async () => {
  const asked = await visit.send('POST /console/api/chat/completions', { ...CHAT, stream: false });
  const requestId = asked.headers.get('x-request-id') ?? '';
  const request = (await visit.send(`GET /console/api/requests/${requestId}`)).body.data;
  expect(request.currency).toBe('CNY');
  const before = await balances();
  const orders = ordersOf(requestId);
  const first: Answer[] = [];
  for (const [at, order] of orders.entries()) {
    const both = await Promise.all([sent(order, at), sent(order, at)]);
    const done = both.filter(({ status }) => status === 201);
    const others = both.filter(({ status }) => status !== 201);
    expect(done.length).toBeGreaterThan(0);
    for (const { body } of others) expect(body.error.code).toBe('idempotency_in_progress');
    first.push(...done.slice(0, 1));
  }
  const after = await balances();
  const dollars = 12_345_678_901n - 1n - 1_000_000_000n;
  const yuan = 7_100_000_000n + nanoOf(request.cost);
  expect(after['USD']).toBe((before['USD'] ?? 0n) + dollars);
  expect(after['CNY']).toBe((before['CNY'] ?? 0n) + yuan);

  await gateway.close();
  gateway = await openTestGateway(folder);
  visit = new Visit(gateway, visit.browser);
  for (const [at, order] of orders.entries()) {
    const again = await sent(order, at);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first[at]?.body);
  }
  expect(await balances()).toEqual(after);
  const { data } = (await visit.send('GET /admin/v1/audit?limit=20')).body;
  for (const { body } of first) {
    const entries = data.filter(({ detail }: { detail: { id?: string } }) => detail.id === body.id);
    expect(entries).toHaveLength(1);
    expect(entries[0].actor).toStartWith('usr_');
  }
}, 180_000);
