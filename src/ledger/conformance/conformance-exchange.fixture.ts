/**
 * The tests that every engine must pass, for a wallet that lacks money while the account's other
 * wallet has some. 1 USD is 7.10 CNY.
 */
import { expect } from 'bun:test';
import { nano } from '../../money/amount.ts';
import type { Ledger } from '../ledger.ts';
import { type Open, rule } from './conformance-rule.fixture.ts';
import {
  accountBalance,
  applied,
  credit,
  extend,
  failureOf,
  hold,
  settle,
  tooLow,
  USD_CNY,
  walletOf,
} from './ledger.fixture.ts';

const yuan = { currency: 'CNY' } as const;
const exchanging = { currency: 'CNY', exchange: USD_CNY } as const;

/**
 * Credits 100 nano-CNY, and 1,000 nano-USD, which are worth 7,100 nano-CNY at the exchange rate.
 */
async function fund(ledger: Ledger): Promise<void> {
  await ledger.apply([credit('c1', 100n, yuan), credit('c2', 1_000n)]);
}

export function exchangeConformance(open: Open): void {
  reserveConformance(open);
  conversionConformance(open);
  movementConformance(open);
}

function reserveConformance(open: Open): void {
  rule(open, 'the missing part is reserved in the other wallet, rounded up', async ({ ledger }) => {
    await fund(ledger);
    expect(await ledger.apply([hold('h1', 171n, exchanging)])).toEqual([
      // The missing 71 nano-CNY cost exactly 10 nano-USD. The other 990 buy 7,029 nano-CNY.
      applied(171n, 7_029n),
    ]);
    expect(await walletOf(ledger, 'CNY')).toEqual([nano(100n), nano(100n)]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(1_000n), nano(10n)]);
    // 1 nano-CNY costs 0.14 nano-USD. A whole nano-USD is reserved, which always suffices.
    expect(await ledger.apply([extend('x1', 'h1', 1n)])).toEqual([applied(172n, 7_021n)]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(1_000n), nano(11n)]);
  });

  rule(open, 'a hold can use the money of both wallets', async ({ ledger }) => {
    await fund(ledger);
    expect(
      await ledger.apply([
        hold('h1', 7_201n, exchanging),
        hold('h2', 101n, yuan),
        hold('h3', 9_000n, { ...exchanging, atLeast: 7_200n }),
      ]),
    ).toEqual([tooLow(7_200n), tooLow(100n), applied(7_200n, 0n)]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(1_000n), nano(1_000n)]);
  });
}

function conversionConformance(open: Open): void {
  rule(open, 'only the missing part of the charge is exchanged', async ({ ledger, sql }) => {
    await fund(ledger);
    await ledger.apply([hold('h1', 3_000n, exchanging)]);
    expect(await ledger.apply([settle('h1', 171n, yuan)])).toEqual([applied(171n, 7_029n)]);
    expect(await walletOf(ledger, 'CNY')).toEqual([nano(0n), nano(0n)]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(990n), nano(0n)]);
    expect(await accountBalance(sql, 'fx:USD', 'USD')).toBe(10n);
    expect(await accountBalance(sql, 'fx:CNY', 'CNY')).toBe(-71n);
    expect(await accountBalance(sql, 'revenue', 'CNY')).toBe(171n);
  });

  rule(open, 'nothing is exchanged while the wallet itself can pay', async ({ ledger, sql }) => {
    await fund(ledger);
    await ledger.apply([hold('h1', 3_000n, exchanging), hold('h2', 3_000n, exchanging)]);
    await ledger.apply([settle('h1', 100n, yuan), credit('c3', 50n, yuan)]);
    expect(await ledger.apply([settle('h2', 50n, yuan)])).toEqual([applied(50n, 7_100n)]);
    expect(await accountBalance(sql, 'fx:USD', 'USD')).toBe(0n);
  });

  rule(open, 'an exchange is rounded half to even', async ({ ledger, sql }) => {
    const rate = {
      id: 'fx_2',
      base: 'USD',
      quote: 'CNY',
      scaled: 200_000_000n,
      effectiveFromMs: 1,
    };
    await ledger.publish([], [{ ...rate, base: 'USD', quote: 'CNY' }]);
    const halves = { currency: 'CNY', exchange: { ...rate, base: 'USD', quote: 'CNY' } } as const;
    await ledger.apply([credit('c1', 100n)]);
    await ledger.apply([hold('h1', 20n, halves), hold('h2', 20n, halves)]);
    // 5 nano-CNY cost 2.5 nano-USD, rounded to 2. 7 nano-CNY cost 3.5 nano-USD, rounded to 4.
    await ledger.apply([settle('h1', 5n, yuan), settle('h2', 7n, yuan)]);
    expect(await accountBalance(sql, 'fx:USD', 'USD')).toBe(6n);
  });

  rule(
    open,
    'a charge beyond both wallets is our loss, in its currency',
    async ({ ledger, sql }) => {
      await fund(ledger);
      await ledger.apply([hold('h1', 200n, exchanging), hold('h2', 900n)]);
      // The wallet pays 100 nano-CNY, and 710 bought with the 100 nano-USD that h2 does not hold.
      expect(await ledger.apply([settle('h1', 1_000n, yuan)])).toEqual([applied(810n, 0n, 190n)]);
      expect(await walletOf(ledger, 'USD')).toEqual([nano(900n), nano(900n)]);
      expect(await accountBalance(sql, 'operator_loss', 'CNY')).toBe(-190n);
    },
  );

  rule(open, 'the rate is the one published under its id', async ({ ledger }) => {
    await fund(ledger);
    const other = { currency: 'CNY', exchange: { ...USD_CNY, scaled: 1n } } as const;
    expect(await failureOf(ledger.apply([hold('h1', 171n, other)]))).toMatchObject({
      code: 'internal_error',
    });
    const unknown = { currency: 'CNY', exchange: { ...USD_CNY, id: 'fx_unknown' } } as const;
    expect(await failureOf(ledger.apply([hold('h2', 171n, unknown)]))).toMatchObject({
      code: 'internal_error',
    });
    const backwards = { currency: 'USD', exchange: USD_CNY } as const;
    expect(await failureOf(ledger.apply([hold('h3', 171n, backwards)]))).toMatchObject({
      code: 'invalid_value',
      param: 'exchange',
    });
  });
}

function movementConformance(open: Open): void {
  rule(
    open,
    'a settlement writes only its receipt, in the order of the wallet commands around it',
    async ({ ledger, sql }) => {
      await fund(ledger);
      await ledger.apply([hold('h1', 300n, exchanging), settle('h1', 171n, yuan)]);
      await ledger.apply([credit('c3', 5n, yuan), hold('h2', 5n, yuan), settle('h2', 4n, yuan)]);
      const ask = (text: string) => sql.query({ sql: text, params: [] });
      const lines = await ask(`SELECT command_id, line, kind, currency, amount, balance_after,
        opposite, request_id, rate_id FROM movement ORDER BY seq, line`);
      expect(lines.map((row) => Object.values(row).map(String).join(' '))).toEqual([
        'c1 1 credit CNY 100 100 top_up null null',
        'c2 1 credit USD 1000 1000 top_up null null',
        'h1 1 exchange USD -10 990 fx:USD h1 fx_usd_cny',
        'h1 3 exchange CNY 71 171 fx:CNY h1 fx_usd_cny',
        'h1 5 settle CNY -171 0 revenue h1 null',
        'c3 1 credit CNY 5 5 top_up null null',
        'h2 5 settle CNY -4 1 revenue h2 null',
      ]);
      const written = await ask('SELECT command_id FROM money_transaction ORDER BY id');
      expect(written.map((row) => row['command_id'])).toEqual(['c1', 'c2', 'c3']);
      const held = await ask('SELECT held, exchange_id FROM receipt ORDER BY seq');
      expect(held).toEqual([
        { held: 300n, exchange_id: 'fx_usd_cny' },
        { held: 5n, exchange_id: null },
      ]);
    },
  );
}
