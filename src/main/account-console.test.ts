/** Tests the console's API for accounts, on a complete gateway with two accounts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { awayFromMidnight } from '../../test/support/away-from-midnight.ts';
import { type Answer, joined, type Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

const CHAT = { model: 'gen-v4-flash', messages: [{ role: 'user', content: 'Say hello.' }] };
const NOT_THERE = 404;

let gateway: Gateway;
let contract: Contract;
let owner: Visit;
let member: Visit;
let reader: Visit;
let stranger: Visit;

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  contract = await contractOf(gateway);
  owner = await joined(gateway, 'owner');
  member = await joined(gateway, 'member');
  reader = await joined(gateway, 'read_only');
  stranger = await joined(gateway, 'owner', 'eve@example.com', { account_name: 'Eve Ltd' });
  // The timeout is long because hashing each password is slow.
}, 180_000);
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

/** Sends a request below `/console/api`, and checks the answer against `/openapi.json`. */
async function ask(
  visit: Visit,
  route: string,
  body: object | null = null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const whole = route.replace(' /', ' /console/api/');
  const answer = await visit.send(whole, body, headers);
  expect(contract.disagreement(whole, answer)).toBeNull();
  return answer;
}

const withKey = (secret: string, body: object = CHAT) =>
  new Request('http://gateway/v2/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Sends a playground request, and waits until the request is in the request log. */
async function played(visit: Visit): Promise<string> {
  const answer = await ask(visit, 'POST /chat/completions', { ...CHAT, stream: false });
  expect(answer.status).toBe(200);
  const id = answer.headers.get('x-request-id') ?? '';
  expect((await ask(visit, `GET /requests/${id}`)).status).toBe(200);
  return id;
}

test('the overview shows balances, runway and whether any request completed', async () => {
  await awayFromMidnight();
  const before = (await ask(owner, 'GET /overview')).body;
  expect(before.first_call_done).toBe(false);
  expect([before.runway_days, before.runway_currency]).toEqual([null, null]);
  await played(owner);
  const after = (await ask(reader, 'GET /overview')).body;
  expect(after).toMatchObject({
    account: { name: 'default' },
    first_call_done: true,
    requests_last_7_days: 1,
    failed_last_7_days: 0,
    recent_requests: [{ outcome: 'completed' }],
  });
  expect(after.runway_days).toBeGreaterThan(0);
  expect(after.runway_currency).toBe('USD');
  expect(after.spend).toHaveLength(1);
  expect(after.spend[0].today).toBe(after.spend[0].last_30_days);
  const wallets = (await ask(reader, 'GET /wallets')).body.data;
  expect(after.wallets).toEqual(wallets);
});

/** Returns the playground keys of a person, oldest first. */
async function playgroundKeys(visit: Visit, of: string) {
  const { data } = (await ask(visit, `GET /keys?created_by=${of}`)).body;
  return data.filter((key: { purpose: string | null }) => key.purpose === 'playground');
}

test('the keys of a removed person stay, are listed, and can be disabled with the removal', async () => {
  for (const [keys, status] of [
    ['keep', 'active'],
    ['disable', 'disabled'],
  ] as const) {
    const email = `leaving-${keys}@example.com`;
    const leaving = await joined(gateway, 'member', email);
    const made = (await ask(leaving, 'POST /keys', { name: 'theirs' })).body;
    const gone = (await ask(leaving, 'POST /keys', { name: 'revoked' })).body;
    await ask(leaving, `DELETE /keys/${gone.id}`);
    await played(leaving);
    const { created_by: id } = made;
    expect(made.created_by_name).toBe('member');
    const { data } = (await ask(owner, `GET /keys?created_by=${id}`)).body;
    expect(data.map((key: { name: string }) => key.name)).toEqual([
      ...['theirs', 'revoked', 'Playground · member'],
    ]);
    const removed = await ask(owner, `DELETE /members/${id}?keys=${keys}`);
    expect(removed.body).toEqual({
      ...{ id, removed: true },
      keys: [{ id: made.id, name: 'theirs', masked: made.masked, status }],
    });
    const left = (await ask(owner, `GET /keys/${made.id}`)).body;
    expect(left).toMatchObject({ status, created_by: id, created_by_name: null });
    const [playground] = await playgroundKeys(owner, id);
    expect(playground).toMatchObject({ status: 'revoked', name: 'Playground · member' });
    const answer = await gateway.edge.fetch(withKey(made.secret));
    expect(answer.status).toBe(status === 'active' ? 200 : 401);
    await answer.text();
  }
  expect((await ask(owner, 'DELETE /members/x?keys=all')).body.error.param).toBe('keys');
});

test('members change only the keys they made themselves, and owners all', async () => {
  const keyOf = async (visit: Visit) => (await ask(visit, 'POST /keys', { name: 'mine' })).body;
  const theirs = await keyOf(owner);
  const own = await keyOf(member);
  const first = (await ask(reader, 'GET /keys')).body.data[0];
  await played(member);
  const playground = (await playgroundKeys(reader, own.created_by)).at(-1);
  expect(first.created_by).toBeNull();
  expect(own.created_by).not.toBe(theirs.created_by);
  const changes = (id: string) =>
    [
      [`PATCH /keys/${id}`, { limits: { spend: { day: null } } }],
      [`POST /keys/${id}/rotate`, {}],
      [`POST /keys/${id}/disable`, {}],
      [`POST /keys/${id}/enable`, {}],
      [`DELETE /keys/${id}`, null],
    ] as const;
  for (const { id } of [theirs, first, playground]) {
    const before = (await ask(member, `GET /keys/${id}`)).body;
    for (const [route, body] of changes(id)) {
      const refused = await ask(member, route, body);
      expect([route, refused.status, refused.body.error.code]).toEqual([route, 403, 'not_allowed']);
    }
    expect((await ask(owner, `GET /keys/${id}`)).body).toEqual(before);
  }
  for (const [visit, { id }] of [
    [member, own],
    [owner, await keyOf(member)],
    [owner, playground],
  ] as const) {
    for (const [route, body] of changes(id))
      expect([route, (await ask(visit, route, body)).status]).toEqual([route, 200]);
  }
});

test('people of a suspended account read and leave, but change nothing', async () => {
  const eve = (await ask(stranger, 'GET /overview')).body.account.id;
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const suspend = (status: string) =>
    stranger.send(`PATCH /admin/v1/accounts/${eve}`, { status }, admin);
  const made = (await ask(stranger, 'POST /keys', { name: 'before' })).body;
  expect((await suspend('suspended')).status).toBe(200);
  for (const route of [
    'POST /keys',
    `POST /keys/${made.id}/rotate`,
    'POST /chat/completions',
    'POST /invitations',
    'POST /redeem',
    'PUT /alerts',
  ]) {
    const refused = await ask(stranger, route, {});
    expect([route, refused.status, refused.body.error.code]).toEqual([route, 403, 'not_allowed']);
    expect(refused.body.error.message).toContain('suspended');
  }
  expect((await ask(stranger, 'GET /ledger')).status).toBe(200);
  expect((await stranger.signIn('eve@example.com')).status).toBe(200);
  expect((await ask(stranger, 'PATCH /profile', { name: 'Eve' })).status).toBe(200);
  await suspend('active');
  expect((await ask(stranger, 'POST /keys', { name: 'after' })).status).toBe(201);
});

test('the playground generates images', async () => {
  const drawn = await ask(owner, 'POST /images/generations', { model: 'img-2', prompt: 'a cat' });
  expect([drawn.status, drawn.body.data.length]).toEqual([200, 1]);
});

test('creates a key once per Idempotency-Key, then disables, enables, rotates and revokes it', async () => {
  const once = { 'idempotency-key': 'a key for the tests' };
  const made = await ask(owner, 'POST /keys', { name: 'ci' }, once);
  const again = await ask(owner, 'POST /keys', { name: 'ci' }, once);
  expect([made.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(made.body);
  const { id, secret } = made.body;
  const status = async (): Promise<number> =>
    (await gateway.edge.fetch(withKey(secret, { ...CHAT, stream: false }))).status;
  expect(await status()).toBe(200);
  expect((await ask(owner, `POST /keys/${id}/disable`, {})).body.status).toBe('disabled');
  const refused = await gateway.edge.fetch(withKey(secret));
  expect([refused.status, (await refused.json()).error.message]).toEqual([
    401,
    'This API key is disabled. Enable it in the console, or use another key.',
  ]);
  expect((await ask(owner, `PATCH /keys/${id}`, { name: 'ci 2' })).body).toMatchObject({
    name: 'ci 2',
    status: 'disabled',
  });
  expect((await ask(owner, `POST /keys/${id}/enable`, {})).body.status).toBe('active');
  expect(await status()).toBe(200);
  expect((await ask(owner, `POST /keys/${id}/rotate`, { overlap: '0s' })).status).toBe(200);
  expect(await status()).toBe(401);
  expect((await ask(owner, `DELETE /keys/${id}`)).body.status).toBe('revoked');
  const gone = await ask(owner, `POST /keys/${id}/enable`, {});
  expect([gone.status, gone.body.error.code]).toEqual([409, 'conflict']);
});

test('the audit log names the person', async () => {
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const route = 'GET /admin/v1/audit?action=key.disable';
  const entries = await reader.send(route, null, admin);
  expect(contract.disagreement(route, entries)).toBeNull();
  expect(entries.body.data[0].actor).toStartWith('usr_');
});

test('a running stream ends when its key is disabled', async () => {
  const { body } = await ask(owner, 'POST /keys', { name: 'streams' });
  const prompt = 'Count from 1 to 2000, each number on its own line.';
  const long = { ...CHAT, stream: true, messages: [{ role: 'user', content: prompt }] };
  const answer = await gateway.edge.fetch(withKey(body.secret, long));
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  for await (const bytes of answer.body ?? []) {
    if (chunks.length === 0) await ask(owner, `POST /keys/${body.id}/disable`, {});
    chunks.push(decoder.decode(bytes, { stream: true }));
  }
  expect(chunks.join('')).toContain('This API key is disabled.');
});

test('a CSV file ends with its totals', async () => {
  await played(owner);
  const headers = { cookie: owner.browser.cookie };
  const url = 'http://gateway/console/api/usage?group_by=model&format=csv';
  const file = await (await gateway.edge.fetch(new Request(url, { headers }))).bytes();
  expect([...file.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [header = '', ...lines] = new TextDecoder().decode(file).trimEnd().split('\r\n');
  expect(header).toStartWith('day,model,');
  expect(lines.at(-1)).toStartWith('total,');
  const { total } = (await ask(owner, 'GET /usage?group_by=model')).body;
  const last = total.at(-1);
  expect(lines.at(-1)?.split(',')[header.split(',').indexOf('charge')]).toBe(last.charge);
});

describe('another account', () => {
  /** Expects the same 404 for an object of another account as for an unknown id. */
  async function refusalsOf(route: (id: string) => string, id: string, body: object | null = null) {
    const never = id.slice(0, -4) + (id.endsWith('0000') ? '1111' : '0000');
    const [theirs, none] = await Promise.all([
      ask(stranger, route(id), body),
      ask(stranger, route(never), body),
    ]);
    expect([theirs.status, none.status]).toEqual([NOT_THERE, NOT_THERE]);
    const words = (answer: Answer, of: string): string =>
      String(answer.body.error.message).replaceAll(of, 'ID');
    expect(words(theirs, id)).toBe(words(none, never));
  }

  test('has keys that cannot be read or changed', async () => {
    const { body: key } = await ask(owner, 'POST /keys', { name: 'mine' });
    await refusalsOf((id) => `GET /keys/${id}`, key.id);
    await refusalsOf((id) => `PATCH /keys/${id}`, key.id, { name: 'theirs' });
    await refusalsOf((id) => `POST /keys/${id}/rotate`, key.id, {});
    await refusalsOf((id) => `POST /keys/${id}/disable`, key.id, {});
    await refusalsOf((id) => `POST /keys/${id}/enable`, key.id, {});
    await refusalsOf((id) => `DELETE /keys/${id}`, key.id);
    const { secret: _, ...shown } = key;
    expect((await ask(owner, `GET /keys/${key.id}`)).body).toEqual(shown);
    const listed = (await ask(stranger, 'GET /keys')).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain(key.id);
  });

  test('has requests, movements, usage and balances that cannot be read', async () => {
    const id = await played(owner);
    await refusalsOf((of) => `GET /requests/${of}`, id);
    expect((await ask(stranger, `GET /requests?id=${id}`)).body.data).toEqual([]);
    expect((await ask(owner, `GET /requests?id=${id.slice(0, 20)}`)).body.data).toMatchObject([
      { id },
    ]);
    for (const list of ['requests', 'ledger', 'usage', 'top-ups']) {
      expect([list, (await ask(stranger, `GET /${list}`)).body.data]).toEqual([list, []]);
    }
    const bars = (await ask(stranger, 'GET /requests/histogram')).body.data;
    expect(bars.every((bar: { requests: number }) => bar.requests === 0)).toBe(true);
    const wallets = (await ask(stranger, 'GET /wallets')).body.data;
    expect(wallets.every((it: { balance: string }) => Number(it.balance) === 0)).toBe(true);
  });

  test('cannot be selected by any parameter', async () => {
    for (const list of ['requests', 'requests/histogram', 'usage']) {
      const asked = await ask(stranger, `GET /${list}?account_id=acc_1`);
      expect([list, asked.status, asked.body.error.param]).toEqual([list, 400, 'account_id']);
    }
  });
});

test('an owner redeems a code, and is logged for it', async () => {
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const batch = { currency: 'USD', amount: '5', count: 1, reason: 'a test' };
  const { body } = await owner.send('POST /admin/v1/redeem-batches', batch, admin);
  const code = { code: body.codes[0] };
  expect((await ask(reader, 'POST /redeem', code)).status).toBe(403);
  expect((await ask(owner, 'POST /redeem', code)).body.amount).toBe('5.000000000');
  expect((await ask(owner, 'POST /redeem', code)).body.already_applied).toBe(true);
  const cards = await ask(owner, 'GET /top-ups');
  expect(cards.body).toEqual({
    card_limits: null,
    bonuses: { USD: [], CNY: [] },
    data: [],
    next: null,
  });
  const refused = await ask(owner, 'POST /top-ups', { amount: '5', currency: 'USD' });
  expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
});

test('an owner sets thresholds, which trigger alerts', async () => {
  expect((await ask(reader, 'PUT /alerts', { USD: '1' })).status).toBe(403);
  const set = await ask(owner, 'PUT /alerts', { USD: '1000000' });
  expect(set.body).toMatchObject({ USD: '1000000.000000000', CNY: null });
  const usd = (await ask(owner, 'GET /wallets')).body.data.find(
    (it: { currency: string }) => it.currency === 'USD',
  );
  expect(usd).toMatchObject({ is_low: true, low_below: '1000000.000000000' });
});

test('a change of thresholds or of a role that is made from outdated ones is refused', async () => {
  const { data } = (await ask(owner, 'GET /members')).body;
  const person = data.find((it: { role: string }) => it.role === 'read_only');
  const thresholds = (await ask(owner, 'GET /alerts')).body;
  for (const [route, { etag }, first, second] of [
    ['PUT /alerts', thresholds, { USD: '3' }, { USD: '4' }],
    [`PATCH /members/${person.id}`, person, { role: 'member' }, { role: 'owner' }],
  ] as const) {
    const change = (body: object, tag: string) => ask(owner, route, body, { 'if-match': tag });
    const one = await change(first, etag);
    expect([route, one.status]).toEqual([route, 200]);
    const { status, body } = await change(second, etag);
    expect([route, status, body.error.code]).toEqual([route, 412, 'revision_changed']);
    expect([route, (await change(second, one.body.etag)).status]).toEqual([route, 200]);
  }
  expect((await ask(owner, `GET /members/${person.id}`)).body.role).toBe('owner');
  await ask(owner, `PATCH /members/${person.id}`, { role: 'read_only' });
});

test('administrators read cards, rates and settings, without secrets', async () => {
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const read = async (route: string): Promise<Answer['body']> => {
    const answer = await owner.send(`GET /admin/v1/${route}`, null, admin);
    expect(contract.disagreement(`GET /admin/v1/${route}`, answer)).toBeNull();
    return answer.body;
  };
  const first = await read('cards?limit=2');
  const second = await read(`cards?limit=2&after=${first.next}`);
  expect(first.data).toHaveLength(2);
  expect(second.data[0].id).not.toBe(first.data[1].id);
  expect((await read('cards?model=img-2')).data[0]).toMatchObject({
    in_force: true,
    per_1m_tokens: null,
    price_terms: null,
    effective_from: null,
    ...{ source: null, review: null, review_due: false },
    per_image: { '1024x1024': expect.any(String) },
  });
  expect((await read('fx-rates')).data).toMatchObject([{ from: 'USD', to: 'CNY', in_force: true }]);
  const settings = await read('settings');
  const token = settings.data.find((it: { name: string }) => it.name === 'admin_token');
  expect(token).toMatchObject({ value: '***' });
  expect(JSON.stringify(settings)).not.toContain(ADMIN_TOKEN);
});
