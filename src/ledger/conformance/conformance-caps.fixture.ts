/** The tests of spending caps that every engine must pass. Caps count nano-USD. */

import { expect } from 'bun:test';
import { nano } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import { resetFutureWindows } from '../future-windows.ts';
import { type Open, rule } from './conformance-rule.fixture.ts';
import {
  AT_MS,
  applied,
  capOwner,
  capReached,
  credit,
  extend,
  hold,
  settle,
  tooLow,
  USD_CNY,
  voided,
} from './ledger.fixture.ts';

/** A Monday that is the last day of its month. */
const MONDAY = Date.parse('2026-08-31T12:00:00Z');
const yuan = { currency: 'CNY' } as const;

export function capConformance(open: Open): void {
  grantConformance(open);
  chargeConformance(open);
  windowConformance(open);
  resetConformance(open);
}

function grantConformance(open: Open): void {
  rule(
    open,
    'a hold must fit into the part of the cap that is neither spent nor held',
    async ({ ledger, sql }) => {
      await ledger.apply([credit('c1', 1_000n)]);
      await capOwner(sql, 'key_alice', 'total', 100n);
      expect(
        await ledger.apply([
          hold('h1', 60n),
          hold('h2', 41n),
          hold('h3', 90n, { atLeast: 40n }),
          settle('h1', 10n),
          hold('h4', 51n),
          hold('h5', 50n),
        ]),
      ).toEqual([
        applied(60n, 940n),
        capReached('key', 'total', 40n),
        applied(40n, 900n),
        applied(10n, 950n),
        capReached('key', 'total', 50n),
        applied(50n, 900n),
      ]);
      await ledger.apply([voided('h3')]);
      expect(await ledger.apply([extend('x1', 'h5', 41n), extend('x2', 'h5', 40n)])).toEqual([
        capReached('key', 'total', 40n),
        applied(90n, 900n),
      ]);
    },
  );

  rule(open, 'the first exceeded cap is reported', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 1_000n)]);
    await capOwner(sql, 'alice', 'day', 10n);
    await capOwner(sql, 'key_alice', 'month', 30n);
    await capOwner(sql, 'key_alice', 'week', 20n);
    expect(
      await ledger.apply([
        hold('h1', 2_000n),
        hold('h2', 40n),
        hold('h3', 25n),
        hold('h4', 15n),
        hold('h5', 10n),
      ]),
    ).toEqual([
      tooLow(1_000n),
      capReached('key', 'week', 10n),
      capReached('key', 'week', 10n),
      capReached('account', 'day', 10n),
      applied(10n, 990n),
    ]);
  });
}

function chargeConformance(open: Open): void {
  rule(open, 'a charge above the hold counts, and further holds are refused', async (database) => {
    const { ledger, sql } = database;
    await ledger.apply([credit('c1', 1_000n)]);
    await capOwner(sql, 'alice', 'total', 50n);
    await ledger.apply([hold('h1', 50n), settle('h1', 70n)]);
    expect(await ledger.apply([hold('h2', 1n), hold('h3', 0n)])).toEqual([
      capReached('account', 'total', 0n),
      applied(0n, 930n),
    ]);
  });

  rule(open, 'a charge in the other currency counts at its own rate', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 1_000n, yuan)]);
    await capOwner(sql, 'key_alice', 'total', 10n);
    const priced = { ...yuan, priceRate: USD_CNY };
    const receipt = { ...yuan, cardId: 'card_usd', fxRateId: USD_CNY.id };
    // The cap of 10 nano-USD allows 71 nano-CNY. The hold of 8 nano-CNY uses 2 nano-USD, rounded
    // up. The remaining 8 nano-USD allow 56 nano-CNY, rounded down.
    expect(
      await ledger.apply([
        hold('h1', 72n, priced),
        hold('h2', 8n, priced),
        hold('h3', 57n, priced),
        hold('h4', 56n, priced),
      ]),
    ).toEqual([
      capReached('key', 'total', 71n),
      applied(8n, 992n),
      capReached('key', 'total', 56n),
      applied(56n, 936n),
    ]);
    await ledger.apply([voided('h4', yuan)]);
    // The 10 tokens cost 10 nano-USD, which is the whole cap, and are charged as 71 nano-CNY.
    await ledger.apply([{ ...settle('h2', 10n, receipt), charge: nano(71n) }]);
    expect(await ledger.apply([hold('h5', 1n, priced)])).toEqual([capReached('key', 'total', 0n)]);
  });
}

function windowConformance(open: Open): void {
  rule(open, 'days, weeks from Monday and months reset in UTC', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 1_000n)]);
    await capOwner(sql, 'key_alice', 'day', 10n);
    await capOwner(sql, 'key_alice', 'week', 15n);
    await capOwner(sql, 'alice', 'month', 12n);
    const spend = (id: string, amount: bigint, atMs: number) => [
      hold(id, amount, { atMs }),
      { ...settle(id, amount), atMs },
    ];
    await ledger.apply(spend('h1', 10n, MONDAY));
    const tuesday = MONDAY + DAY_MS;
    const nextMonday = MONDAY + 7 * DAY_MS;
    expect(
      await ledger.apply([
        hold('r1', 1n, { atMs: MONDAY + DAY_MS / 2 - 1 }),
        hold('r2', 6n, { atMs: tuesday }),
        ...spend('h2', 5n, tuesday),
        hold('r3', 1n, { atMs: nextMonday - DAY_MS / 2 - 1 }),
        hold('r4', 8n, { atMs: nextMonday }),
        ...spend('h3', 7n, nextMonday),
        hold('r5', 1n, { atMs: nextMonday }),
      ]),
    ).toEqual([
      capReached('key', 'day', 0n),
      capReached('key', 'week', 5n),
      applied(5n, 985n),
      applied(5n, 985n),
      capReached('key', 'week', 0n),
      // The month's cap is 12, and 5 were already spent in September.
      capReached('account', 'month', 7n),
      applied(7n, 978n),
      applied(7n, 978n),
      capReached('account', 'month', 0n),
    ]);
  });

  rule(open, 'no spending is lost when the clock jumps back', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 1_000n)]);
    await capOwner(sql, 'key_alice', 'day', 10n);
    await ledger.apply([hold('h1', 6n), settle('h1', 6n)]);
    const yesterday = AT_MS - DAY_MS;
    const early = (id: string, amount: bigint) => hold(id, amount, { atMs: yesterday });
    expect(
      await ledger.apply([
        early('h2', 5n),
        early('h3', 4n),
        { ...settle('h3', 3n), atMs: yesterday },
        early('h4', 2n),
        hold('h5', 2n),
        hold('h6', 1n),
      ]),
    ).toEqual([
      capReached('key', 'day', 4n),
      applied(4n, 990n),
      applied(3n, 991n),
      capReached('key', 'day', 1n),
      capReached('key', 'day', 1n),
      applied(1n, 990n),
    ]);
  });
}

function resetConformance(open: Open): void {
  rule(
    open,
    'charges made while a clock was ahead count until periods are reset',
    async (database) => {
      const { ledger, sql } = database;
      await ledger.apply([credit('c1', 1_000n)]);
      for (const window of ['day', 'week', 'month'] as const)
        await capOwner(sql, 'alice', window, 20n);
      const ahead = AT_MS + 400 * DAY_MS;
      const spend = (id: string, amount: bigint, atMs: number) => [
        hold(id, amount, { atMs }),
        { ...settle(id, amount), atMs },
      ];
      await ledger.apply([...spend('h1', 4n, AT_MS), ...spend('h2', 6n, ahead)]);
      const tomorrow = AT_MS + DAY_MS;
      await ledger.apply(spend('h3', 5n, tomorrow));
      // h2 is dated far in the future, so the current period begins on that day. Without a reset,
      // h2 and h3 still count on the next day.
      expect(await ledger.apply([hold('h4', 10n, { atMs: tomorrow + DAY_MS })])).toEqual([
        capReached('account', 'day', 9n),
      ]);
      expect(await resetFutureWindows(sql, 'admin', tomorrow)).toBe(2);
      expect(await ledger.verify()).toEqual([]);
      // After the reset, h2 counts today despite its date, so that no cap is exceeded.
      expect(await ledger.apply([hold('h5', 10n, { atMs: tomorrow })])).toEqual([
        capReached('account', 'day', 5n),
      ]);
      const nextMonth = AT_MS + 40 * DAY_MS;
      expect(await ledger.apply(spend('h6', 20n, nextMonth))).toEqual([
        applied(20n, 965n),
        applied(20n, 965n),
      ]);
      expect(await resetFutureWindows(sql, 'admin', nextMonth)).toBe(0);
    },
  );
}
