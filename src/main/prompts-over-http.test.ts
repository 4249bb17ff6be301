/**
 * Tests the log of prompts over HTTP: it is off by default, and only some people can turn it on and
 * read it.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { joined, Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

setDefaultTimeout(180_000);
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };

let gateway: Gateway;
let contract: Contract;
let owner: Visit;
let stranger: Visit;

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  contract = await contractOf(gateway);
  owner = await joined(gateway, 'owner');
  stranger = await joined(gateway, 'owner', 'eve@example.com', { account_name: 'Eve Ltd' });
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

async function ask(visit: Visit, route: string, body: object | null = null, headers = {}) {
  const answer = await visit.send(route, body, headers);
  expect(contract.disagreement(route, answer)).toBeNull();
  return answer;
}

/**
 * Sends a chat request with the account's first key. Returns the request's id and the complete
 * answer.
 */
async function chat(content: string, stream: boolean) {
  const secret = gateway.firstStart?.key.reveal() ?? '';
  const body = { model: 'gen-v4-flash', stream, messages: [{ role: 'user', content }] };
  const {
    status,
    headers,
    body: answer,
  } = await new Visit(gateway).send('POST /v1/chat/completions', body, {
    authorization: `Bearer ${secret}`,
  });
  expect(status).toBe(200);
  return { id: headers.get('x-request-id') ?? '', answer };
}

const promptOf = (visit: Visit, id: string, headers = {}) =>
  ask(visit, `GET /console/api/requests/${id}/prompt`, null, headers);
const turned = (on: boolean, key_id: string | null = null) =>
  ask(owner, 'PUT /console/api/prompt-log', { key_id, on });

test('is off by default, on for an account or a key, and deleted at once', async () => {
  const before = await chat('Say hello.', false);
  expect((await promptOf(owner, before.id)).body).toEqual({ data: null });
  expect((await ask(owner, 'GET /console/api/prompt-log')).body).toEqual({
    ...{ data: [], kept_seconds: 30 * 24 * 3600 },
  });

  expect((await turned(true)).body.data).toMatchObject([{ key_id: null }]);
  const whole = await chat('Say hello to the blue whale.', false);
  const { data } = (await promptOf(owner, whole.id)).body;
  expect(data.prompt).toContain('Say hello to the blue whale.');
  expect(JSON.parse(data.answer)).toEqual(whole.answer);
  expect(data.is_cut).toBe(false);
  const streamed = await chat('Say hello.', true);
  expect((await promptOf(owner, streamed.id)).body.data.answer).toBe(streamed.answer);
  expect((await promptOf(stranger, whole.id)).body).toEqual({ data: null });

  const receipt = await ask(owner, `GET /console/api/requests/${whole.id}`);
  expect(JSON.stringify(receipt.body)).not.toContain('blue whale');
  const gone = `DELETE /console/api/requests/${whole.id}/prompt`;
  expect((await ask(stranger, gone)).body).toEqual({ deleted: 0 });
  expect((await ask(owner, gone)).body).toEqual({ deleted: 1 });
  expect((await promptOf(owner, whole.id)).body).toEqual({ data: null });
  expect((await ask(owner, 'DELETE /console/api/prompt-log/records')).body).toEqual({ deleted: 1 });

  expect((await turned(false)).body.data).toEqual([]);
  expect((await promptOf(owner, (await chat('Say hello.', false)).id)).body).toEqual({
    data: null,
  });
  const keys = (await ask(owner, 'GET /console/api/keys')).body.data;
  expect((await turned(true, keys[0].id)).body.data).toMatchObject([{ key_id: keys[0].id }]);
  const own = await chat('Say hello.', false);
  expect((await promptOf(owner, own.id)).body.data.request_id).toBe(own.id);
  const foreign = { key_id: keys[0].id, on: true };
  expect((await ask(stranger, 'PUT /console/api/prompt-log', foreign)).status).toBe(404);
  await turned(false, keys[0].id);
});

test('is changed and read by administrators only with an entry in the audit log', async () => {
  const [account] = (await ask(owner, 'GET /admin/v1/accounts', null, ADMIN)).body.data;
  const place = `/admin/v1/accounts/${account.id}/prompt-log`;
  const body = { key_id: null, on: true };
  expect((await ask(owner, `PUT ${place}`, body, ADMIN)).body.data).toMatchObject([
    { key_id: null, set_by: 'admin' },
  ]);
  const seen = (await ask(owner, 'GET /console/api/prompt-log')).body.data;
  expect(seen).toMatchObject([{ key_id: null, set_by: 'admin' }]);
  const { id } = await chat('Say hello.', false);
  const read = await ask(owner, `GET /admin/v1/requests/${id}/prompt`, null, ADMIN);
  expect(read.body.data.prompt).toContain('Say hello.');
  await ask(owner, `PUT ${place}`, { ...body, on: false }, ADMIN);
  const audit = await ask(owner, 'GET /admin/v1/audit?actor=admin', null, ADMIN);
  const actions = audit.body.data
    .filter(({ action }: { action: string }) => action.startsWith('prompt_log.'))
    .map(({ action, subject }: { action: string; subject: string }) => [action, subject]);
  expect(actions).toEqual([
    ['prompt_log.off', account.id],
    ['prompt_log.read', id],
    ['prompt_log.on', account.id],
  ]);
});

test('is read by an administrator who views the account only with an entry', async () => {
  const admin = await joined(gateway, 'administrator');
  await turned(true);
  const { id } = await chat('Say hello.', false);
  await turned(false);
  const { person } = (await ask(owner, 'GET /console/api/session')).body;
  await ask(admin, 'POST /console/api/view', { account_id: person.account.id });
  expect((await promptOf(owner, id)).body.data.request_id).toBe(id);
  expect((await promptOf(admin, id)).body.data.request_id).toBe(id);
  const all = await ask(owner, 'GET /admin/v1/audit?action=prompt_log.read', null, ADMIN);
  const { id: reader } = (await ask(admin, 'GET /console/api/session')).body.person;
  const found = all.body.data.filter(({ subject }: { subject: string }) => subject === id);
  expect(found).toMatchObject([{ actor: reader }]);
});
