/** Tests over HTTP that owners can limit what a member spends with all their keys together. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { joined, type Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

setDefaultTimeout(180_000);
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const CHAT = {
  model: 'gen-v4-flash',
  messages: [{ role: 'user', content: 'Say hello.' }],
  max_tokens: 50,
  stream: false,
};

let gateway: Gateway;
let contract: Contract;
/** The owner of the first account. Its wallet has money. */
let eve: Visit;
/** A member of the first account. */
let bea: Visit;
let id: string;
let limits: string;

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  contract = await contractOf(gateway);
  eve = await joined(gateway, 'owner', 'eve@example.com');
  bea = await joined(gateway, 'member', 'bea@example.com');
  id = (await ask(bea, 'GET /console/api/session')).body.person.id;
  limits = `/console/api/members/${id}/limits`;
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
const set = (spend: object, headers = {}, visit = eve) =>
  ask(visit, `PUT ${limits}`, { limits: { spend } }, headers);
const newKey = async (): Promise<string> =>
  (await ask(bea, 'POST /console/api/keys', { name: 'of Bea' })).body.secret;
const call = (secret: string) =>
  eve.send('POST /v1/chat/completions', CHAT, { authorization: `Bearer ${secret}` });
const rowOf = async (visit: Visit) =>
  (await ask(visit, 'GET /console/api/members?search=bea')).body.data[0];

test('an owner sets and sees limits, and the member sees their own', async () => {
  const none = { day: null, week: null, month: null };
  const row = await rowOf(eve);
  expect([row.limits, row.spend.month.remaining]).toEqual([{ spend: none }, null]);
  expect((await ask(bea, 'GET /console/api/overview')).body.member).toBeNull();

  const made = await set({ day: '5', month: '50.00' }, { 'if-match': row.limits_etag });
  const spend = { day: '5.000000000', week: null, month: '50.000000000' };
  expect([made.status, made.body.limits]).toEqual([200, { spend }]);
  expect(made.body).toMatchObject({ id, name: 'member', etag: made.headers.get('etag') });
  expect(await rowOf(eve)).toMatchObject({
    limits: { spend },
    spend: { month: { spent: '0.000000000', remaining: '50.000000000' } },
    limits_etag: made.body.etag,
    etag: row.etag,
  });
  expect((await ask(eve, `GET /console/api/members/${id}`)).body.limits).toEqual({ spend });
  expect((await ask(bea, 'GET /console/api/overview')).body.member.limits).toEqual({ spend });
  const secret = await newKey();
  const own = await ask(bea, 'GET /v1/key', null, { authorization: `Bearer ${secret}` });
  expect(own.body.data.member.limits).toEqual({ spend });
  expect((await ask(eve, 'GET /console/api/overview')).body.member).toBeNull();
});

test('a change is refused if it is outdated, wrong, or of another account', async () => {
  const stale = await set({ day: '6' }, { 'if-match': '"an older one"' });
  expect([stale.status, stale.body.error.code]).toEqual([412, 'revision_changed']);
  for (const month of ['-1', 5, '0.0000000001']) {
    const { status, body } = await set({ month });
    expect([status, body.error.param]).toEqual([400, 'limits.spend.month']);
  }
  const total = await set({ total: '5' });
  expect(total.body.error.param).toBe('limits.spend.total');
  const zoe = await joined(gateway, 'owner', 'zoe@example.com', { account_name: 'Zoe Ltd' });
  for (const answer of [await set({ day: '1' }, {}, zoe), await ask(zoe, `GET ${limits}`)]) {
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  }
  const refused = await set({ day: null }, {}, bea);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'not_allowed']);
});

test('requests of all keys of the member stop at the limit, and go on when it is raised', async () => {
  const [first, second] = [await newKey(), await newKey()];
  const served = await call(first);
  expect(served.status).toBe(200);
  const { spent } = (await rowOf(eve)).spend.week;
  expect(Number(spent)).toBeGreaterThan(0);
  await set({ week: spent });
  for (const secret of [first, second]) {
    const { status, body } = await call(secret);
    expect([status, body.error.code, body.error.limit]).toEqual([
      ...[402, 'spend_limit_reached', 'member_week'],
    ]);
    expect(body.error.message).toContain('limit of the member who created this API key leaves 0');
  }
  const inPlayground = () => bea.send('POST /console/api/chat/completions', CHAT);
  const { status, body } = await inPlayground();
  expect([status, body.error.limit]).toEqual([402, 'member_week']);
  await set({ week: '10' });
  for (const answer of [await call(second), await inPlayground()]) expect(answer.status).toBe(200);
  expect(Number((await rowOf(eve)).spend.week.spent)).toBeGreaterThan(Number(spent));
});

test('administrators set limits too, also of a person who was removed', async () => {
  const account = (await ask(eve, 'GET /console/api/session')).body.person.account.id;
  const route = `/admin/v1/people/${id}/limits`;
  const set = await ask(eve, `PUT ${route}`, { limits: { spend: { day: '9' } } }, ADMIN);
  expect(set.body.limits.spend.day).toBe('9.000000000');
  const [row] = (
    await ask(eve, `GET /admin/v1/people?account_id=${account}&search=bea`, null, ADMIN)
  ).body.data;
  expect(row.limits_etag).toBe(set.body.etag);

  await ask(eve, `DELETE /console/api/members/${id}`);
  expect((await ask(eve, `GET ${route}`, null, ADMIN)).status).toBe(404);
  const there = `${route}?account_id=${account}`;
  const left = await ask(eve, `GET ${there}`, null, ADMIN);
  expect([left.body.name, left.body.limits.spend.day]).toEqual([null, '9.000000000']);
  expect((await ask(eve, `GET ${limits}`)).body).toEqual(left.body);
  const none = { limits: { spend: { day: null, week: null, month: null } } };
  expect((await ask(eve, `PUT ${there}`, none, ADMIN)).status).toBe(200);
  const { data } = (await ask(eve, `GET /admin/v1/audit?subject=${id}`, null, ADMIN)).body;
  const made = data.filter(({ action }: { action: string }) => action === 'person.limits');
  expect(made[0]).toMatchObject({ actor: 'admin', detail: { account_id: account } });
});
