import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import { credit, hold } from '../ledger/conformance/ledger.fixture.ts';
import type { Outcome } from '../ledger/ledger.ts';
import { OutcomeInDoubt } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import { PLAIN_FACTS } from '../money/price-of.ts';
import { factsJson } from '../money/terms-json.ts';
import type { Settled } from '../relay/purchase.ts';
import { settledFor } from './finished.fixture.ts';
import { relayEvents, watchHolds } from './relay-events.ts';

const applied: Outcome = {
  status: 'applied',
  result: { amount: nano(1n), available: ZERO, loss: ZERO },
};

function watched(answer: () => Promise<readonly Outcome[]>) {
  const failed: string[] = [];
  return { books: watchHolds({ apply: answer }, (reason) => failed.push(reason)), failed };
}

describe('a watched ledger', () => {
  test('answers as before, and reports each hold that was not granted', async () => {
    const outcomes: readonly Outcome[] = [
      applied,
      { status: 'balance_too_low', available: ZERO },
      { status: 'key_inactive' },
    ];
    const { books, failed } = watched(async () => outcomes);
    const batch = [hold('a', 1n), hold('b', 1n), credit('c', 1n)];
    expect(await books.apply(batch)).toBe(outcomes);
    expect(failed).toEqual(['balance_too_low']);
  });

  test.each([
    ['store_unavailable', new GatewayError('store_unavailable', 'away')],
    ['in_doubt', new OutcomeInDoubt(null)],
    ['internal_error', new Error('a bug')],
  ])('fail as they do: %s', async (reason, thrown) => {
    const { books, failed } = watched(() => Promise.reject(thrown));
    const caught = await books.apply([hold('a', 1n), credit('c', 1n)]).catch((it: unknown) => it);
    expect(caught).toBe(thrown);
    expect(failed).toEqual([reason]);
  });
});

test('logs and counts what was served without a price', () => {
  const warned: unknown[] = [];
  const counted: Settled[] = [];
  const { onSettled } = relayEvents({
    log: { warn: (fields: unknown) => warned.push(fields), error: () => undefined },
    metrics: { settled: (each) => counted.push(each), settleFailed: () => undefined },
    journal: { settled: () => undefined, notBooked: () => undefined },
  });
  const facts = (unpriced: readonly string[]): string =>
    factsJson(PLAIN_FACTS, { assumed: ['tier: priority'], unpriced });
  onSettled(settledFor('req_1', { facts: null }, 1n));
  onSettled(settledFor('req_2', { facts: facts([]) }, 1n));
  onSettled(settledFor('req_3', { facts: facts(['tier: ultrafast']) }, 1n));
  expect(counted).toHaveLength(3);
  expect(warned).toMatchObject([{ requestId: 'req_3', unpriced: ['tier: ultrafast'] }]);
});
