/**
 * Tests top-ups with a complete gateway: codes, card payments, thresholds, and the command line.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { runCli } from '../cli/cli.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import { StripeStandIn, signedEvent, WEBHOOK_SECRET } from '../topups/stripe.fixture.ts';
import { joined } from './console.fixture.ts';
import {
  ADMIN_TOKEN,
  configFor,
  newFolder,
  openGatewayOn,
  openTestGateway,
  removeFolders,
} from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

let standIn: StripeStandIn;
let gateway: Gateway;
let key: string;

beforeAll(async () => {
  standIn = new StripeStandIn();
  const shipped = configFor(newFolder(), { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN });
  const bonuses = { USD: { '100': '5', '500': '7.5' }, CNY: {} };
  const payments = { stripe: stripeSettings() };
  const config: Config = { ...shipped, payments, top_ups: { bonuses } };
  gateway = await openGatewayOn(config);
  key = gateway.firstStart?.key.reveal() ?? '';
});
afterAll(async () => {
  await gateway.close();
  await standIn.stop();
  removeFolders();
});

const stripeSettings = () => ({
  secret_key: new Secret('sk_test_x'),
  webhook_secret: new Secret(WEBHOOK_SECRET),
  min: { USD: '5', CNY: '35' },
  max: { USD: '1000', CNY: '7000' },
  api_base: standIn.apiBase,
});

async function send(method: string, path: string, token: string, body?: unknown) {
  const response = await gateway.edge.fetch(
    new Request(`http://gateway${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
  return { status: response.status, body: await response.json() };
}
const asAdmin = (method: string, path: string, body?: unknown) =>
  send(method, `/admin/v1${path}`, ADMIN_TOKEN, body);
const asCaller = (method: string, path: string, body?: unknown) => send(method, path, key, body);

const BATCH = { currency: 'USD', amount: '2.50', count: 2, reason: 'fair' };

test('creates a batch, redeems codes under either prefix, shows and cancels it', async () => {
  const made = await asAdmin('POST', '/redeem-batches', BATCH);
  expect(made.status).toBe(201);
  const { id, codes } = made.body;
  expect(made.body).toMatchObject({ amount: '2.500000000', count: 2, used: 0, expires_at: null });
  const first = await asCaller('POST', '/v1/redeem', { code: codes[0] });
  expect([first.status, first.body.amount, first.body.already_applied]).toEqual([
    201,
    '2.500000000',
    false,
  ]);
  const again = await asCaller('POST', '/v2/redeem', { code: codes[0] });
  expect([again.status, again.body]).toEqual([200, { ...first.body, already_applied: true }]);
  const shown = await asAdmin('GET', `/redeem-batches/${id}`);
  expect(shown.body).toMatchObject({ used: 1, cancelled: 0 });
  expect(JSON.stringify(shown.body)).not.toContain('MG-');
  expect((await asAdmin('DELETE', `/redeem-batches/${id}`)).body).toMatchObject({ cancelled: 1 });
  expect((await asCaller('POST', '/v1/redeem', { code: codes[1] })).status).toBe(409);
  expect((await asCaller('POST', '/v1/redeem', { code: 'MG-00000' })).body.error.param).toBe(
    'code',
  );
  const { data } = (await asAdmin('GET', '/redeem-batches')).body;
  expect(data.map((it: { id: string }) => it.id)).toContain(id);
});

test('returns codes as CSV on request, and names the invalid field of a batch', async () => {
  const response = await gateway.edge.fetch(
    new Request('http://gateway/admin/v1/redeem-batches', {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, accept: 'text/csv' },
      body: JSON.stringify(BATCH),
    }),
  );
  expect(response.headers.get('content-type')).toContain('text/csv');
  expect(await response.text()).toMatch(/^code\r\n(?:MG(?:-\w{5}){5}\r\n){2}$/);
  for (const [field, value] of [
    ['count', 10_001],
    ['amount', '-1'],
    ['currency', 'EUR'],
    ['reason', ''],
    ['expires_at', '2020-01-01T00:00:00Z'],
  ] as const) {
    const refused = await asAdmin('POST', '/redeem-batches', { ...BATCH, [field]: value });
    expect([refused.status, refused.body.error.param]).toEqual([400, field]);
  }
});

describe('a card payment', () => {
  const webhook = async (body: Uint8Array<ArrayBuffer>, signature: string | null) => {
    const headers = signature === null ? {} : { 'stripe-signature': signature };
    const request = new Request('http://gateway/webhooks/stripe', {
      method: 'POST',
      headers,
      body,
    });
    return (await gateway.edge.fetch(request)).status;
  };

  const paid = (id: string, order: { id: string; url: string }, cents: number) => {
    const object = {
      id: order.url.split('/').at(-1),
      client_reference_id: order.id,
      payment_intent: `pi_${id}`,
      payment_status: 'paid',
      amount_total: cents,
      currency: 'usd',
    };
    const type = 'checkout.session.completed';
    return signedEvent({ id, type, object }, systemClock.nowMs());
  };

  test('is ordered, confirmed by a signed webhook, and credited once', async () => {
    const ordered = await asCaller('POST', '/v1/top-ups', { amount: '20', currency: 'USD' });
    expect(ordered.status).toBe(201);
    expect(ordered.body).toMatchObject({ amount: '20.000000000', currency: 'USD', status: 'open' });
    expect(ordered.body.bonus).toBe('0.000000000');
    expect(ordered.body.url).toStartWith('https://pay.example/');
    const event = await paid('evt_1', ordered.body, 2000);
    const before = await available();
    expect(await webhook(event.body, null)).toBe(400);
    expect(await webhook(event.body, `${event.signature}0`)).toBe(400);
    expect(await webhook(event.body, event.signature)).toBe(200);
    expect(await webhook(event.body, event.signature)).toBe(200);
    expect((await available()) - before).toBe(20);
    const shown = await asCaller('GET', `/v1/top-ups/${ordered.body.id}`);
    expect(shown.body).toMatchObject({ status: 'paid', url: null });
    expect((await asCaller('GET', '/v2/top-ups')).body.data).toEqual([shown.body]);
    const events = (await asAdmin('GET', '/payment-events')).body.data;
    expect(events).toMatchObject([{ id: 'evt_1', outcome: 'booked', order_id: ordered.body.id }]);
    expect((await asAdmin('GET', '/ledger/verify')).body.ok).toBe(true);
  });

  test('gets the bonus that is shown before it, as a movement and a figure of its own', async () => {
    const visitor = await joined(gateway, 'owner');
    const offered = await visitor.send('GET /console/api/top-ups');
    expect(offered.body.bonuses).toEqual({
      USD: [
        { from: '100.000000000', percent: '5' },
        { from: '500.000000000', percent: '7.5' },
      ],
      CNY: [],
    });
    const before = await available();
    const ordered = await asCaller('POST', '/v1/top-ups', { amount: '499.99', currency: 'USD' });
    expect([ordered.body.amount, ordered.body.bonus]).toEqual(['499.990000000', '24.999500000']);
    const event = await paid('evt_bonus', ordered.body, 49_999);
    for (let times = 0; times < 3; times++)
      expect(await webhook(event.body, event.signature)).toBe(200);
    expect((await available()) - before).toBeCloseTo(524.9895, 9);
    const { data } = (await visitor.send('GET /console/api/ledger')).body;
    expect(data.slice(0, 2)).toMatchObject([
      { kind: 'credit', source: 'bonus', amount: '24.999500000' },
      { kind: 'credit', source: 'card_payment', amount: '499.990000000' },
    ]);
    const books = (await asAdmin('GET', '/books')).body.data;
    expect(books).toContainEqual({ account: 'bonus', currency: 'USD', balance: '-24.999500000' });
    expect(books).toContainEqual({ account: 'revenue', currency: 'USD', balance: '0.000000000' });
    expect((await asAdmin('GET', '/ledger/verify')).body.ok).toBe(true);
  });

  test('requires a key, except for the webhook and the return page', async () => {
    const { paths } = (await send('GET', '/openapi.json', '')).body;
    const open: string[] = [];
    for (const [path, methods] of Object.entries(Object(paths))) {
      if (!/top-ups|webhooks|payment-events/.test(path)) continue;
      for (const method of Object.keys(Object(methods))) {
        const token = path.startsWith('/admin/') ? key : ADMIN_TOKEN;
        const request = new Request(`http://gateway${path.replace('{id}', 'x')}`, {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${token}` },
        });
        const { status } = await gateway.edge.fetch(request);
        if (status !== 401) open.push(`${method} ${path}`);
      }
    }
    expect(open).toEqual(['post /webhooks/stripe', 'get /top-ups/return']);
  });

  test('returns to a page in the language of the payer', async () => {
    for (const [language, text] of [
      ['en-US,en;q=0.9', 'nothing was charged'],
      ['zh-CN,zh;q=0.9', '您没有被扣款'],
    ] as const) {
      const page = await gateway.edge.fetch(
        new Request('http://gateway/top-ups/return?result=cancelled', {
          headers: { 'accept-language': language },
        }),
      );
      const html = await page.text();
      expect(html).toContain(text);
      expect(html).toContain(`<html lang="${language.slice(0, 2)}">`);
      expect(html).toContain('name="viewport"');
    }
  });

  test('does not exist without a provider', async () => {
    const plain = await openTestGateway(newFolder());
    for (const [method, path] of [
      ['POST', '/v1/top-ups'],
      ['GET', '/v1/top-ups/x'],
      ['POST', '/webhooks/stripe'],
      ['GET', '/admin/v1/payment-events'],
    ] as const) {
      const body = method === 'GET' ? null : '{}';
      const response = await plain.edge.fetch(
        new Request(`http://gateway${path}`, { method, body }),
      );
      expect([response.status, (await response.json()).error.code]).toEqual([404, 'unknown_url']);
    }
    await plain.close();
  });
});

const ETAG = /^"[\w-]{22}"$/;

test('sets and shows the thresholds of an account', async () => {
  const account = (await asAdmin('GET', '/accounts')).body.data[0].id;
  const path = `/accounts/${account}/alerts`;
  const configured = (await asAdmin('GET', path)).body.in_force;
  expect((await asAdmin('GET', path)).body).toMatchObject({ USD: null, CNY: null });
  expect((await asAdmin('PUT', path, { USD: '5' })).body).toEqual({
    USD: '5.000000000',
    CNY: null,
    in_force: { ...configured, USD: '5.000000000' },
    etag: expect.stringMatching(ETAG),
  });
  expect((await asAdmin('PUT', path, { CNY: '30', USD: null })).body).toEqual({
    USD: null,
    CNY: '30.000000000',
    in_force: { ...configured, CNY: '30.000000000' },
    etag: expect.stringMatching(ETAG),
  });
  for (const body of [{ USD: '-5' }, {}])
    expect((await asAdmin('PUT', path, body)).body.error.param).toBe('USD');
  expect((await asAdmin('PUT', '/accounts/acc_none/alerts', { USD: '1' })).status).toBe(404);
});

test('the command line creates, lists, shows and cancels codes', async () => {
  const run = async (...argv: string[]): Promise<string> => {
    let out = '';
    const print = (text: string): void => {
      out += text;
    };
    const none = async (): Promise<number> => 9;
    const exit = await runCli(
      argv,
      { stdout: print, stderr: print },
      {
        ...{ serve: none, check: none, doctor: none, migrate: none, restore: none },
        clock: systemClock,
        version: '0.0.0',
        fetch: async (request) => await gateway.edge.fetch(request),
        settings: async () => ({
          baseUrl: 'http://gateway',
          dataDir: '',
          adminToken: new Secret(ADMIN_TOKEN),
        }),
      },
    );
    return `${exit} ${out}`;
  };
  const made = await run(
    'redeem',
    'create',
    '3',
    '20',
    'usd',
    '--reason',
    'fair',
    '--expires',
    '90d',
  );
  expect(made).toMatch(
    /^0 (?:MG(?:-\w{5}){5}\n){3}\nSave the codes now: .*3 codes of 20\.000000000 USD/,
  );
  const id = /rdb_\w+/.exec(made)?.[0] ?? '';
  expect(await run('redeem', 'list')).toContain(id);
  expect(await run('redeem', 'show', id)).toContain('0 used, 0 canceled, 3 unused.');
  expect(await run('redeem', 'cancel', id)).toContain('0 used, 3 canceled, 0 unused.');
  expect((await run('redeem', 'show', id, '--json')).slice(2)).toContain('"cancelled": 3');
  expect(await run('redeem', 'create', 'x', '20', 'USD', '--reason', 'r')).toStartWith('2 ');
  expect(await run('redeem', 'show', 'rdb_none')).toStartWith('1 modelgate: There is no batch');
});

async function available(): Promise<number> {
  const { data } = (await asCaller('GET', '/v1/credits')).body;
  const usd = data.wallets.find((it: { currency: string }) => it.currency === 'USD');
  return Number(usd.available);
}
