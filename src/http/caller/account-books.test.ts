/** Tests the account routes over the real store: callers read what settlements wrote. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountDirectory } from '../../accounts/account-directory.ts';
import { Accounts } from '../../accounts/accounts.ts';
import { stoppedClock } from '../../accounts/store.fixture.ts';
import type { ManualClock } from '../../clock.fixture.ts';
import { USD_CNY } from '../../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import type { Command, HoldCommand, PublishedCard, SettleCommand } from '../../ledger/ledger.ts';
import { openSqlite } from '../../ledger/sqlite/open-sqlite.ts';
import { nano } from '../../money/amount.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { MemberCaps } from '../../people/memberships/member-caps.ts';
import { Overruns } from '../../reports/overruns.ts';
import { RequestCosts } from '../../reports/request-cost.ts';
import { RequestLog } from '../../reports/request-log.ts';
import { Spending } from '../../reports/spending.ts';
import { ADMIN_TOKEN, NOW_MS, type Room, roomOver } from './account-room.fixture.ts';

let folder: string;
let database: Database;
let clock: ManualClock;
let room: Room;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelgate-accounts-'));
  clock = stoppedClock(NOW_MS);
  database = await openSqlite({ file: join(folder, 'modelgate.db'), clock });
  const { sql, ledger } = database;
  const accounts = new Accounts({
    inMemory: database.ledger.inMemory,
    sql,
    clock,
    onLastUsedFailure: () => {},
  });
  await ledger.join({ epoch: 'epoch_1', name: 'epoch_1' }, 60_000);
  room = roomOver({
    accounts,
    directory: new AccountDirectory(sql, clock, database.ledger.inMemory),
    ledger,
    clock,
    memberCaps: new MemberCaps({ sql, clock, inMemory: ledger.inMemory }),
    requests: new RequestLog(sql),
    costs: new RequestCosts(sql),
    overruns: new Overruns(sql, new RequestCosts(sql)),
    spending: new Spending(sql, clock),
    priceLists: () => [],
  });
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const admin = async (method: string, path: string, body?: unknown) =>
  (await room.send(method, `/admin/v1${path}`, ADMIN_TOKEN, body)).body;

const hold = (id: string, accountId: string, keyId: string): HoldCommand => ({
  kind: 'hold',
  id,
  accountId,
  keyId,
  currency: 'USD',
  amount: nano(2_000_000_000n),
  atLeast: nano(2_000_000_000n),
  worstCase: nano(2_000_000_000n),
  exchange: null,
  priceRate: null,
  epoch: 'epoch_1',
  atMs: NOW_MS,
  expiresAtMs: NOW_MS + 60_000,
});

const settle = (id: string, accountId: string, keyId: string): SettleCommand => ({
  kind: 'settle',
  id,
  charge: nano(1_500_000_000n),
  carefulAnswers: 0,
  held: null,
  exchangeId: null,
  atMs: NOW_MS,
  receipt: {
    requestId: id,
    accountId,
    keyId,
    endpoint: 'images',
    model: 'img-3',
    channelRequested: null,
    channel: 'direct',
    upstream: 'builtin',
    upstreamModel: 'img-3',
    cardId: 'card_1',
    fxRateId: null,
    currency: 'USD',
    usage: NO_USAGE,
    images: { count: 1, priceKey: '1024x1024' },
    costPico: 1_500_000_000_000n,
    estimated: false,
    streamed: false,
    outcome: 'completed',
    errorCode: null,
    finishReason: 'stop',
    startedAtMs: NOW_MS,
    firstByteMs: null,
    durationMs: 12.5,
    attempts: [
      {
        channel: 'direct',
        upstream: 'builtin',
        model: 'img-3',
        result: '200',
        startMs: 0,
        durationMs: 12,
      },
    ],
    facts: null,
    upstreamId: null,
    reportedCostPico: null,
    measure: null,
  },
});

const CARD: PublishedCard = {
  id: 'card_1',
  currency: 'USD',
  rates: null,
  perImage: { '1024x1024': 1_500_000_000n },
  terms: null,
  model: 'img-3',
  channel: 'direct',
  list: null,
  effectiveFromMs: 0,
};

test("accounts for a key's spending to the nano unit", async () => {
  const account = (await admin('POST', '/accounts', { name: 'Acme' })).id;
  const credit = { amount: '10', currency: 'USD', reason: 'invoice 7', id: 'inv-7' };
  expect(await admin('POST', `/accounts/${account}/credits`, credit)).toMatchObject({
    available: '10.000000000',
    already_applied: false,
  });
  expect(await admin('POST', `/accounts/${account}/credits`, credit)).toMatchObject({
    already_applied: true,
  });
  const key = await admin('POST', '/keys', { account_id: account, name: 'ci' });

  await database.ledger.publish([CARD], []);
  const [held] = await database.ledger.apply([hold('req_1', account, key.id)]);
  expect(held?.status).toBe('applied');
  const pending = (await room.send('GET', '/v1/credits', key.secret)).body.data;
  expect(pending.wallets).toContainEqual({
    currency: 'USD',
    balance: '10.000000000',
    held: '2.000000000',
    credit_limit: '0.000000000',
    available: '8.000000000',
  });
  await database.ledger.apply([settle('req_1', account, key.id)]);

  const generation = (await room.send('GET', '/v1/generation?id=req_1', key.secret)).body.data;
  expect(generation).toMatchObject({
    total_cost: 1.5,
    cost_exact: '1.500000000',
    cost_currency: 'USD',
    images: { count: 1, price_key: '1024x1024' },
    first_byte_ms: null,
    duration_ms: 12.5,
    cost_details: {
      lines: [{ kind: 'images', price_key: '1024x1024', count: 1, price_per_image: '1.500000000' }],
      price: '1.500000000',
    },
  });
  const credits = (await room.send('GET', '/v1/credits', key.secret)).body.data;
  expect(credits).toMatchObject({ total_credits: 10, total_usage: 1.5 });
  const shown = (await room.send('GET', '/v1/key', key.secret)).body.data;
  expect(shown).toMatchObject({ usage: 1.5, usage_daily: 1.5, usage_monthly: 1.5 });
  expect(await admin('GET', '/ledger/verify')).toEqual({ ok: true, breach_count: 0, breaches: [] });

  await admin('DELETE', `/keys/${key.id}`);
  expect((await room.send('GET', '/v1/key', key.secret)).status).toBe(401);
  const [refused] = await database.ledger.apply([hold('req_2', account, key.id)]);
  expect(refused?.status).toBe('key_inactive');
});

test('/ledger/overruns lists requests that cost more than was held for them', async () => {
  const account = (await admin('POST', '/accounts', { name: 'Acme' })).id;
  const credit = { amount: '2', currency: 'USD', reason: 'invoice 8', id: 'inv-8' };
  await admin('POST', `/accounts/${account}/credits`, credit);
  const key = await admin('POST', '/keys', { account_id: account, name: 'ci' });
  await database.ledger.publish([CARD], []);
  const half = nano(500_000_000n);
  const small = { amount: half, atLeast: half, worstCase: half };
  for (const id of ['req_1', 'req_2']) {
    await database.ledger.apply([
      { ...hold(id, account, key.id), ...small },
      { ...settle(id, account, key.id), carefulAnswers: 20 },
    ]);
  }
  const first = await admin('GET', `/ledger/overruns?account_id=${account}&limit=1`);
  expect(first.data).toEqual([
    {
      ...{ request_id: 'req_2', at: new Date(NOW_MS).toISOString(), account_id: account },
      ...{ model: 'img-3', channel: 'direct', upstream: 'builtin', upstream_model: 'img-3' },
      ...{ outcome: 'completed', currency: 'USD', held: '0.500000000', price: '1.500000000' },
      ...{ charge: '0.500000000', loss: '1.000000000', cause: 'images', unpriced: [] },
      careful_answers: 20,
    },
  ]);
  const path = `/ledger/overruns?account_id=${account}&limit=1&after=${first.next}`;
  const second = await admin('GET', path);
  expect(second.data.map((row: { request_id: string }) => row.request_id)).toEqual(['req_1']);
  expect(await admin('GET', '/ledger/overruns?account_id=acc_none')).toEqual({
    data: [],
    next: null,
  });
  expect(await admin('GET', '/ledger/overruns?after=here')).toMatchObject({
    error: { code: 'invalid_value', param: 'after' },
  });
});

test('/credits: credits minus usage are always the USD balance', async () => {
  const account = (await admin('POST', '/accounts', { name: 'Acme' })).id;
  const key = await admin('POST', '/keys', { account_id: account, name: 'ci' });
  await database.ledger.publish([CARD], [{ ...USD_CNY, effectiveFromMs: 0 }]);
  const ordered = { accountId: account, currency: 'USD', reason: 'test', actor: 'admin' } as const;
  const order = { ...ordered, atMs: NOW_MS };
  const steps: readonly (readonly [Command, { total_credits: number; total_usage: number }])[] = [
    [
      { ...order, kind: 'credit', id: 'c', amount: nano(10_000_000_000n), source: 'top_up' },
      { total_credits: 10, total_usage: 0 },
    ],
    [hold('req_1', account, key.id), { total_credits: 10, total_usage: 0 }],
    [settle('req_1', account, key.id), { total_credits: 10, total_usage: 1.5 }],
    // The refund counts in `total_credits`. The refunded charge still counts in `total_usage`.
    [
      { ...order, kind: 'refund', id: 'r', requestId: 'req_1', amount: nano(500_000_000n) },
      { total_credits: 10.5, total_usage: 1.5 },
    ],
    // One USD bought 7.10 CNY. That dollar left the USD wallet, but it does not count as usage.
    [
      { ...order, kind: 'exchange', id: 'x', rate: USD_CNY, amount: nano(7_100_000_000n) },
      { total_credits: 9.5, total_usage: 1.5 },
    ],
    [
      { ...order, kind: 'adjust', id: 'a', amount: nano(-3_000_000_000n) },
      { total_credits: 6.5, total_usage: 1.5 },
    ],
  ];
  for (const [command, expected] of steps) {
    const [outcome] = await database.ledger.apply([command]);
    expect([command.id, outcome?.status]).toEqual([command.id, 'applied']);
    const { data } = (await room.send('GET', '/v1/credits', key.secret)).body;
    expect(data).toMatchObject(expected);
    const usd = data.wallets.find((it: { currency: string }) => it.currency === 'USD');
    expect(data.total_credits - data.total_usage).toBe(Number(usd.balance));
  }
});

test('returns 503 when the store is gone, even for a cached key', async () => {
  const account = (await admin('POST', '/accounts', { name: 'Acme' })).id;
  const key = await admin('POST', '/keys', { account_id: account, name: 'ci' });
  expect((await room.send('GET', '/v1/key', key.secret)).status).toBe(200);
  await database.close();
  const { status, body } = await room.send('GET', '/v1/key', key.secret);
  expect(status).toBe(503);
  expect(body.error.code).toBe('store_unavailable');
  clock.advance(60_000);
  expect((await room.send('GET', '/v1/key', key.secret)).status).toBe(503);
});
