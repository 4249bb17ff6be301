import { describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import type { Checkpoint, Outcome, Sales } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import { SO_FAR } from './purchase.fixture.ts';
import { Purchase, type PurchaseTerms, type Till } from './purchase.ts';

const TERMS: PurchaseTerms = {
  requestId: 'req_1',
  caller: { accountId: 'acc', keyId: 'key', allowExchange: true },
  price: { affordable: () => ({}) },
  onCharged: null,
  currency: 'USD',
  rate: null,
  exchange: null,
  amount: nano(5n),
  atLeast: nano(5n),
  worstCase: nano(5n),
};

const granted = (amount: bigint): Outcome => ({
  status: 'applied',
  result: { amount: nano(amount), available: ZERO, loss: ZERO },
});

/**
 * Returns the dependencies of a purchase, with a ledger that answers holds and extensions
 * synchronously.
 */
const tillOf = (
  ledger: Pick<Sales, 'hold' | 'extend'>,
  keepCheckpoint: Sales['keepCheckpoint'] = () => undefined,
): Till => ({
  ledger: {
    ...ledger,
    settle: () => Promise.reject(new Error('not here')),
    keepCheckpoint,
  },
  clock: manualClock(),
  epoch: () => 'node',
  holdLifetimeMs: 1,
  carefulAnswers: 0,
  mustWait: () => false,
  spool: { keep: () => Promise.reject(new Error('not here')) },
  onSettled: () => undefined,
  onSettleFailed: () => undefined,
});

describe('with a ledger that answers at once', () => {
  test('a purchase begins and grows without a promise', () => {
    const till = tillOf({ hold: () => granted(5n), extend: () => granted(7n) });
    const purchase = Purchase.begin(till, TERMS);
    if (purchase instanceof Promise) throw new Error('the hold was a promise');
    expect(purchase.held).toBe(nano(5n));
    expect(purchase.extend(nano(2n), SO_FAR)).toBeNull();
    expect(purchase.held).toBe(nano(7n));
  });

  test('a checkpoint is kept without an extension, never above the hold', () => {
    const kept: [id: string, checkpoint: Checkpoint][] = [];
    const sales = { hold: () => granted(5n), extend: () => granted(7n) };
    const purchase = Purchase.begin(
      tillOf(sales, (...given) => kept.push(given)),
      TERMS,
    );
    if (purchase instanceof Promise) throw new Error('the hold was a promise');
    purchase.keepCheckpoint({ ...SO_FAR, costPico: 9_000n });
    const receipt = { requestId: 'req_1', accountId: 'acc', currency: 'USD' };
    expect(kept).toMatchObject([['req_1', { charge: nano(5n), receipt }]]);
  });

  test('a refusal is thrown or returned without a promise', () => {
    const refused: Outcome = { status: 'key_inactive' };
    const refusing = tillOf({ hold: () => refused, extend: () => refused });
    expect(() => Purchase.begin(refusing, TERMS)).toThrow('This API key is revoked');
    const till = tillOf({ hold: () => granted(5n), extend: () => refused });
    const purchase = Purchase.begin(till, TERMS);
    if (purchase instanceof Promise) throw new Error('the hold was a promise');
    expect(purchase.extend(nano(2n), SO_FAR)).toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('if the charge of a request must wait', () => {
  /** Settles a request of this cost. Returns the kinds of commands that the till received. */
  const receivedFor = async (costPico: bigint): Promise<readonly string[]> => {
    const received: string[] = [];
    const till = tillOf({ hold: () => granted(5n), extend: () => granted(7n) });
    const settle: Sales['settle'] = async ({ charge }) => {
      received.push('settled');
      return granted(charge);
    };
    const keep: Till['spool']['keep'] = async ({ id }) => void received.push(`spooled ${id}`);
    const waiting: Till = {
      ...till,
      ledger: { ...till.ledger, settle },
      spool: { keep },
      mustWait: (requestId) => requestId === 'req_1',
    };
    const purchase = await Purchase.begin(waiting, TERMS);
    const { charge, available } = await purchase.settle({ ...SO_FAR, costPico });
    expect([charge, available]).toEqual(costPico > 0n ? [nano(5n), null] : [ZERO, ZERO]);
    return received;
  };

  test('only the spool gets the settlement', async () => {
    expect(await receivedFor(9_000n)).toEqual(['spooled req_1']);
  });

  test('a settlement without a charge does not wait', async () => {
    expect(await receivedFor(0n)).toEqual(['settled']);
  });
});
