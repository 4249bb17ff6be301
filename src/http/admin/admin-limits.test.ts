import { beforeEach, expect, test } from 'bun:test';
import { Accounts } from '../../accounts/accounts.ts';
import { ChangeFeed } from '../../accounts/change-feed.ts';
import { NOTHING_HELD } from '../../ledger/nothing-held.fixture.ts';
import { ADMIN_TOKEN, openRoom } from '../caller/account-room.fixture.ts';
import { MEMBER_CHANGE } from '../console/people-schemas.ts';
import { serverTo } from '../edge/edge.fixture.ts';
import { checked } from '../edge/request-schema.ts';

const HOUR_MS = 3_600_000;

let room: ReturnType<typeof openRoom>;
let accountId: string;
let id: string;
let secret: string;

const admin = (method: string, path: string, body?: unknown) =>
  room.send(method, `/admin/v1${path}`, ADMIN_TOKEN, body);

beforeEach(async () => {
  room = openRoom();
  accountId = (await admin('POST', '/accounts', { name: 'Acme' })).body.id;
  const limits = { requests_per_minute: 60, spend: { day: '5' } };
  const { body } = await admin('POST', '/keys', { account_id: accountId, name: 'ci', limits });
  id = body.id;
  secret = body.secret;
});

async function audit(): Promise<readonly (readonly unknown[])[]> {
  const rows = await room.sql.query({ sql: 'SELECT * FROM audit ORDER BY id', params: [] });
  return rows.map((row) => [row['actor'], row['action'], row['subject'], row['detail']]);
}

test('changes only the named limits, and logs them with the actor', async () => {
  const limits = { spend: { day: null, month: '7.5' }, models: ['m'], ip_ranges: ['10.0.0.0/8'] };
  const { status, body } = await admin('PATCH', `/keys/${id}`, { limits });
  expect(status).toBe(200);
  expect(body.limits).toEqual({
    requests_per_minute: 60,
    tokens_per_minute: null,
    concurrency: null,
    models: ['m'],
    channels: null,
    ip_ranges: ['10.0.0.0/8'],
    spend: { day: null, week: null, month: '7.500000000', total: null },
  });
  expect((await admin('GET', `/keys/${id}`)).body).toEqual(body);
  const [actor, action, subject, detail] = (await audit()).at(-1) ?? [];
  expect([actor, action, subject]).toEqual(['admin', 'key.limit', id]);
  const { before, after } = JSON.parse(String(detail));
  expect(JSON.parse(before).spend.day).toBe('5.000000000');
  expect(Object.keys(JSON.parse(after))).toEqual(['models', 'ip_ranges', 'spend']);
  expect((await audit()).map(([, it]) => it)).toEqual([
    'account.create',
    'key.create',
    'key.limit',
  ]);
});

test('does not log a change without effect', async () => {
  await admin('PATCH', `/keys/${id}`, { name: 'ci', limits: { requests_per_minute: 60 } });
  expect((await audit()).length).toBe(2);
});

test('applies both of two concurrent changes', async () => {
  await Promise.all([
    admin('PATCH', `/keys/${id}`, { limits: { concurrency: 3 } }),
    admin('PATCH', `/keys/${id}`, { limits: { spend: { total: '9' } } }),
    admin('PATCH', `/keys/${id}`, { limits: { tokens_per_minute: 700 } }),
  ]);
  const { limits } = (await admin('GET', `/keys/${id}`)).body;
  expect([limits.concurrency, limits.tokens_per_minute, limits.spend.total]).toEqual([
    3,
    700,
    '9.000000000',
  ]);
});

test('accepts a cap below the spending, with nothing remaining', async () => {
  const day = Math.floor(room.clock.nowMs() / 86_400_000);
  await room.sql.query({
    sql: 'UPDATE spend_meter SET day = ?, in_day = ?, total = ? WHERE owner_id = ?',
    params: [day, 2_000_000_000n, 3_000_000_000n, id],
  });
  const { status, body } = await admin('PATCH', `/keys/${id}`, { limits: { spend: { day: '1' } } });
  expect(status).toBe(200);
  expect(body.spend.day).toEqual({
    spent: '2.000000000',
    remaining: '0.000000000',
    resets_at: '2026-11-22T00:00:00.000Z',
  });
  const key = (await room.send('GET', '/v1/key', secret)).body.data;
  expect([key.limit, key.limit_remaining, key.limit_reset]).toEqual([1, 0, 'daily']);
  expect(key.limits.requests_per_minute).toBe(60);
});

test('names the invalid field and suggests the right one', async () => {
  const bad: [string, unknown][] = [
    ['limits.request_per_minute', { limits: { request_per_minute: 5 } }],
    ['limits.spend.dya', { limits: { spend: { dya: '5' } } }],
    ['limits.spend.day', { limits: { spend: { day: '-1' } } }],
    ['limits.concurrency', { limits: { concurrency: 0 } }],
    ['limits.ip_ranges.0', { limits: { ip_ranges: ['10.0.0.1/8'] } }],
    ['limts', { limts: {} }],
  ];
  for (const [param, body] of bad) {
    const answer = await admin('PATCH', `/keys/${id}`, body);
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  }
  const { error } = (await admin('PATCH', `/keys/${id}`, bad[0]?.[1])).body;
  expect(error.message).toContain('did you mean requests_per_minute?');
});

test('says in words what a field of the wrong type must be', async () => {
  const message = async (body: unknown) =>
    (await admin('PATCH', `/keys/${id}`, body)).body.error.message;
  expect(await message({ limits: 'none' })).toBe('limits must be an object.');
  expect(await message({ limits: { spend: [] } })).toBe('limits.spend must be an object.');
  expect(() => checked(MEMBER_CHANGE, { role: 'admin' })).toThrow(
    'role must be one of read_only, member, owner, administrator.',
  );
});

test('accepts the old secret until the overlap ends, even if cached', async () => {
  const rotated = (await admin('POST', `/keys/${id}/rotate`, { overlap: '1h' })).body;
  expect(rotated.id).toBe(id);
  const status = async (key: string) => (await room.send('GET', '/v1/key', key)).status;
  room.clock.advance(HOUR_MS - 1);
  expect(await status(secret)).toBe(200);
  const asked = room.sql.asked;
  await room.accounts.authenticate(secret);
  expect(room.sql.asked).toBe(asked);
  room.clock.advance(1);
  await expect(room.accounts.authenticate(secret)).rejects.toThrow('was replaced');
  expect([await status(secret), await status(rotated.secret)]).toEqual([401, 200]);
});

test('refuses a second overlap, and 0s ends both secrets at once', async () => {
  const second = (await admin('POST', `/keys/${id}/rotate`, { overlap: '1h' })).body.secret;
  const refused = await admin('POST', `/keys/${id}/rotate`, {});
  expect([refused.status, refused.body.error.param]).toEqual([409, 'overlap']);
  expect(refused.body.error.message).toContain('2026-11-21T13:00:00.000Z');
  const status = async (key: string) => (await room.send('GET', '/v1/key', key)).status;
  expect([await status(secret), await status(second)]).toEqual([200, 200]);
  const last = (await admin('POST', `/keys/${id}/rotate`, { overlap: '0s' })).body.secret;
  expect([await status(secret), await status(second), await status(last)]).toEqual([401, 401, 200]);
  expect((await admin('POST', `/keys/${id}/rotate`, {})).status).toBe(200);
  expect(JSON.stringify(await audit())).not.toContain(last);
  expect((await admin('POST', `/keys/${id}/rotate`, { overlap: '31d' })).status).toBe(400);
});

test('refuses an address outside the ranges, and trusts only known proxies', async () => {
  await admin('PATCH', `/keys/${id}`, { limits: { ip_ranges: ['192.0.2.0/24', '2001:db8::/32'] } });
  const from = async (peer: string, forwarded: string | null) => {
    const headers = new Headers({ authorization: `Bearer ${secret}` });
    if (forwarded !== null) headers.set('x-forwarded-for', forwarded);
    const request = new Request('http://gateway/v1/key', { headers });
    return await room.edge.fetch(request, serverTo(peer));
  };
  expect((await from('::ffff:192.0.2.7', null)).status).toBe(200);
  expect((await from('10.0.0.1', '203.0.113.1, 2001:db8::1')).status).toBe(200);
  const refused = await from('10.0.0.1', '192.0.2.7, 203.0.113.1');
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('203.0.113.1');
});

test('another process sees a change after one poll', async () => {
  const { sql, clock } = room;
  const other = new Accounts({ inMemory: NOTHING_HELD, sql, clock, onLastUsedFailure: () => {} });
  const feed = new ChangeFeed({ sql, clock, onFailure: () => {} });
  feed.subscribe((change) => other.forget(change));
  await feed.poll();
  expect((await other.authenticate(secret)).limits.key.concurrency).toBeNull();
  await admin('PATCH', `/keys/${id}`, { limits: { concurrency: 2 } });
  expect((await other.authenticate(secret)).limits.key.concurrency).toBeNull();
  await feed.poll();
  expect((await other.authenticate(secret)).limits.key.concurrency).toBe(2);
  await admin('PATCH', `/accounts/${accountId}`, { limits: { models: [] } });
  await feed.poll();
  expect((await other.authenticate(secret)).limits.account.models).toEqual([]);
  await admin('DELETE', `/keys/${id}`);
  await feed.poll();
  await expect(other.authenticate(secret)).rejects.toThrow('revoked');
});

test('a failing feed reports once, keeps its position and misses nothing', async () => {
  const failures: unknown[] = [];
  const seen: string[] = [];
  const feed = new ChangeFeed({
    sql: room.sql,
    clock: room.clock,
    onFailure: (thrown) => failures.push(thrown),
  });
  feed.subscribe(({ action }) => seen.push(action));
  await feed.poll();
  await admin('PATCH', `/accounts/${accountId}`, { status: 'suspended' });
  room.sql.failure = new Error('away');
  await feed.poll();
  await feed.poll();
  room.sql.failure = null;
  await feed.poll();
  await feed.poll();
  expect([failures.length, seen]).toEqual([1, ['account.suspend']]);
});

test('a change that was reversed before the poll is not reported', async () => {
  const seen: string[] = [];
  const feed = new ChangeFeed({ sql: room.sql, clock: room.clock, onFailure: () => {} });
  feed.subscribe(({ action, subject }) => seen.push(`${action} ${subject}`));
  await feed.poll();
  for (const turn of ['disable', 'enable', 'disable']) await admin('POST', `/keys/${id}/${turn}`);
  await feed.poll();
  await admin('POST', `/keys/${id}/enable`);
  await feed.poll();
  expect(seen).toEqual([`key.enable ${id}`, `key.disable ${id}`, `key.enable ${id}`]);
});

test('refuses an unknown channel and lists the known ones', async () => {
  const refused = await admin('PATCH', `/keys/${id}`, { limits: { channels: ['economic'] } });
  expect([refused.status, refused.body.error.param]).toEqual([400, 'limits.channels.0']);
  expect(refused.body.error.message).toContain('channels (direct, stable, economical)');
  const channels = ['economical'];
  const taken = await admin('PATCH', `/keys/${id}`, { limits: { channels } });
  expect([taken.status, taken.body.limits.channels]).toEqual([200, channels]);
});

test('accepts an empty body if all fields are optional, else names the missing one', async () => {
  const rotated = await admin('POST', `/keys/${id}/rotate`);
  expect([rotated.status, rotated.body.previous_secret_until]).toEqual([
    200,
    new Date(room.clock.nowMs() + 24 * HOUR_MS).toISOString(),
  ]);
  expect((await admin('PATCH', `/keys/${id}`)).status).toBe(200);
  const refused = await admin('POST', '/keys');
  expect([refused.status, refused.body.error.param]).toEqual([400, 'account_id']);
});

test('disables a key only from the status that was read, if `If-Match` says so', async () => {
  const { etag } = (await admin('GET', `/keys/${id}`)).body;
  const turn = (action: string, tag: string) =>
    room.send('POST', `/admin/v1/keys/${id}/${action}`, ADMIN_TOKEN, undefined, {
      'if-match': tag,
    });
  const disabled = await turn('disable', etag);
  expect([disabled.status, disabled.body.status]).toEqual([200, 'disabled']);
  for (const action of ['disable', 'enable']) {
    const { status, body } = await turn(action, etag);
    expect([action, status, body.error.code]).toEqual([action, 412, 'revision_changed']);
  }
  expect((await turn('enable', disabled.body.etag)).body).toMatchObject({ status: 'active', etag });
});

test('changes settings only from those that were read, if `If-Match` says so', async () => {
  for (const path of [`/keys/${id}`, `/accounts/${accountId}`]) {
    const first = await admin('GET', path);
    const { etag } = first.body;
    expect(first.headers.get('etag')).toBe(etag);
    const change = (name: string, tag: string) =>
      room.send('PATCH', `/admin/v1${path}`, ADMIN_TOKEN, { name }, { 'if-match': tag });
    const one = await change('one', `"other", W/${etag}`);
    expect([one.status, one.body.name]).toEqual([200, 'one']);
    expect(one.headers.get('etag')).toBe(one.body.etag);
    for (const outdated of [etag, 'W/"other"', '']) {
      const { status, body } = await change('two', outdated);
      const { code, param } = body.error;
      expect([status, code, param]).toEqual([412, 'revision_changed', 'If-Match']);
    }
    expect((await admin('GET', path)).body.name).toBe('one');
    expect((await change('two', one.body.etag)).body.name).toBe('two');
    expect((await change('three', '*')).body.name).toBe('three');
    expect((await admin('PATCH', path, { name: 'four' })).body.name).toBe('four');
  }
});
