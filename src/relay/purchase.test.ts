import { beforeEach, describe, expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { Applied, Command, Ledger, Outcome } from '../ledger/ledger.ts';
import { OutcomeInDoubt } from '../ledger/ledger.ts';
import { oneByOne } from '../ledger/one-by-one.fixture.ts';
import { nano, ZERO } from '../money/amount.ts';
import { NO_USAGE } from '../money/usage.ts';
import { USD_CNY } from './admission.fixture.ts';
import { NOTHING_REPORTED } from './goods.ts';
import {
  type Consumption,
  Purchase,
  type PurchaseTerms,
  type Settled,
  type Till,
} from './purchase.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

type Answer = Outcome | Error;

/** Returns scripted answers and records the commands. */
class ToldLedger implements Pick<Ledger, 'apply'> {
  readonly asked: Command[] = [];
  answers: Answer[] = [];

  async apply(batch: readonly Command[]): Promise<readonly Outcome[]> {
    this.asked.push(...batch);
    const answer = this.answers.shift();
    if (answer instanceof Error) throw answer;
    return answer === undefined ? [] : [answer];
  }
}

let ledger: ToldLedger;
let settled: Settled[];
let charged: boolean[];
let failed: unknown[];
let kept: Command[];
let isDiskFull: boolean;
let till: Till;

beforeEach(() => {
  ledger = new ToldLedger();
  settled = [];
  charged = [];
  failed = [];
  kept = [];
  isDiskFull = false;
  const clock = { ...systemClock, nowMs: () => NOW_MS };
  till = {
    ledger: oneByOne((batch) => ledger.apply(batch), { keepCheckpoint: () => undefined }),
    clock,
    spool: {
      keep: async (command) => {
        if (isDiskFull) throw new Error('disk full');
        kept.push(command);
      },
    },
    mustWait: () => false,
    epoch: () => 'node_1',
    ...{ holdLifetimeMs: 7_200_000, carefulAnswers: 20 },
    onSettled: (it) => settled.push(it),
    onSettleFailed: (command, thrown) => failed.push([command.kind, command.id, String(thrown)]),
  };
});

const TERMS: PurchaseTerms = {
  requestId: 'req_1',
  caller: { accountId: 'acc_1', keyId: 'key_1', allowExchange: true },
  onCharged: (isCharged) => charged.push(isCharged),
  price: { affordable: (funds) => ({ affordable_max_tokens: Number(funds) }) },
  currency: 'USD',
  rate: null,
  exchange: null,
  ...{ amount: nano(1000n), atLeast: nano(400n), worstCase: nano(9000n) },
};

const CONSUMED: Consumption = {
  endpoint: 'chat',
  model: 'gen',
  channelRequested: null,
  channel: 'direct',
  upstream: 'there',
  upstreamModel: 'gen-there',
  cardId: 'card_1',
  usage: { ...NO_USAGE, input: 100 },
  images: null,
  costPico: 700_000n,
  estimated: false,
  streamed: false,
  outcome: 'completed',
  errorCode: null,
  finishReason: 'stop',
  startedAtMs: NOW_MS,
  firstByteMs: 5,
  durationMs: 9,
  attempts: [
    {
      channel: 'direct',
      upstream: 'there',
      model: 'gen-there',
      result: '200',
      startMs: 0,
      durationMs: 12,
    },
  ],
  ...NOTHING_REPORTED,
  measure: 'reported',
};

const applied = (
  result: Partial<Applied> = {},
  status: 'applied' | 'already_applied' = 'applied',
): Outcome => ({
  status,
  result: { amount: nano(1000n), available: nano(50n), loss: ZERO, ...result },
});
const unavailable = (): GatewayError => new GatewayError('store_unavailable', 'Try again.');

const begin = async (selling: Till, terms: PurchaseTerms): Promise<Purchase> =>
  await Purchase.begin(selling, terms);

async function begun(terms: Partial<PurchaseTerms> = {}): Promise<Purchase> {
  ledger.answers.push(applied());
  return await begin(till, { ...TERMS, ...terms });
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => {
      throw new Error('expected a failure');
    },
    (thrown: unknown) => thrown,
  );
}

describe('holding', () => {
  test('holds what the wallet gives, between minimum and maximum', async () => {
    ledger.answers.push(applied({ amount: nano(640n), available: ZERO }));
    const purchase = await begin(till, TERMS);
    expect([purchase.held, purchase.available]).toEqual([nano(640n), ZERO]);
    expect(ledger.asked).toEqual([
      {
        kind: 'hold',
        id: 'req_1',
        accountId: 'acc_1',
        keyId: 'key_1',
        currency: 'USD',
        ...{ amount: nano(1000n), atLeast: nano(400n), worstCase: nano(9000n) },
        ...{ exchange: null, priceRate: null },
        epoch: 'node_1',
        atMs: NOW_MS,
        expiresAtMs: NOW_MS + 7_200_000,
      },
    ]);
  });

  test('uses the other wallet only if the account allows it', async () => {
    const terms = { currency: 'CNY', rate: USD_CNY, exchange: USD_CNY } as const;
    await begun(terms);
    await begun({ ...terms, caller: { ...TERMS.caller, allowExchange: false } });
    expect(ledger.asked).toMatchObject([
      { exchange: USD_CNY, priceRate: USD_CNY },
      { exchange: null, priceRate: USD_CNY },
    ]);
  });

  test('returns 402 with currency, required and available amount for an empty wallet', async () => {
    ledger.answers.push({ status: 'balance_too_low', available: nano(-5n) });
    const thrown = await failure(begin(till, TERMS));
    expect(thrown).toMatchObject({
      code: 'insufficient_balance',
      status: 402,
      retryable: false,
      extra: {
        currency: 'USD',
        available: '0.00',
        required: '0.0000004',
        affordable_max_tokens: 0,
      },
    });
    expect(String(thrown)).toContain('USD wallet');
  });

  test.each([
    ['key_inactive', 'invalid_api_key'],
    ['account_inactive', 'not_allowed'],
    ['account_unknown', 'invalid_api_key'],
    ['epoch_over', 'store_unavailable'],
    ['id_reused', 'internal_error'],
    ['hold_unknown', 'internal_error'],
    ['hold_resolved', 'internal_error'],
  ] as const)('%s is %s', async (status, code) => {
    ledger.answers.push({ status });
    expect(await failure(begin(till, TERMS))).toMatchObject({ code });
  });

  test('reports a hold as unavailable when the lease has ended', async () => {
    ledger.answers = [{ status: 'epoch_over' }];
    const thrown = await begin(till, TERMS).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'store_unavailable', retryAfterSeconds: 1 });
    expect(String(thrown)).toContain('renewing its lease');
  });

  test.each([
    ['key', 'this API key'],
    ['member', 'the member who created this API key'],
    ['account', 'the account'],
  ] as const)('returns 402 with the window for a limit of the %s', async (owner, whose) => {
    ledger.answers.push({ status: 'cap_reached', owner, window: 'day', available: nano(300n) });
    const thrown = await failure(begin(till, TERMS));
    expect(thrown).toMatchObject({
      code: 'spend_limit_reached',
      status: 402,
      retryable: false,
      extra: { limit: `${owner}_day`, available: '0.0000003', affordable_max_tokens: 300 },
    });
    expect(String(thrown)).toContain(`daily spending limit of ${whose} leaves`);
  });

  test('a retry with the same id makes one hold', async () => {
    ledger.answers.push(applied({ amount: nano(900n) }, 'already_applied'));
    expect((await begin(till, TERMS)).held).toBe(nano(900n));
  });

  test('refuses the request when the store is unavailable', async () => {
    const thrown = unavailable();
    ledger.answers.push(thrown);
    expect(await failure(begin(till, TERMS))).toBe(thrown);
    expect(kept).toEqual([]);
  });

  test('releases a hold in doubt once the store answers', async () => {
    const thrown = new OutcomeInDoubt(new Error('connection lost'));
    ledger.answers.push(thrown);
    expect(await failure(begin(till, TERMS))).toBe(thrown);
    expect(kept).toEqual([
      {
        ...{ kind: 'void', id: 'req_1', accountId: 'acc_1', keyId: 'key_1' },
        ...{ currency: 'USD', atMs: NOW_MS },
      },
    ]);
  });
});

describe('extending', () => {
  const soFar: Consumption = { ...CONSUMED, outcome: 'node_lost', estimated: true };

  test('each extension has its own id, and the hold is what the ledger reports', async () => {
    const purchase = await begun();
    ledger.answers.push(applied({ amount: nano(1500n) }));
    ledger.answers.push(applied({ amount: nano(2000n), available: nano(7n) }, 'already_applied'));
    expect(await purchase.extend(nano(500n), soFar)).toBeNull();
    expect(await purchase.extend(nano(500n), soFar)).toBeNull();
    expect([purchase.held, purchase.available]).toEqual([nano(2000n), nano(7n)]);
    expect(ledger.asked.slice(1)).toMatchObject([
      { kind: 'extend', id: 'req_1/1', holdId: 'req_1', amount: nano(500n) },
      { kind: 'extend', id: 'req_1/2', holdId: 'req_1', amount: nano(500n) },
    ]);
  });

  test('an extension carries a checkpoint, never above the hold', async () => {
    const purchase = await begun();
    ledger.answers.push(applied({ amount: nano(1500n) }));
    await purchase.extend(nano(500n), { ...soFar, costPico: 5_000_000n });
    expect(ledger.asked[1]).toMatchObject({
      checkpoint: { charge: nano(1000n), receipt: { requestId: 'req_1', outcome: 'node_lost' } },
    });
  });

  test.each<[code: string, outcome: Outcome]>([
    ['insufficient_balance', { status: 'balance_too_low', available: ZERO }],
    [
      'spend_limit_reached',
      { status: 'cap_reached', owner: 'account', window: 'month', available: ZERO },
    ],
    ['invalid_api_key', { status: 'key_inactive' }],
    ['not_allowed', { status: 'account_inactive' }],
    ['store_unavailable', { status: 'hold_resolved' }],
    ['internal_error', { status: 'id_reused' }],
  ])('a refused step ends with %s and leaves the hold as it was', async (code, outcome) => {
    const purchase = await begun();
    ledger.answers.push(outcome);
    expect(await purchase.extend(nano(500n), soFar)).toMatchObject({ code });
    expect(purchase.held).toBe(nano(1000n));
  });
});

describe('settling', () => {
  test('charges the usage and reports the cost in both forms', async () => {
    const purchase = await begun();
    ledger.answers.push(applied({ amount: nano(700n) }));
    const got = await purchase.settle(CONSUMED);
    expect(got.cost).toMatchObject({ usd: '0.0000007', exact: '0.000000700', currency: 'USD' });
    expect(ledger.asked[1]).toMatchObject({ kind: 'settle', id: 'req_1', charge: nano(700n) });
    expect(got.receipt).toEqual({
      ...CONSUMED,
      requestId: 'req_1',
      accountId: 'acc_1',
      keyId: 'key_1',
      cardId: 'card_1',
      fxRateId: null,
      currency: 'USD',
    });
    expect(settled).toEqual([got]);
    expect(charged).toEqual([true]);
  });

  test('reports to its request when nothing was charged', async () => {
    const purchase = await begun();
    ledger.answers.push(applied({ amount: ZERO }));
    await purchase.settle({ ...CONSUMED, costPico: 0n });
    expect(charged).toEqual([false]);
    expect(settled).toHaveLength(1);
  });

  test('charges a CNY model in CNY at the pinned rate, rounded once', async () => {
    const purchase = await begun({ currency: 'CNY', rate: USD_CNY, exchange: USD_CNY });
    ledger.answers.push(applied({ amount: nano(4970n) }));
    const { cost, receipt } = await purchase.settle(CONSUMED);
    expect(ledger.asked[1]).toMatchObject({ charge: nano(4970n), exchangeId: 'fx_1' });
    expect(receipt.fxRateId).toBe('fx_1');
    expect(cost).toMatchObject({ usd: '0.0000007', exact: '0.000004970', currency: 'CNY' });
  });

  test('settles once, however often it is called', async () => {
    const purchase = await begun();
    ledger.answers.push(applied({ amount: nano(700n) }));
    const first = purchase.settle(CONSUMED);
    const second = purchase.settle({ ...CONSUMED, costPico: 0n, outcome: 'caller_left' });
    expect(await second).toBe(await first);
    expect(await purchase.settle(CONSUMED)).toBe(await first);
    expect(ledger.asked.filter(({ kind }) => kind === 'settle')).toHaveLength(1);
    expect(settled).toHaveLength(1);
  });

  test('caps an estimate at the hold, but not a count of the upstream', async () => {
    for (const estimated of [true, false]) {
      const charge = nano(estimated ? 1000n : 9000n);
      const purchase = await begun();
      ledger.answers.push(applied({ amount: charge }));
      const settling = await purchase.settle({ ...CONSUMED, costPico: 9_000_000n, estimated });
      expect(ledger.asked.at(-1)).toMatchObject({ kind: 'settle', charge });
      expect(settling.cost.usd).toBe(estimated ? '0.000001' : '0.000009');
    }
  });

  test('an extended hold pays for a longer estimate', async () => {
    const purchase = await begun();
    ledger.answers.push(applied({ amount: nano(1500n) }), applied({ amount: nano(1400n) }));
    await purchase.extend(nano(500n), CONSUMED);
    await purchase.settle({ ...CONSUMED, costPico: 1_400_000n, estimated: true });
    expect(ledger.asked.at(-1)).toMatchObject({ charge: nano(1400n) });
  });

  test('reports the amount taken, and the rest as loss', async () => {
    const purchase = await begun();
    ledger.answers.push(applied({ amount: nano(600n), loss: nano(100n) }, 'already_applied'));
    const { charge, loss, cost } = await purchase.settle(CONSUMED);
    expect([charge, loss]).toEqual([nano(600n), nano(100n)]);
    expect(cost).toMatchObject({ usd: '0.0000006', exact: '0.000000600' });
  });

  test.each([
    ['while the store is unavailable', unavailable()],
    ['if its hold was resolved', { status: 'epoch_over' } as const],
  ])('keeps the settlement on disk %s', async (_, answer) => {
    const purchase = await begun();
    ledger.answers.push(answer);
    const got = await purchase.settle(CONSUMED);
    expect([got.charge, got.loss, got.available]).toEqual([nano(700n), ZERO, null]);
    expect(kept).toEqual([
      {
        ...{ kind: 'settle', id: 'req_1', charge: nano(700n), receipt: got.receipt },
        ...{ carefulAnswers: 20, held: nano(1000n), exchangeId: null, atMs: NOW_MS },
      },
    ]);
    expect([settled, failed]).toEqual([[got], []]);
  });

  test('reports the lost settlement when the disk is full too', async () => {
    const purchase = await begun();
    ledger.answers.push(unavailable());
    isDiskFull = true;
    expect(await failure(purchase.settle(CONSUMED))).toMatchObject({ code: 'store_unavailable' });
    expect(failed).toEqual([['settle', 'req_1', 'Error: disk full']]);
    expect(settled).toEqual([]);
    // The store may have charged the wallet before it failed, so the purchase reports a charge.
    expect(charged).toEqual([true]);
  });

  test('reports a settlement that the ledger refuses', async () => {
    const purchase = await begun();
    ledger.answers.push({ status: 'hold_unknown' });
    expect(String(await failure(purchase.settle(CONSUMED)))).toContain('hold_unknown');
    expect([kept, failed.length, charged]).toEqual([[], 1, [true]]);
  });
});
