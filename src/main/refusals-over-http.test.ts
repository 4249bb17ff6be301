/**
 * Tests the log of refused requests and failed attempts over HTTP: who can read it, and that a
 * shutdown saves it.
 */
import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../config/config.ts';
import { Visit } from './console.fixture.ts';
import { contractOf } from './contract.fixture.ts';
import {
  ADMIN_TOKEN,
  newFolder,
  openGatewayOn,
  openTestGateway,
  removeFolders,
} from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };

afterAll(removeFolders);

test('are found after a restart by their account and administrators, and counted', async () => {
  const folder = newFolder();
  const before = await openTestGateway(folder);
  const [alice, bob] = [await keyOf(before, 'Alice'), await keyOf(before, 'Bob')];
  const first = await refusedId(before, alice.secret, 'no-such-model', 404);
  const second = await refusedId(before, bob.secret, 'gen-v4-flash', 402);
  const third = await refusedId(before, alice.secret, 'another-model', 404);
  const own = { authorization: `Bearer ${alice.secret}` };
  const atOnce = await new Visit(before).send(`GET /v1/refusals/${third}`, null, own);
  expect(atOnce.status).toBe(200);
  await before.close();

  const gateway = await openTestGateway(folder);
  const contract = await contractOf(gateway);
  const get = async (path: string, headers: Readonly<Record<string, string>>) => {
    const answer = await new Visit(gateway).send(`GET ${path}`, null, headers);
    expect(contract.disagreement(`GET ${path}`, answer)).toBeNull();
    return answer;
  };
  const idsAt = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await get(path, headers)).body.data.map(({ id }: { id: string }) => id);
  expect(await idsAt('/v1/refusals', own)).toEqual([third, first]);
  expect(await idsAt(`/v1/refusals?id=${first}`, own)).toEqual([first]);
  expect(await idsAt(`/v1/refusals?id=${second}`, own)).toEqual([]);
  expect(await idsAt('/v1/refusals?model=another-model', own)).toEqual([third]);
  expect((await get(`/v1/refusals/${second}`, own)).status).toBe(404);
  const { body } = await get(`/v1/refusals/${first}`, own);
  expect(body.data).toMatchObject({ id: first, status: 404, code: 'model_not_found' });
  expect(Object.keys(body.data)).not.toContain('account_id');

  expect(await idsAt('/admin/v1/refusals', ADMIN)).toEqual([third, second, first]);
  const ofBob = `account_id=${bob.accountId}`;
  expect(await idsAt(`/admin/v1/refusals?${ofBob}`, ADMIN)).toEqual([second]);
  expect((await get(`/admin/v1/refusals/${second}`, ADMIN)).body.data).toMatchObject({
    ...{ account_id: bob.accountId, key_id: bob.keyId, model: 'gen-v4-flash' },
    ...{ status: 402, code: 'insufficient_balance' },
  });
  const counted = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await get(path, headers)).body.data.map(
      ({ code, requests }: { code: string; requests: number }) => [code, requests],
    );
  expect(await counted('/v1/refusals/counts', own)).toEqual([['model_not_found', 2]]);
  expect(await counted('/admin/v1/refusals/counts', ADMIN)).toEqual([
    ['insufficient_balance', 1],
    ['model_not_found', 2],
  ]);
  const csv = (await get('/v1/refusals?format=csv', own)).body;
  expect(csv.split('\r\n')).toHaveLength(4);
  await gateway.close();
});

const KEY = 'sk-provider-0123456789-WXYZ';
const FAILING = (base: string) => `
upstreams:
  broken: { protocol: openai, base_url: ${base}, api_key: ${KEY}, allow_private: true }
  builtin: { protocol: builtin }
models:
  gen-x:
    kind: chat
    maker: gen
    context_window: 1000
    max_output: 100
    default_channel: direct
    channels:
      direct:
        price: { input: "5.00", output: "25.00" }
        routes: [{ upstream: broken, model: x-there }]
`;

test('only administrators see what a provider answered to a failed attempt', async () => {
  const words = `the tenant blue-whale of ${KEY} is out of GPUs`;
  const provider = Bun.serve({
    port: 0,
    fetch: () => Response.json({ error: { message: words } }, { status: 500 }),
  });
  const folder = newFolder();
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, FAILING(`http://127.0.0.1:${provider.port}/v1`));
  const env = {
    ...{ MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN },
    MODELGATE_INIT_CREDIT: '9 USD',
  };
  const gateway = await openGatewayOn(loadConfig({ path, env }));
  const secret = gateway.firstStart?.key.reveal() ?? '';
  const own = { authorization: `Bearer ${secret}` };
  const visit = new Visit(gateway);
  const body = { model: 'gen-x', messages: [{ role: 'user', content: 'Hi' }] };
  const failed = await visit.send('POST /v1/chat/completions', body, own);
  expect([failed.status, failed.body.error.code]).toEqual([502, 'upstream_failed']);
  const id = failed.headers.get('x-request-id') ?? '';
  const seen = (await visit.send(`GET /admin/v1/requests/${id}`, null, ADMIN)).body.data;
  expect(seen.provider_errors).toMatchObject([
    { attempt: 1, upstream: 'broken', model: 'x-there', code: 'upstream_failed' },
  ]);
  expect(seen.provider_errors[0].answer).toContain('the tenant blue-whale of [hidden] is out');
  const mine = await visit.send(`GET /v1/requests/${id}`, null, own);
  for (const answer of [failed.body, mine.body]) {
    expect(JSON.stringify(answer)).not.toContain('blue-whale');
    expect(JSON.stringify(answer)).not.toContain('broken');
  }
  await gateway.close();
  await provider.stop(true);
});

async function keyOf(gateway: Gateway, name: string) {
  const visit = new Visit(gateway);
  const account = (await visit.send('POST /admin/v1/accounts', { name }, ADMIN)).body;
  const wanted = { account_id: account.id, name };
  const { id, secret } = (await visit.send('POST /admin/v1/keys', wanted, ADMIN)).body;
  return { accountId: String(account.id), keyId: String(id), secret: String(secret) };
}

async function refusedId(gateway: Gateway, secret: string, model: string, status: number) {
  const answer = await new Visit(gateway).send(
    'POST /v1/chat/completions',
    { model, messages: [{ role: 'user', content: 'Hi' }] },
    { authorization: `Bearer ${secret}` },
  );
  expect(answer.status).toBe(status);
  return answer.headers.get('x-request-id') ?? '';
}
