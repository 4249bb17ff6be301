/** Tests an account's webhook over HTTP. The test receives the calls on the loopback interface. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { setUp, type Visit } from './console.fixture.ts';
import { contractOf } from './contract.fixture.ts';
import {
  ADMIN_TOKEN,
  configFor,
  newFolder,
  openGatewayOn,
  removeFolders,
} from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

/** The timeout is long because the test starts a complete gateway and hashes a real password. */
setDefaultTimeout(180_000);

const got: { body: string; signature: string }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const signature = request.headers.get('x-modelgate-signature') ?? '';
    got.push({ body: await request.text(), signature });
    return new Response('words of the receiver', { status: got.length === 1 ? 500 : 204 });
  },
});

let gateway: Gateway;
let owner: Visit;
let contract: Awaited<ReturnType<typeof contractOf>>;
beforeAll(async () => {
  const config = configFor(newFolder(), { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN });
  const alerts = { ...config.alerts, account_webhooks: 'private' } as const;
  gateway = await openGatewayOn({ ...config, alerts });
  owner = await setUp(gateway);
  contract = await contractOf(gateway);
});
afterAll(async () => {
  await gateway.close();
  await receiver.stop(true);
  removeFolders();
});

async function send(route: string, body: object | null = null) {
  const answer = await owner.send(route, body);
  if (answer.status < 300) expect(contract.disagreement(route, answer)).toBeNull();
  return answer;
}

const WEBHOOK = '/console/api/alerts/webhook';

test('an owner sets a webhook, tests it, rotates its secret and removes it', async () => {
  expect((await send(`GET ${WEBHOOK}`)).body).toMatchObject({ on: true, url: null });
  expect((await send(`POST ${WEBHOOK}/test`, {})).status).toBe(404);
  const invalid = await send(`PUT ${WEBHOOK}`, { url: 'http://hooks.example/' });
  expect([invalid.status, invalid.body.error.param]).toEqual([400, 'url']);

  const url = `http://127.0.0.1:${receiver.port}/alerts?token=t`;
  const made = await send(`PUT ${WEBHOOK}`, { url });
  const { secret } = made.body;
  expect(secret).toMatch(/^whsec_/);
  expect((await send(`PUT ${WEBHOOK}`, { url })).body).toEqual({ secret: null });
  const shown = await send(`GET ${WEBHOOK}`);
  expect([shown.body.url, JSON.stringify(shown.body).includes('whsec_')]).toEqual([url, false]);

  const failed = await send(`POST ${WEBHOOK}/test`, {});
  expect(failed.body).toMatchObject({
    ...{ type: 'webhook.test', state: 'given_up', attempts: 1 },
    ...{ outcome: 'answered', outcome_detail: '500' },
    answer: 'The receiver answered 500.',
  });
  const { body: overlapping } = await send(`POST ${WEBHOOK}/secret`, {});
  expect(overlapping.secret).not.toBe(secret);
  expect((await send(`GET ${WEBHOOK}`)).body.earlier_secret_until).toMatch(/^\d{4}-/);
  const wrong = await send(`POST ${WEBHOOK}/secret`, { overlap: '31d' });
  expect([wrong.status, wrong.body.error.param]).toEqual([400, 'overlap']);
  const rotated = await send(`POST ${WEBHOOK}/secret`, { overlap: '0s' });
  expect((await send(`GET ${WEBHOOK}`)).body.earlier_secret_until).toBeNull();
  expect((await send(`POST ${WEBHOOK}/test`, {})).body).toMatchObject({ state: 'delivered' });
  const { body = '', signature = '' } = got.at(-1) ?? {};
  const [, seconds = ''] = /^t=(\d+),/.exec(signature) ?? [];
  const mac = createHmac('sha256', rotated.body.secret).update(`${seconds}.${body}`);
  expect(signature).toBe(`t=${seconds},v1=${mac.digest('hex')}`);

  const { data } = (await send(`GET ${WEBHOOK}/deliveries`)).body;
  expect(data.map(({ state }: { state: string }) => state).toSorted()).toEqual([
    ...['delivered', 'given_up'],
  ]);
  expect((await send(`DELETE ${WEBHOOK}`)).body).toMatchObject({ url: null });
  expect((await send(`DELETE ${WEBHOOK}`)).status).toBe(404);

  await send(`PUT ${WEBHOOK}`, { url });
  const [{ id }] = (await send('GET /admin/v1/accounts')).body.data;
  const seen = (await send(`GET /admin/v1/accounts/${id}/webhook`)).body;
  expect([seen.host, JSON.stringify(seen).includes('token')]).toEqual([new URL(url).host, false]);
  const removed = await send(`DELETE /admin/v1/accounts/${id}/webhook`);
  expect([removed.status, removed.body.host]).toEqual([200, null]);
  expect((await send(`GET ${WEBHOOK}`)).body.url).toBeNull();
  expect((await send(`DELETE /admin/v1/accounts/${id}/webhook`)).status).toBe(404);

  const audit = (await send('GET /admin/v1/audit')).body.data;
  const actions = audit.map(({ action }: { action: string }) => action);
  for (const verb of ['set', 'test', 'rotate', 'remove'])
    expect(actions).toContain(`account.webhook_${verb}`);
  expect(JSON.stringify(audit)).not.toContain('token=t');
});
