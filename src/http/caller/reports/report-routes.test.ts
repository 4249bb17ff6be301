import { afterAll, beforeAll, expect, test } from 'bun:test';
import { removeFiles } from '../../../ledger/sqlite/sqlite.fixture.ts';
import { ADMIN_TOKEN, openReportRoom } from './report-room.fixture.ts';

let room: Awaited<ReturnType<typeof openReportRoom>>;

beforeAll(async () => {
  room = await openReportRoom();
});
afterAll(async () => {
  await room.accounts.close();
  await room.database.close();
  removeFiles();
});

const LISTS = [
  '/v1/ledger',
  '/v2/ledger?currency=USD',
  '/v1/requests',
  '/v2/requests?outcome=completed',
  '/v2/requests?outcome=caller_left,length',
  '/v1/usage?group_by=day,model,key,channel',
  '/v2/usage',
] as const;

/** Parses CSV (RFC 4180), independently of the code that writes it. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const withQuery = (path: string, query: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`;

async function everyRow(path: string, token: string, limit: number) {
  const rows: Record<string, unknown>[] = [];
  for (let after = ''; ; ) {
    const { status, body } = await room.get(withQuery(path, `limit=${limit}${after}`), token);
    expect(status).toBe(200);
    rows.push(...body.data);
    if (body.next === null) return rows;
    after = `&after=${body.next}`;
  }
}

test('CSV has the same rows as all pages of JSON', async () => {
  for (const path of LISTS) {
    const rows = await everyRow(path, room.keys.alice, 17);
    const response = await room.ask(path, room.keys.alice, { headers: { accept: 'text/csv' } });
    expect(response.headers.get('content-type')).toContain('text/csv');
    const [header = [], ...lines] = readCsv(await response.text());
    expect(lines).toEqual(rows.map((row) => header.map((name) => String(row[name] ?? ''))));
    expect(new Set(header)).toEqual(new Set(Object.keys(rows[0] ?? {})));
    expect(rows.length).toBeGreaterThan(1);
  }
});

test('each account sees only its own reports', async () => {
  for (const path of ['/v1/ledger', '/v1/requests'] as const) {
    const ids = async (key: string) => (await everyRow(path, key, 100)).map(({ id }) => id);
    const [alices, bobs] = [await ids(room.keys.alice), await ids(room.keys.bob)];
    expect(alices.filter((id) => bobs.includes(id))).toEqual([]);
    expect(alices.length > 0 && bobs.length > 0).toBe(true);
  }
  const [first] = await everyRow('/v1/requests', room.keys.bob, 100);
  const theirs = await room.get(`/v1/requests/${first?.['id']}`, room.keys.alice);
  const none = await room.get('/v1/requests/req_none', room.keys.alice);
  expect([theirs.status, none.status]).toEqual([404, 404]);
  expect(theirs.body.error).toEqual(none.body.error);
  expect((await room.get('/v1/requests?key_id=key_bob', room.keys.alice)).body.data).toEqual([]);
  expect((await room.get('/v1/usage?key_id=key_bob', room.keys.alice)).body.total).toEqual([]);
  const { status, body } = await room.get('/v1/usage?account_id=bob', room.keys.alice);
  expect([status, body.error.param]).toEqual([400, 'account_id']);
  const after = (await room.get('/v1/requests?limit=1', room.keys.bob)).body.next;
  const [stolen] = (await room.get(`/v1/requests?limit=1&after=${after}`, room.keys.alice)).body
    .data;
  expect(stolen === undefined || stolen.key_id === 'key_alice').toBe(true);
});

test('shows the cost of a request line by line, and no upstream to callers', async () => {
  const [row] = await everyRow('/v1/requests?currency=CNY', room.keys.alice, 100);
  const { body } = await room.get(`/v1/requests/${row?.['id']}`, room.keys.alice);
  const cost = body.data.cost_details;
  const pico = (text: string): bigint => BigInt(text.replace('.', ''));
  const sum = cost.lines.reduce((all: bigint, line: { cost: string }) => all + pico(line.cost), 0n);
  expect(sum).toBe(pico(cost.cost_unrounded));
  expect(cost.conversion).toEqual({ id: 'fx_usd_cny', from: 'USD', to: 'CNY', rate: '7.10' });
  expect(cost).toMatchObject({ currency: 'CNY', charge: row?.['cost'], price: row?.['cost'] });
  expect(pico(body.data.held) >= pico(cost.charge)).toBe(true);
  expect(body.data.attempts).toEqual([
    { channel: 'direct', result: '200', start_ms: 0, duration_ms: 12 },
  ]);
  expect(JSON.stringify(body)).not.toContain('upstream');
  expect(JSON.stringify(body)).not.toContain('builtin');
  const admin = await room.get(`/admin/v1/requests/${row?.['id']}`, ADMIN_TOKEN);
  expect(admin.body.data).toMatchObject({ upstream: 'builtin', operator_cost: '0.000000001' });
});

test('names an invalid parameter and what to send instead', async () => {
  const refused = [
    ['/v1/ledger?from=yesterday', 'from'],
    ['/v1/ledger?from=2026-02-30', 'from'],
    ['/v1/ledger?from=2026-09-10&to=2026-09-01', 'from'],
    ['/v1/requests?from=2020-01-01&to=2026-01-01', 'from'],
    ['/v1/usage?from=2026-09-01T00:00:00Z', 'from'],
    ['/v1/usage?group_by=account', 'group_by'],
    ['/v1/usage?group_by=model,model', 'group_by'],
    ['/v1/usage?group_by=hour', 'group_by'],
    ['/v1/ledger?currency=EUR', 'currency'],
    ['/v1/ledger?kind=gift', 'kind'],
    ['/v1/requests?outcome=lost', 'outcome'],
    ['/v1/requests?outcome=length,', 'outcome'],
    ['/v1/requests?min_cost=-1', 'min_cost'],
    ['/v1/requests?min_cost=1e3', 'min_cost'],
    ['/v1/requests?upstream=builtin', 'upstream'],
    ['/v1/requests?model=', 'model'],
    ['/v1/requests?limit=0', 'limit'],
    ['/v1/requests?limit=1001', 'limit'],
    ['/v1/requests?after=nonsense', 'after'],
    ['/v1/requests?format=xml', 'format'],
    ['/v1/requests?colour=blue', 'colour'],
    ['/v1/requests?key=key_alice', 'key'],
    ['/v1/requests/histogram?time_zone=Mars/Olympus', 'time_zone'],
    ['/v1/requests/histogram?time_zone=', 'time_zone'],
    ['/v1/requests?limit=1&model=x&limit=2', 'limit'],
    ['/v1/ledger?from=2026-09-01&from=2026-09-01', 'from'],
  ] as const;
  for (const [path, param] of refused) {
    const { status, body } = await room.get(path, room.keys.alice);
    expect([path, status, body.error.param]).toEqual([path, 400, param]);
    expect(body.error.message.startsWith(param) && body.error.message.endsWith('.')).toBe(true);
  }
  const { next } = (await room.get('/v1/requests?limit=1', room.keys.alice)).body;
  const other = await room.get(`/v1/requests?limit=1&model=x&after=${next}`, room.keys.alice);
  expect([other.status, other.body.error.param]).toEqual([400, 'after']);
});

test('administrators read any account, the ledger accounts and the audit log', async () => {
  const ledger = await everyRow('/admin/v1/accounts/alice/ledger', ADMIN_TOKEN, 100);
  expect(ledger).toEqual(await everyRow('/v1/ledger', room.keys.alice, 100));
  expect((await room.get('/admin/v1/accounts/none/ledger', ADMIN_TOKEN)).status).toBe(404);
  const byAccount = await everyRow('/admin/v1/usage?group_by=account', ADMIN_TOKEN, 100);
  expect(new Set(byAccount.map((row) => row['account_id']))).toEqual(new Set(['alice', 'bob']));
  const bobs = await everyRow('/admin/v1/requests?account_id=bob', ADMIN_TOKEN, 100);
  expect(new Set(bobs.map((row) => row['account_id']))).toEqual(new Set(['bob']));
  const { data } = (await room.get('/admin/v1/books', ADMIN_TOKEN)).body;
  expect(data).toContainEqual({ account: 'top_up', currency: 'USD', balance: '-2000.000000000' });
  const months = (await room.get('/admin/v1/books/months', ADMIN_TOKEN)).body.data;
  expect(months).toHaveLength(26);
  for (const month of months) {
    expect(Number(month.revenue)).toBeCloseTo(month.charged - month.refunded, 9);
    // No cost is configured in this test, so the profit is unknown.
    expect(month).toMatchObject({ cost: '0.000000000', profit: null, margin: null });
    expect(month.requests_without_cost).toBe(month.requests);
  }
  const span = 'from=2026-01-01&to=2026-12-31';
  const { body: summary } = await room.get(`/admin/v1/summary?${span}`, ADMIN_TOKEN);
  for (const { currency, ...sums } of summary.books) {
    const own = summary.days.filter((day: { currency: string }) => day.currency === currency);
    const charged = own.reduce((sum: number, day: { charged: string }) => sum + +day.charged, 0);
    expect(Number(sums.charged)).toBeCloseTo(charged, 6);
    expect(sums).toMatchObject({ cost: '0.000000000', profit: null, margin: null });
  }
  expect(summary.accounts.map(({ id }: { id: string }) => id).toSorted()).toEqual(['alice', 'bob']);
  const reversed = await room.get('/admin/v1/summary?from=2026-02-02&to=2026-02-01', ADMIN_TOKEN);
  expect([reversed.status, reversed.body.error.param]).toEqual([400, 'from']);
  expect((await room.get('/admin/v1/summary', room.keys.alice)).status).toBe(401);
  const audit = await room.get('/admin/v1/audit?subject=alice&verify=true', ADMIN_TOKEN);
  expect(audit.body.chain).toMatchObject({ ok: true, first_broken_id: null });
  expect(audit.body.data).toContainEqual(
    expect.objectContaining({ action: 'wallet.credit', subject: 'alice', actor: 'admin' }),
  );
  expect((await room.get('/admin/v1/audit', room.keys.alice)).status).toBe(401);
});

test('the audit log has states as objects in JSON and the hashed text in CSV', async () => {
  const { record } = await room.accounts.createKey('bob', { name: 'old' }, 'admin');
  await room.accounts.keysOf(null).update(record.id, { name: 'new' }, 'admin');
  await room.accounts.keysOf(null).revoke(record.id, 'admin');
  const path = `/admin/v1/audit?subject=${record.id}`;
  const { data } = (await room.get(path, ADMIN_TOKEN)).body;
  expect(data.map((row: { detail: unknown }) => row.detail)).toEqual([
    { before: 'active', after: 'revoked' },
    { before: { name: 'old' }, after: { name: 'new' } },
    expect.objectContaining({ account_id: 'bob', after: expect.objectContaining({ name: 'old' }) }),
  ]);
  const [header = [], , updated = []] = readCsv(
    await (await room.ask(`${path}&format=csv`, ADMIN_TOKEN)).text(),
  );
  const change = { before: '{"name":"old"}', after: '{"name":"new"}' };
  expect(updated[header.indexOf('detail')]).toBe(JSON.stringify(change));
});

test('lists a corrupted audit entry unchanged', async () => {
  const { sql } = room.database;
  const write = (detail: string) =>
    sql.query({ sql: 'UPDATE audit SET detail = $1 WHERE id = 3', params: [detail] });
  const [entry] = await sql.query({ sql: 'SELECT detail FROM audit WHERE id = 3', params: [] });
  await write('{"half');
  const { body } = await room.get('/admin/v1/audit?limit=1000', ADMIN_TOKEN);
  expect(body.data.find(({ id }: { id: number }) => id === 3).detail).toBe('{"half');
  await write(String(entry?.['detail']));
});

test('escapes formulas in text cells; negative amounts stay numbers', async () => {
  // Chinese and Japanese input methods type the full-width equals sign, which starts a formula in
  // spreadsheets too.
  for (const [id, reason] of [
    ['adj_f', '=HYPERLINK("http://x","y")'],
    ['adj_g', '＝1+1'],
  ] as const) {
    const body = { currency: 'USD', amount: '-0.5', reason, id };
    expect((await room.post('/admin/v1/accounts/alice/adjustments', body)).status).toBe(201);
    const response = await room.ask('/v1/ledger?kind=adjust&format=csv', room.keys.alice);
    const [header = [], row = []] = readCsv(await response.text());
    expect(row[header.indexOf('reason')]).toBe(`'${reason}`);
    expect(row[header.indexOf('amount')]).toBe('-0.500000000');
  }
});
