import { describe, expect, test } from 'bun:test';
import type { Command, Outcome } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import { NO_RATES, picoRate } from '../money/price.ts';
import { FLAT, purchaseOn, SO_FAR } from './purchase.fixture.ts';
import type { Consumption } from './purchase.ts';
import { EXPECTED_OUTPUT_TOKENS, type HoldBasis, OutputBudget } from './text-price.ts';

const basis: HoldBasis = {
  input: { text: 1, media: 0, atMost: 1_000 },
  likelyInput: 0,
  ...FLAT,
  outputCap: 10_000,
  choices: 1,
  thinkingTokens: 0,
  oneHourCache: false,
  rates: {
    ...NO_RATES,
    input: picoRate(1_000n),
    cacheRead: picoRate(1_000n),
    cacheWrite5m: picoRate(1_000n),
    cacheWrite1h: picoRate(1_000n),
    output: picoRate(1_000n),
  },
  rate: null,
};

/**
 * Opens an output budget whose ledger accepts the first `grants` extensions of the hold and refuses
 * the next one.
 */
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
  const purchase = await purchaseOn(apply, { amount: nano(4096n), atLeast: nano(1n) });
  let written = 0;
  const soFar = (): Consumption => ({ ...SO_FAR, costPico: BigInt(written) * 1_000n });
  const allowance = new OutputBudget(purchase, basis, EXPECTED_OUTPUT_TOKENS, { soFar });
  const check = (tokens: number) => {
    written = tokens;
    return allowance.check(3 * tokens);
  };
  return { purchase, commands, check, allowance };
}

describe('the output budget of a stream', () => {
  test('does not extend while half of the hold is left', async () => {
    const { check } = await running(9);
    expect(check(2047)).toBeNull();
  });

  test('extends the hold in steps up to the cap', async () => {
    const { check, purchase, commands } = await running(9);
    expect(await check(2048)).toBeNull();
    expect(purchase.held).toBe(nano(8192n));
    expect(await check(6144)).toBeNull();
    expect(purchase.held).toBe(nano(10_000n));
    expect(check(10_000)).toBeNull();
    expect(commands.map((command) => command.id)).toEqual(['req_1', 'req_1/1', 'req_1/2']);
  });

  test('each extension records a checkpoint', async () => {
    const { check, commands } = await running(9);
    await check(2048);
    await check(6144);
    const charges = commands.map((each) =>
      each.kind === 'extend' ? each.checkpoint?.charge : null,
    );
    expect(charges).toEqual([null, nano(2048n), nano(6144n)]);
  });

  test('covers output of shorter tokens than assumed, at most up to the cap', async () => {
    const { allowance, purchase, commands } = await running(9);
    expect(allowance.cover(4096)).toBeNull();
    expect(await allowance.cover(5000)).toBeNull();
    expect(purchase.held).toBe(nano(5000n));
    expect(await allowance.cover(60_000)).toBeNull();
    expect(purchase.held).toBe(nano(10_000n));
    expect(allowance.cover(60_000)).toBeNull();
    expect(commands).toHaveLength(3);
  });

  test('returns the refusal of an extension', async () => {
    const { check } = await running(0);
    expect(await check(2048)).toMatchObject({ code: 'insufficient_balance' });
  });

  test('stops an upstream that writes more than any answer within the cap', async () => {
    const { allowance } = await running(9);
    const dense = 64 * basis.outputCap;
    // The first two checks extend the hold, which then covers the whole output cap.
    expect([await allowance.check(dense), await allowance.check(dense)]).toEqual([null, null]);
    expect(allowance.check(dense)).toBeNull();
    expect(await allowance.check(dense + 1)).toMatchObject({ code: 'upstream_failed' });
  });

  test('a cap of one token allows a long token', async () => {
    const { purchase } = await running(9);
    const one = new OutputBudget(purchase, { ...basis, outputCap: 1 }, 1, { soFar: () => SO_FAR });
    expect(one.check(1_000)).toBeNull();
    expect(await one.check(1_000_000)).toMatchObject({ code: 'upstream_failed' });
  });
});
