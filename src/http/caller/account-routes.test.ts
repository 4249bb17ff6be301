import { beforeEach, expect, test } from 'bun:test';
import type { StoredReceipt } from '../../ledger/ledger.ts';
import { nano, ZERO } from '../../money/amount.ts';
import { NO_USAGE, perColumn } from '../../money/usage.ts';
import { NOW_MS, openRoom } from './account-room.fixture.ts';

const TODAY = BigInt(NOW_MS - (NOW_MS % 86_400_000)) / 86_400_000n;

let room: ReturnType<typeof openRoom>;
let accountId: string;
let keyId: string;
let key: string;

beforeEach(async () => {
  room = openRoom();
  accountId = (await room.accounts.createAccount({ name: 'Acme' })).id;
  const created = await room.accounts.createKey(accountId, { name: 'ci' });
  keyId = created.record.id;
  key = created.secret.reveal();
  await spend(keyId, 'USD', TODAY, 1_500_000_000n);
  await spend(keyId, 'USD', TODAY - 30n, 500_000_001n);
  await spend(keyId, 'CNY', TODAY, 7_100_000_000n);
  // What the ledger counts in USD: 7.1 CNY of today are 1 USD.
  await room.sql.query({
    sql: `UPDATE spend_meter SET total = 3000000001, day = $1, in_day = 2500000000, week = $1,
      in_week = 2500000000, month = $1, in_month = 2500000000 WHERE owner_id = $2`,
    params: [TODAY, keyId],
  });
});

async function spend(id: string, currency: string, day: bigint, charge: bigint): Promise<void> {
  const insert = `INSERT INTO usage_day (account_id, key_id, currency, day, charge, metered, model, channel,
      requests, incomplete, input, cache_read, cache_write_5m, cache_write_1h, output, images, loss)
    SELECT account_id, id, ?, ?, ?, 0, 'm', 'direct', 1, 0, 0, 0, 0, 0, 0, 0, 0 FROM api_key WHERE id = ?`;
  await room.sql.query({ sql: insert, params: [currency, day, charge, id] });
}

const receipt = (requestId: string, owner: string): StoredReceipt => ({
  requestId,
  accountId: owner,
  keyId,
  endpoint: 'chat',
  model: 'gen-v4-pro',
  channelRequested: 'economical',
  channel: 'direct',
  upstream: 'secret-upstream',
  upstreamModel: 'secret-model',
  cardId: 'card_1',
  fxRateId: 'fx_1',
  currency: 'CNY',
  usage: { ...NO_USAGE, input: 100, cacheRead: 20, cacheWrite5m: 3, output: 40 },
  images: null,
  costPico: 295_160_000n,
  estimated: false,
  streamed: true,
  outcome: 'caller_left',
  errorCode: null,
  finishReason: null,
  startedAtMs: NOW_MS,
  firstByteMs: 120.5,
  durationMs: 900.25,
  attempts: [
    {
      channel: 'direct',
      upstream: 'secret-upstream',
      model: 'secret-model',
      result: '200',
      startMs: 0,
      durationMs: 12,
    },
  ],
  facts: null,
  upstreamId: null,
  reportedCostPico: null,
  measure: 'reported',
  charge: nano(2_095_636n),
  loss: ZERO,
});

test('/key returns the calling key and its spending under both prefixes', async () => {
  const { status, headers, body } = await room.send('GET', '/v1/key', key);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('application/json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({
    data: {
      label: `${key.slice(0, 10)}...${key.slice(-4)}`,
      limit: null,
      limit_remaining: null,
      limit_reset: null,
      usage: 3.000000001,
      usage_daily: 2.5,
      usage_weekly: 2.5,
      usage_monthly: 2.5,
      is_free_tier: false,
      is_management_key: false,
      id: keyId,
      name: 'ci',
      account_id: accountId,
      created_at: '2026-11-21T12:00:00.000Z',
      expires_at: null,
      last_used_at: '2026-11-21T12:00:00.000Z',
      spent: [
        {
          currency: 'CNY',
          total: '7.100000000',
          today: '7.100000000',
          this_week: '7.100000000',
          this_month: '7.100000000',
        },
        {
          currency: 'USD',
          total: '2.000000001',
          today: '1.500000000',
          this_week: '1.500000000',
          this_month: '1.500000000',
        },
      ],
    },
  });
  expect((await room.send('GET', '/v2/key', key)).body).toEqual(body);
});

test('/credits: tools compute the correct balance', async () => {
  const credit = { amount: '10', currency: 'USD', reason: 'test' };
  await room.accounts.createKey(accountId, { name: 'other' });
  await room.send(
    'POST',
    `/admin/v1/accounts/${accountId}/credits`,
    'admin-token-of-the-tests',
    credit,
  );
  const { body } = await room.send('GET', '/v1/credits', key);
  expect(body.data).toMatchObject({ total_credits: 12.000000001, total_usage: 2.000000001 });
  expect(body.data.wallets).toEqual([
    {
      currency: 'CNY',
      balance: '0.000000000',
      held: '0.000000000',
      credit_limit: '0.000000000',
      available: '0.000000000',
    },
    {
      currency: 'USD',
      balance: '10.000000000',
      held: '0.250000000',
      credit_limit: '0.000000000',
      available: '9.750000000',
    },
  ]);
});

test('/generation returns the record of one request', async () => {
  await publish();
  room.books.receipts.set('req_1', receipt('req_1', accountId));
  const { status, body } = await room.send('GET', '/v1/generation?id=req_1', key);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    id: 'req_1',
    model: 'gen-v4-pro',
    provider_name: 'direct',
    created_at: '2026-11-21T12:00:00.000Z',
    endpoint: 'chat',
    total_cost: 0.00029516,
    usage: 0.00029516,
    tokens_prompt: 123,
    tokens_completion: 40,
    native_tokens_prompt: 123,
    native_tokens_completion: 40,
    native_tokens_cached: 20,
    num_media_completion: 0,
    latency: 120.5,
    generation_time: 900.25,
    streamed: true,
    cancelled: true,
    finish_reason: null,
    key_id: keyId,
    outcome: 'caller_left',
    error_code: null,
    channel_requested: 'economical',
    channel: 'direct',
    price_card: 'card_1',
    fx_rate: 'fx_1',
    cost_exact: '0.002095636',
    cost_currency: 'CNY',
    cost_unrounded: '0.000295160000',
    cost_estimated: false,
    measure: 'reported',
    usage_buckets: {
      ...perColumn(() => 0),
      ...{ input: 100, cache_read: 20, cache_write_5m: 3, output: 40 },
    },
    images: null,
    first_byte_ms: 120.5,
    duration_ms: 900.25,
    cost_details: {
      ...{ card: 'card_1', price_list: null },
      card_currency: 'USD',
      lines: [
        line('input', 100, '1.32', '0.000132000000'),
        line('cache_read', 20, '0.04', '0.000000800000'),
        line('cache_write_5m', 3, '1.32', '0.000003960000'),
        line('output', 40, '3.96', '0.000158400000'),
      ],
      discounts: [],
      assumed: [],
      unpriced: [],
      cost_unrounded: '0.000295160000',
      conversion: { id: 'fx_1', from: 'USD', to: 'CNY', rate: '7.10' },
      rounding: 'half to even, once, to 0.000000001',
      currency: 'CNY',
      price: '0.002095636',
      charge: '0.002095636',
      loss: '0.000000000',
      waived: '0.000000000',
      refunded: '0.000000000',
    },
  });
});

test('/generation shows the charge where the price is higher', async () => {
  await publish();
  // Only half of the price is charged, so the other half is waived. `estimated` marks the cost as
  // an estimate.
  const halved = { ...receipt('req_1', accountId), charge: nano(1_047_818n), estimated: true };
  room.books.receipts.set('req_1', halved);
  const { body } = await room.send('GET', '/v1/generation?id=req_1', key);
  expect(body.data).toMatchObject({
    total_cost: 0.00014758,
    usage: 0.00014758,
    cost_exact: '0.001047818',
    cost_details: { price: '0.002095636', charge: '0.001047818', waived: '0.001047818' },
  });
});

const line = (bucket: string, count: number, rate: string, cost: string) => ({
  kind: 'tokens',
  bucket,
  count,
  rate_per_1m: rate,
  cost,
  why: '',
});

/** Publishes the price card and the exchange rate that `receipt` refers to. */
async function publish(): Promise<void> {
  const statements = [
    `INSERT INTO card (id, currency, input, cache_read, cache_write_5m, cache_write_1h, output, model,
       channel, effective_from_ms)
     VALUES ('card_1', 'USD', 1320000, 40000, 1320000, 2640000, 3960000, 'gen-v4-pro', 'direct', 0)`,
    `INSERT INTO fx_rate (id, base, quote, scaled, effective_from_ms)
     VALUES ('fx_1', 'USD', 'CNY', 710000000, 0)`,
  ];
  for (const sql of statements) await room.sql.query({ sql, params: [] });
}

test('a request of another account gets the same 404 as an unknown one', async () => {
  const stranger = await room.accounts.createAccount({ name: 'Other' });
  room.books.receipts.set('req_theirs', receipt('req_theirs', stranger.id));
  const theirs = await room.send('GET', '/v1/generation?id=req_theirs', key);
  const none = await room.send('GET', '/v1/generation?id=req_none', key);
  expect([theirs.status, none.status]).toEqual([404, 404]);
  expect(theirs.body.error).toEqual(none.body.error);
  expect(theirs.body.error).toMatchObject({ code: 'not_found', param: 'id' });
  expect((await room.send('GET', `/v1/generation?id=${'x'.repeat(5000)}`, key)).status).toBe(404);
});

test('a generation without id is a 400 that names it', async () => {
  const { status, body } = await room.send('GET', '/v2/generation', key);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'missing_required_parameter', param: 'id' });
});

test('all require a key, and refuse the administrator token', async () => {
  for (const path of ['/v1/key', '/v1/credits', '/v1/generation?id=req_1']) {
    expect((await room.send('GET', path, 'admin-token-of-the-tests')).status).toBe(401);
  }
});
