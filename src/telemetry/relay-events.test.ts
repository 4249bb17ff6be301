import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import { credit, hold } from '../ledger/conformance/ledger.fixture.ts';
import type { Outcome } from '../ledger/ledger.ts';
import { OutcomeInDoubt } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import { watchHolds } from './relay-events.ts';

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
