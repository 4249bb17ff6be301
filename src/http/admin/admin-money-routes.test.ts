import { afterAll, beforeAll, expect, test } from 'bun:test';
import { removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { ADMIN_TOKEN, openReportRoom } from '../caller/reports/report-room.fixture.ts';

let room: Awaited<ReturnType<typeof openReportRoom>>;

beforeAll(async () => {
  room = await openReportRoom();
});
afterAll(async () => {
  await room.accounts.close();
  await room.database.close();
  removeFiles();
});

const ACCOUNT = '/admin/v1/accounts/alice';

test('books an adjustment once per id, and refuses another one with that id', async () => {
  const body = { id: 'adj_1', currency: 'USD', amount: '-2.50', reason: 'booked twice' };
  const first = await room.post(`${ACCOUNT}/adjustments`, body);
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({ amount: '-2.500000000', already_applied: false });
  const again = await room.post(`${ACCOUNT}/adjustments`, body);
  expect([again.status, again.body.already_applied]).toEqual([200, true]);
  expect(again.body.available).toBe(first.body.available);
  const other = await room.post(`${ACCOUNT}/adjustments`, { ...body, amount: '1' });
  expect([other.status, other.body.error.param]).toEqual([409, 'id']);
});

test('refuses an adjustment below the floor and says what can be debited', async () => {
  const body = { currency: 'CNY', amount: '-9999999', reason: 'too much' };
  const { status, body: answer } = await room.post(`${ACCOUNT}/adjustments`, body);
  expect([status, answer.error.param]).toEqual([409, 'amount']);
  expect(answer.error.message).toContain('0.000000000 CNY');
});

test('an exchange names its rate', async () => {
  const body = { from: 'USD', to: 'CNY', amount: '7.10', reason: 'moved' };
  const { status, body: answer } = await room.post(`${ACCOUNT}/exchanges`, body);
  expect(status).toBe(201);
  expect(answer).toMatchObject({
    amount: '7.100000000',
    currency: 'CNY',
    rate: { id: 'fx_usd_cny', from: 'USD', to: 'CNY', rate: '7.10' },
  });
  const back = await room.post(`${ACCOUNT}/exchanges`, { ...body, from: 'CNY', to: 'USD' });
  expect([back.status, back.body.error.param]).toEqual([400, 'from']);
  expect(back.body.error.message).toContain('no rate CNY/USD. Exchange from USD');
  const same = await room.post(`${ACCOUNT}/exchanges`, { ...body, to: 'USD' });
  expect([same.status, same.body.error.param]).toEqual([400, 'to']);
  const expensive = await room.post(`${ACCOUNT}/exchanges`, { ...body, amount: '9999999' });
  expect([expensive.status, expensive.body.error.param]).toEqual([409, 'amount']);
});

test('a credit limit allows a negative balance and cannot drop below it', async () => {
  const limit = (amount: string) => ({ currency: 'CNY', amount, reason: 'a good payer' });
  expect((await room.post(`${ACCOUNT}/credit-limit`, limit('50'))).status).toBe(201);
  const drawn = { currency: 'CNY', amount: '-20', reason: 'drawn' };
  expect((await room.post(`${ACCOUNT}/adjustments`, drawn)).status).toBe(201);
  const { status, body } = await room.post(`${ACCOUNT}/credit-limit`, limit('1'));
  expect([status, body.error.param]).toEqual([409, 'amount']);
});

test('refunds at most the remaining charge, once per id', async () => {
  const list = await room.get('/admin/v1/requests?account_id=alice&min_cost=0.001', ADMIN_TOKEN);
  const [{ id, cost, currency }] = list.body.data;
  const refund = (body: Readonly<Record<string, string>>) =>
    room.post(`/admin/v1/requests/${id}/refund`, { reason: 'useless', ...body });
  const part = await refund({ amount: '0.0005' });
  expect([part.status, part.body.currency]).toEqual([201, currency]);
  const over = await refund({ amount: cost });
  expect([over.status, over.body.error.param]).toEqual([409, 'amount']);
  const all = await refund({ amount: 'all', id: 'ref_all' });
  expect(all.status).toBe(201);
  const again = await refund({ amount: 'all', id: 'ref_all' });
  expect([again.status, again.body.amount]).toEqual([200, all.body.amount]);
  expect((await refund({ amount: 'all' })).status).toBe(409);
  const { body } = await room.get(`/admin/v1/requests/${id}`, ADMIN_TOKEN);
  expect(body.data).toMatchObject({ cost, refunded: cost });
  expect(await room.database.ledger.verify()).toEqual([]);
  expect(
    (await room.post('/admin/v1/requests/req_none/refund', { amount: 'all', reason: 'x' })).status,
  ).toBe(404);
});

test('names an invalid field', async () => {
  const refused = [
    ['adjustments', { currency: 'USD', amount: '0', reason: 'x' }, 'amount'],
    ['adjustments', { currency: 'USD', amount: 5, reason: 'x' }, 'amount'],
    ['adjustments', { currency: 'EUR', amount: '5', reason: 'x' }, 'currency'],
    ['adjustments', { currency: 'USD', amount: '5' }, 'reason'],
    ['credit-limit', { currency: 'USD', amount: '-5', reason: 'x' }, 'amount'],
    ['exchanges', { from: 'USD', to: 'CNY', amount: '-5', reason: 'x' }, 'amount'],
    ['exchanges', { from: 'USD', to: 'CNY', amount: '5', reason: 'x', rate: '1' }, 'rate'],
  ] as const;
  for (const [what, body, param] of refused) {
    const answer = await room.post(`${ACCOUNT}/${what}`, body);
    expect([what, answer.status, answer.body.error.param]).toEqual([what, 400, param]);
  }
});

test('reports each changed balance to the low-balance check once', async () => {
  const order = { currency: 'USD', reason: 'watched', id: 'adj_watched' };
  const { lowBalance } = room;
  lowBalance.seen.length = 0;
  const fallen = (await room.post(`${ACCOUNT}/adjustments`, { ...order, amount: '-1' })).body;
  await room.post(`${ACCOUNT}/adjustments`, { ...order, amount: '-1' });
  const risen = { ...order, id: 'adj_watched_2', amount: '2' };
  const filled = (await room.post(`${ACCOUNT}/adjustments`, risen)).body;
  const bought = { from: 'USD', to: 'CNY', amount: '7.10', reason: 'watched' };
  const exchanged = (await room.post(`${ACCOUNT}/exchanges`, bought)).body;
  expect(lowBalance.seen).toEqual([
    `alice fell to ${fallen.available} USD`,
    `alice rose to ${filled.available} USD`,
    `alice rose to ${exchanged.available} CNY`,
  ]);
});
