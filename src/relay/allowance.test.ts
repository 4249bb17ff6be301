import { describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.ts';
import type { Command, Ledger, Outcome } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import { picoRate } from '../money/price.ts';
import { Allowance } from './allowance.ts';
import { EXPECTED_OUTPUT_TOKENS, type HoldBasis } from './hold-size.ts';
import { Purchase } from './purchase.ts';

const basis: HoldBasis = {
  textBytes: 0,
  mediaParts: 0,
  outputCap: 10_000,
  choices: 1,
  thinkingTokens: 0,
  oneHourCache: false,
  rates: {
    input: picoRate(1_000n),
    cacheRead: picoRate(1_000n),
    cacheWrite5m: picoRate(1_000n),
    cacheWrite1h: picoRate(1_000n),
    output: picoRate(1_000n),
  },
  rate: null,
};

/** A ledger that grants everything up to so many extensions. */
async function running(grants: number) {
  const commands: Command[] = [];
  let held = 0n;
  const apply = async (batch: readonly Command[]): Promise<readonly Outcome[]> =>
    batch.map((command) => {
      commands.push(command);
      if (command.kind !== 'hold' && command.kind !== 'extend') throw new Error(command.kind);
      if (command.kind === 'extend' && commands.length - 1 > grants) {
        return { status: 'balance_too_low', available: ZERO };
      }
      held += command.amount;
      return { status: 'applied', result: { amount: nano(held), available: ZERO, loss: ZERO } };
    });
  const ledger: Pick<Ledger, 'apply'> = { apply };
  const purchase = await Purchase.begin(
    {
      ledger,
      clock: manualClock(),
      epoch: 'node',
      onSettled: () => undefined,
      onSettleFailed: () => undefined,
    },
    {
      requestId: 'req_1',
      caller: { accountId: 'acc', keyId: 'key', keyName: 'k', allowExchange: true },
      card: { id: 'card_1' },
      currency: 'USD',
      rate: null,
      exchange: null,
      amount: nano(4096n),
      atLeast: nano(1n),
    },
  );
  return { purchase, commands, allowance: new Allowance(purchase, basis, EXPECTED_OUTPUT_TOKENS) };
}

describe('the allowance of a stream', () => {
  test('asks for nothing while half of what is held is left', async () => {
    const { allowance } = await running(9);
    expect(allowance.check(3 * 2047)).toBeNull();
  });

  test('raises the hold in steps up to the cap, and then no more', async () => {
    const { allowance, purchase, commands } = await running(9);
    expect(await allowance.check(3 * 2048)).toBe(true);
    expect(purchase.held).toBe(nano(8192n));
    expect(await allowance.check(3 * 6144)).toBe(true);
    expect(purchase.held).toBe(nano(10_000n));
    expect(allowance.check(3 * 10_000)).toBeNull();
    expect(commands.map((command) => command.id)).toEqual(['req_1', 'req_1/1', 'req_1/2']);
  });

  test('says so when no more can be held', async () => {
    const { allowance } = await running(0);
    expect(await allowance.check(3 * 2048)).toBe(false);
  });
});
