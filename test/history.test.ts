/**
 * Tests the checker that compares the histories of clients' requests with the ledger. A correct
 * ledger passes, and each injected fault is found and named.
 */
import { describe, expect, test } from 'bun:test';
import {
  type Charge,
  faultsOf,
  type Invocation,
  LAWS,
  type LedgerRecords,
  orderFaults,
} from './support/history/history.ts';

const START_MS = 1_790_000_000_000;
const CHAT = { endpoint: 'chat', model: 'gen-opus-4-8', streamed: true } as const;
const USD = 'USD';

const asked = (keyId: string, second: number, end: Invocation['end']): Invocation => ({
  ...CHAT,
  keyId,
  invokedAtMs: START_MS + second * 1000,
  endedAtMs: START_MS + second * 1000 + 900,
  end,
});
const ok = (requestId: string, cost: bigint): Invocation['end'] => ({
  as: 'ok',
  requestId,
  cost,
  currency: USD,
  promptTokens: 10n,
  completionTokens: 5n,
});

/**
 * A history of two clients' requests: complete answers, a refusal, a truncated answer, an answer
 * without headers, and a request that was never sent.
 */
const history: readonly Invocation[] = [
  asked('key_1', 0, ok('req_1', 100n)),
  asked('key_1', 1, ok('req_2', 200n)),
  asked('key_1', 2, { as: 'refused', requestId: 'req_3', status: 402 }),
  asked('key_2', 0, { as: 'unknown', requestId: 'req_4' }),
  asked('key_2', 1, { as: 'unknown', requestId: null }),
  asked('key_2', 2, { as: 'unsent' }),
  asked('key_2', 3, ok('req_6', 300n)),
];

const charge = (place: bigint, requestId: string, taken: bigint): Charge => ({
  transaction: place,
  kind: 'settle',
  requestId,
  currency: USD,
  taken,
  loss: 0n,
});
const charges = [
  charge(2n, 'req_1', 100n),
  charge(3n, 'req_2', 200n),
  charge(4n, 'req_4', 40n),
  charge(5n, 'req_5', 50n),
  charge(6n, 'req_6', 300n),
];
const booked = (requestId: string, keyId: string, second: number) => ({
  ...CHAT,
  requestId,
  keyId,
  startedAtMs: START_MS + second * 1000 + 5,
  promptTokens: 10n,
  completionTokens: 5n,
});
const move = (amount: bigint, balanceAfter: bigint) => ({
  accountId: 'acc_1',
  currency: USD,
  amount,
  balanceAfter,
});
const hold = (requestId: string) => ({
  requestId,
  amount: 400n,
  isPending: false,
  createdAtMs: START_MS,
});

const records: LedgerRecords = {
  readAtMs: START_MS + 120_000,
  charges,
  requests: [
    booked('req_1', 'key_1', 0),
    booked('req_2', 'key_1', 1),
    booked('req_4', 'key_2', 0),
    // The client that sent `req_5` received no headers, so it does not know this id.
    booked('req_5', 'key_2', 1),
    booked('req_6', 'key_2', 3),
  ],
  holds: ['req_1', 'req_2', 'req_4', 'req_5', 'req_6'].map(hold),
  movements: [
    move(1000n, 1000n),
    move(-100n, 900n),
    move(-200n, 700n),
    move(-40n, 660n),
    move(-50n, 610n),
    move(-300n, 310n),
  ],
  wallets: [{ accountId: 'acc_1', currency: USD, balance: 310n, held: 0n, floor: 0n }],
};

const without = (id: string): Partial<LedgerRecords> => ({
  charges: charges.filter(({ requestId }) => requestId !== id),
});
const laws = (planted: Partial<LedgerRecords>, seen: readonly Invocation[] = history) =>
  faultsOf(seen, { ...records, ...planted }).map(({ law, subject }) => [law, subject]);

test('accepts a ledger that agrees with what the clients saw', () => {
  expect(faultsOf(history, records)).toEqual([]);
  expect(orderFaults(history, records)).toEqual([]);
});

test('a request without an observed end may be free', () => {
  expect(laws(without('req_4'))).toEqual([]);
  expect(laws(without('req_5'))).toEqual([]);
});

test('a delayed settlement against an empty wallet may be a partial loss', () => {
  const late = { ...charge(7n, 'req_2', -50n), kind: 'late' as const, loss: 100n };
  const first = { ...charge(3n, 'req_2', 150n) };
  expect(
    laws({ charges: [...charges.filter((each) => each.transaction !== 3n), first, late] }),
  ).toEqual([]);
});

describe('finds and names', () => {
  test.each<[string, string, string, Partial<LedgerRecords>]>([
    ['a lost charge', LAWS.charged, 'req_2', without('req_2')],
    [
      'a double charge',
      LAWS.charged,
      'req_1',
      { charges: [...charges, charge(9n, 'req_1', 100n)] },
    ],
    [
      'a double charge in two halves',
      LAWS.charged,
      'req_1',
      { charges: [charge(2n, 'req_1', 50n), charge(9n, 'req_1', 50n), ...charges.slice(1)] },
    ],
    [
      'a wrong amount',
      LAWS.charged,
      'req_1',
      { charges: [charge(2n, 'req_1', 101n), ...charges.slice(1)] },
    ],
    [
      'a wrong currency',
      LAWS.charged,
      'req_1',
      { charges: [{ ...charge(2n, 'req_1', 100n), currency: 'CNY' }, ...charges.slice(1)] },
    ],
    [
      'a refusal that was charged',
      LAWS.refused,
      'req_3',
      { charges: [...charges, charge(9n, 'req_3', 1n)], holds: [...records.holds, hold('req_3')] },
    ],
    [
      'an interrupted answer charged twice',
      LAWS.unknown,
      'req_4',
      { charges: [...charges, charge(9n, 'req_4', 40n)] },
    ],
    [
      'a charge above the hold',
      LAWS.unknown,
      'req_4',
      {
        charges: [...charges.filter((each) => each.transaction !== 4n), charge(4n, 'req_4', 401n)],
      },
    ],
    [
      'an unidentified request charged above its hold',
      LAWS.unknown,
      'req_5',
      {
        charges: [...charges.filter((each) => each.transaction !== 5n), charge(5n, 'req_5', 401n)],
      },
    ],
    [
      'a charge without a request',
      LAWS.asked,
      'req_7',
      {
        charges: [...charges, charge(9n, 'req_7', 40n)],
        requests: [...records.requests, booked('req_7', 'key_2', 1)],
        holds: [...records.holds, hold('req_7')],
      },
    ],
    [
      'a charge before the request',
      LAWS.asked,
      'req_5',
      { requests: records.requests.with(3, booked('req_5', 'key_2', 0)) },
    ],
    [
      'a charge under a key without a pending request',
      LAWS.asked,
      'req_5',
      { requests: records.requests.with(3, booked('req_5', 'key_1', 1)) },
    ],
    [
      'a wrong token count',
      LAWS.counted,
      'req_1',
      { requests: records.requests.with(0, { ...booked('req_1', 'key_1', 0), promptTokens: 11n }) },
    ],
    ['a missing receipt', LAWS.counted, 'req_1', { requests: records.requests.slice(1) }],
    [
      'a broken chain',
      LAWS.chain,
      'acc_1 USD',
      { movements: records.movements.with(5, move(-300n, 311n)), wallets: [] },
    ],
    [
      'a balance that differs from the sum of its movements',
      LAWS.chain,
      'acc_1 USD',
      { movements: records.movements.slice(0, -1) },
    ],
    [
      'a wallet below its floor',
      LAWS.floor,
      'acc_1 USD',
      { wallets: [{ accountId: 'acc_1', currency: USD, balance: 310n, held: 311n, floor: 0n }] },
    ],
    [
      'an unreleased hold',
      LAWS.resolved,
      'req_1',
      { holds: [{ ...hold('req_1'), isPending: true }, ...records.holds.slice(1)] },
    ],
  ])('%s', (_name, law, subject, planted) => {
    expect(laws(planted)).toEqual([[law, subject]]);
  });

  test('a client whose second request is in the ledger before its first', () => {
    const swapped = [charge(3n, 'req_1', 100n), charge(2n, 'req_2', 200n), ...charges.slice(2)];
    const found = orderFaults(history, { ...records, charges: swapped });
    expect(found.map(({ law, subject }) => [law, subject])).toEqual([[LAWS.ordered, 'req_2']]);
  });
});
