import { beforeEach, expect, test } from 'bun:test';
import { ADMIN_TOKEN, openRoom } from '../caller/account-room.fixture.ts';

let room: ReturnType<typeof openRoom>;
beforeEach(() => {
  room = openRoom();
});

const get = (path: string) => room.send('GET', `/admin/v1${path}`, ADMIN_TOKEN);
const post = (path: string, body: unknown) =>
  room.send('POST', `/admin/v1${path}`, ADMIN_TOKEN, body);

async function newAccount(name = 'Acme'): Promise<string> {
  return (await post('/accounts', { name })).body.id;
}

test('every route refuses an inference key and a wrong token', async () => {
  const account = await room.accounts.createAccount({ name: 'Acme' });
  const { secret } = await room.accounts.createKey(account.id, { name: 'ci' });
  const admin = room.routes.filter(({ path }) => path.startsWith('/admin/'));
  expect(admin.length).toBeGreaterThan(15);
  for (const { method, path } of admin) {
    for (const token of [secret.reveal(), `${ADMIN_TOKEN}x`, '']) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      expect((await room.send(method, path, token, body)).status).toBe(401);
    }
  }
});

test('creates, lists, shows and suspends an account', async () => {
  const created = await post('/accounts', { name: 'Acme', allow_exchange: false });
  expect(created.status).toBe(201);
  const id: string = created.body.id;
  expect(created.body).toMatchObject({
    id,
    name: 'Acme',
    status: 'active',
    allow_exchange: false,
    created_at: '2026-11-21T12:00:00.000Z',
  });
  const { data, next } = (await get('/accounts')).body;
  expect([data.length, next]).toEqual([1, null]);
  expect(data[0]).toMatchObject({ ...created.body, keys: 0, wallets: [{ currency: 'USD' }, {}] });
  expect((await get('/accounts?search=acm')).body.data).toHaveLength(1);
  expect((await get('/accounts?search=bcm')).body.data).toEqual([]);
  const shown = (await get(`/accounts/${id}`)).body;
  expect(shown.wallets.map((it: { currency: string }) => it.currency)).toEqual(['CNY', 'USD']);
  const path = `/admin/v1/accounts/${id}`;
  const suspended = await room.send('PATCH', path, ADMIN_TOKEN, { status: 'suspended' });
  expect(suspended.body.status).toBe('suspended');
  expect((await get('/accounts/acc_none')).status).toBe(404);
});

test('books a credit once per id, and refuses another one with that id', async () => {
  const id = await newAccount();
  const credit = { amount: '100.5', currency: 'USD', reason: 'invoice 7', id: 'inv-7' };
  const first = await post(`/accounts/${id}/credits`, credit);
  expect(first.status).toBe(201);
  expect(first.body).toEqual({
    id: 'inv-7',
    account_id: id,
    amount: '100.500000000',
    currency: 'USD',
    available: '100.500000000',
    already_applied: false,
  });
  const again = await post(`/accounts/${id}/credits`, credit);
  expect(again.status).toBe(200);
  expect(again.body).toEqual({ ...first.body, already_applied: true });
  expect(room.lowBalance.seen).toEqual([`${id} rose to 100.500000000 USD`]);
  expect(room.books.credits.get('inv-7')).toMatchObject({ source: 'top_up', reason: 'invoice 7' });
  const other = await post(`/accounts/${id}/credits`, { ...credit, amount: '1' });
  expect(other.status).toBe(409);
  expect(other.body.error).toMatchObject({ code: 'conflict', param: 'id' });
});

test('an invalid credit names its field and books nothing', async () => {
  const id = await newAccount();
  const good = { amount: '1', currency: 'USD', reason: 'why' };
  const bad: [string, unknown][] = [
    ['amount', { ...good, amount: '-1' }],
    ['amount', { ...good, amount: '0' }],
    ['amount', { ...good, amount: 1 }],
    ['amount', { ...good, amount: '1e3' }],
    ['amount', { ...good, amount: '0.0000000001' }],
    ['amount', { ...good, amount: '10000000.000000001' }],
    ['currency', { ...good, currency: 'EUR' }],
    ['reason', { ...good, reason: '  ' }],
    ['reason', { amount: '1', currency: 'USD' }],
    ['note', { ...good, note: 'x' }],
  ];
  for (const [param, body] of bad) {
    const answer = await post(`/accounts/${id}/credits`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toBe(param);
    expect(answer.body.error.message).toContain(param);
  }
  expect((await post('/accounts/acc_none/credits', good)).status).toBe(404);
  expect(room.books.credits.size).toBe(0);
});

test('shows a new key once, accepts it, and revokes it immediately', async () => {
  const id = await newAccount();
  const expires_at = '2027-01-31T00:00:00+08:00';
  const created = await post('/keys', { account_id: id, name: 'ci', expires_at });
  expect(created.status).toBe(201);
  expect(created.headers.get('cache-control')).toBe('no-store');
  const { secret, ...shown } = created.body;
  expect(shown).toMatchObject({ account_id: id, expires_at: '2027-01-30T16:00:00.000Z' });
  expect((await get('/keys')).body).toEqual({ data: [shown], next: null });
  expect((await get(`/keys/${shown.id}`)).body).toEqual(shown);
  expect((await room.send('GET', '/v1/key', secret)).status).toBe(200);
  const revoked = await room.send('DELETE', `/admin/v1/keys/${shown.id}`, ADMIN_TOKEN);
  expect(revoked.body).toMatchObject({ status: 'revoked', revoked_at: '2026-11-21T12:00:00.000Z' });
  expect((await room.send('GET', '/v1/key', secret)).status).toBe(401);
});

test('an invalid key names its field: a misspelled expiry creates no key', async () => {
  const id = await newAccount();
  const good = { account_id: id, name: 'ci' };
  const bad: [string, unknown][] = [
    ['expire_at', { ...good, expire_at: '2027-01-31T00:00:00Z' }],
    ['expires_at', { ...good, expires_at: 'tomorrow' }],
    ['expires_at', { ...good, expires_at: '2020-01-31T00:00:00Z' }],
    ['name', { account_id: id }],
    ['name', { ...good, name: 'a\nb' }],
    ['account_id', { name: 'ci' }],
  ];
  for (const [param, body] of bad) {
    const answer = await post('/keys', body);
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  }
  expect((await post('/keys', { ...good, account_id: 'acc_none' })).status).toBe(404);
  expect((await get('/keys')).body.data).toEqual([]);
});

test('lists are paged and continue at the cursor', async () => {
  for (const name of ['a', 'b', 'c']) {
    await newAccount(name);
    room.clock.advance(1);
  }
  const names = (body: { data: { name: string }[] }) => body.data.map((it) => it.name);
  const first = (await get('/accounts?limit=2')).body;
  expect(names(first)).toEqual(['a', 'b']);
  expect(names((await get(`/accounts?limit=2&after=${first.next}`)).body)).toEqual(['c']);
  const numbers = ['0', '1001', 'x', '', '0x5', '1e1', '%205', '1&limit=2'];
  for (const number of numbers)
    expect((await get(`/accounts?limit=${number}`)).body.error.param).toBe('limit');
  for (const place of ['zzz', '', '0x1', 'acc_%25'])
    expect((await get(`/accounts?after=${place}`)).body.error.param).toBe('after');
  expect((await get('/keys?account_id=acc_none')).status).toBe(404);
  expect((await get('/keys?acount_id=x')).body.error.param).toBe('acount_id');
});

test('ledger/verify counts all breaches and shows at most a hundred', async () => {
  expect((await get('/ledger/verify')).body).toEqual({ ok: true, breach_count: 0, breaches: [] });
  const breach = { invariant: 'zero_sum', subject: 'tx_1', detail: 'off by 1' };
  room.books.breaches = Array.from({ length: 150 }, () => breach);
  const { body } = await get('/ledger/verify');
  expect([body.ok, body.breach_count, body.breaches.length]).toEqual([false, 150, 100]);
  expect(body.breaches[0]).toEqual(breach);
});
