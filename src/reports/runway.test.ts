import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Wallet } from '../ledger/ledger.ts';
import { planHold, planSettle } from '../ledger/settlement-plan.ts';
import { type Currency, nano } from '../money/amount.ts';
import { FX_SCALE } from '../money/price.ts';
import { type RunwayOf, runwayOf } from './runway.ts';

const UNIT = 1_000_000_000n;
/** 7.2 CNY per USD. */
const USD_CNY = { scaled: (FX_SCALE * 72n) / 10n };

const wallet = (currency: Currency, balance: bigint): Wallet => ({
  currency,
  balance: nano(balance),
  held: nano(0n),
  floor: nano(0n),
});

function account(left: readonly [bigint, bigint], spentPerDay: readonly [bigint, bigint]) {
  return {
    wallets: [wallet('USD', left[0]), wallet('CNY', left[1])],
    pace: {
      days: 1,
      spent: new Map<Currency, ReturnType<typeof nano>>([
        ['USD', nano(spentPerDay[0])],
        ['CNY', nano(spentPerDay[1])],
      ]),
    },
    allowExchange: true,
    usdCny: USD_CNY,
  } satisfies RunwayOf;
}

/**
 * Returns for how many days the wallets can pay the daily spending, as the ledger calculates; at
 * most `limit`.
 */
function daysPaid({ wallets, pace, allowExchange, usdCny }: RunwayOf, limit: number): number {
  let [dollars = 0n, yuan = 0n]: bigint[] = wallets.map(({ balance }) => balance);
  const rate = allowExchange ? usdCny : null;
  for (let day = 0; day < limit; day += 1) {
    const inYuan = pace.spent.get('CNY') ?? 0n;
    const means = { own: yuan, other: dollars, rate };
    if (planHold(inYuan, inYuan, means) === null) return day;
    const { bought, sold } = planSettle(inYuan, means);
    yuan -= inYuan - bought;
    dollars -= sold + (pace.spent.get('USD') ?? 0n);
    if (dollars < 0n) return day;
  }
  return limit;
}

describe('the runway', () => {
  test('of requests in USD does not count the CNY wallet', () => {
    const both = account([12239n * 10_000_000n, 7_976n * UNIT], [335n * 10_000_000n, 0n]);
    expect(runwayOf(both)).toEqual({ days: 36, currency: 'USD' });
    const onlyYuan = account([0n, 100n * UNIT], [UNIT, 0n]);
    expect(runwayOf(onlyYuan)).toEqual({ days: 0, currency: 'USD' });
  });

  test('of requests in CNY counts the USD wallet only when the account exchanges', () => {
    const both = account([10n * UNIT, 72n * UNIT], [0n, 72n * UNIT]);
    expect(runwayOf(both)).toEqual({ days: 2, currency: 'USD' });
    expect(runwayOf({ ...both, allowExchange: false })).toEqual({ days: 1, currency: 'CNY' });
    expect(runwayOf({ ...both, usdCny: null })).toEqual({ days: 1, currency: 'CNY' });
  });

  test('is null without recent spending, and at most ten years', () => {
    expect(runwayOf(account([UNIT, UNIT], [0n, 0n]))).toBeNull();
    expect(runwayOf(account([UNIT, 0n], [1n, 0n]))).toEqual({ days: 3_650, currency: 'USD' });
  });

  test('is the number of days that the ledger can pay', () => {
    const amount = fc.bigInt({ min: 0n, max: 100n * UNIT });
    const daily = fc.bigInt({ min: UNIT, max: 50n * UNIT });
    fc.assert(
      fc.property(
        ...[amount, amount, daily, daily, fc.boolean()],
        (usd, cny, usdDaily, cnyDaily, allowExchange) => {
          const of = { ...account([usd, cny], [usdDaily, cnyDaily]), allowExchange };
          const days = runwayOf(of)?.days ?? 0;
          // The ledger rounds each exchange to a nano-unit. So the last day can be one day earlier.
          expect([days, days - 1]).toContain(daysPaid(of, days + 2));
        },
      ),
    );
  });
});
