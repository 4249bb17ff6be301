/** The tests that the ledger of every engine must pass. */
import { describe, expect } from 'bun:test';
import { nano } from '../../money/amount.ts';
import { MAX_AMOUNT } from '../settlement-plan.ts';
import type { Holds } from '../verify.ts';
import { capConformance } from './conformance-caps.fixture.ts';
import { exchangeConformance } from './conformance-exchange.fixture.ts';
import { exposureConformance } from './conformance-exposure.fixture.ts';
import { memberCapConformance } from './conformance-member-caps.fixture.ts';
import { nodeConformance } from './conformance-nodes.fixture.ts';
import { propertyConformance } from './conformance-property.fixture.ts';
import { recordConformance } from './conformance-records.fixture.ts';
import { type Open, rule } from './conformance-rule.fixture.ts';
import { walletCommandConformance } from './conformance-wallet-commands.fixture.ts';
import {
  AT_MS,
  accountBalance,
  adjust,
  applied,
  credit,
  extend,
  failureOf,
  hold,
  repeated,
  settle,
  tooLow,
  USD_CNY,
  voided,
  walletOf,
} from './ledger.fixture.ts';

/** The number of random histories per test run; `test/soak` runs thousands. */
const RUNS = 200;

/**
 * @param holds where the engine keeps holds: as rows, or in memory, where ended holds are forgotten
 * @param openAlike opens the store for the random histories. It must keep all holds in one place,
 *   as the model of the ledger does. By default, this is `open`.
 */
export function ledgerConformance(open: Open, holds: Holds, openAlike = open): void {
  describe('credits and corrections', () => creditConformance(open));
  describe('holds', () => holdConformance(open, holds));
  describe('settlements', () => settleConformance(open));
  if (holds === 'stored') describe('stored holds', () => storedConformance(open));
  else describe('holds in memory', () => memoryConformance(open));
  describe('spending caps', () => capConformance(open));
  describe("members' spending caps", () => memberCapConformance(open));
  describe('exchange', () => exchangeConformance(open));
  nodeConformance(open, holds);
  walletCommandConformance(open);
  describe('exposure', () => exposureConformance(open));
  describe('records', () => recordConformance(open));
  describe('any history', () => propertyConformance(openAlike, RUNS, holds));
}

function creditConformance(open: Open): void {
  rule(open, 'credited money can be spent', async ({ ledger, sql }) => {
    expect(await ledger.apply([credit('c1', 70n), credit('c2', 30n)])).toEqual([
      applied(70n, 70n),
      applied(30n, 100n),
    ]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(0n)]);
    expect(await accountBalance(sql, 'top_up', 'USD')).toBe(-100n);
  });

  rule(
    open,
    'a repeated credit is applied once and returns the first answer',
    async ({ ledger }) => {
      await ledger.apply([credit('c1', 70n), credit('c2', 30n)]);
      const later = { ...credit('c1', 70n), atMs: AT_MS + 5 };
      expect(await ledger.apply([later])).toEqual([repeated(70n, 70n)]);
      expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(0n)]);
    },
  );

  rule(open, 'an id that another command has used is refused', async ({ ledger }) => {
    await ledger.apply([credit('c1', 70n), hold('h1', 10n), extend('x1', 'h1', 1n)]);
    await ledger.apply([credit('c2', 70n, { currency: 'CNY' })]);
    await ledger.apply([hold('h2', 10n, { currency: 'CNY' })]);
    const others = [
      credit('c1', 71n),
      credit('c1', 70n, { currency: 'CNY' }),
      { ...credit('c1', 70n), reason: 'another' },
      { ...credit('c1', 70n), source: 'goodwill' as const },
      adjust('c1', 70n),
      hold('h1', 11n),
      hold('h1', 10n, { accountId: 'bob' }),
      hold('h1', 10n, { epoch: 'epoch_2' }),
      { ...credit('c1', 70n), actor: 'another' },
      hold('h2', 10n, { currency: 'CNY', exchange: USD_CNY }),
      extend('x1', 'h1', 2n),
    ];
    const outcomes = await ledger.apply(others);
    expect(outcomes).toEqual(others.map(() => ({ status: 'id_reused' })));
  });

  rule(open, 'a correction may have either sign, but stops at the floor', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
    expect(await ledger.apply([adjust('a1', -41n), adjust('a2', -40n), adjust('a3', 5n)])).toEqual([
      tooLow(40n),
      applied(-40n, 0n),
      applied(5n, 5n),
    ]);
  });

  rule(open, 'a credit to an unknown account is refused', async ({ ledger }) => {
    const nobody = { accountId: 'nobody' };
    const outcomes = await ledger.apply([credit('c1', 1n, nobody), adjust('a1', 1n, nobody)]);
    expect(outcomes).toEqual([{ status: 'account_unknown' }, { status: 'account_unknown' }]);
  });

  rule(
    open,
    'an amount above the maximum of a wallet is a fault, and moves nothing',
    async ({ ledger }) => {
      expect(await failureOf(ledger.apply([credit('c1', MAX_AMOUNT + 1n)]))).toMatchObject({
        message: expect.stringContaining('amount must be between'),
      });
      const full = [1, 2, 3, 4].map((each) => credit(`f${each}`, MAX_AMOUNT));
      await ledger.apply(full);
      expect(await failureOf(ledger.apply([credit('c2', 1n)]))).toMatchObject({
        code: 'invalid_value',
        param: 'amount',
        message: expect.stringContaining('amount would raise the balance of the wallet'),
      });
      expect((await walletOf(ledger, 'USD'))[0]).toBe(nano(4n * MAX_AMOUNT));
    },
  );
}

/**
 * Tests engines that keep holds as rows, so the ids of ended holds and of extensions stay known.
 */
function storedConformance(open: Open): void {
  rule(open, 'an id belongs to one command of any kind', async ({ ledger }) => {
    await ledger.apply([credit('c1', 70n), hold('h1', 10n), extend('x1', 'h1', 1n)]);
    const others = [
      hold('c1', 70n),
      extend('c1', 'h1', 70n),
      voided('c1'),
      credit('h1', 10n),
      extend('h1', 'h1', 10n),
      hold('x1', 1n),
    ];
    const outcomes = await ledger.apply(others);
    expect(outcomes).toEqual(others.map(() => ({ status: 'id_reused' })));
  });

  rule(open, 'a settlement needs a hold', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n), voided('h1')]);
    expect(await ledger.apply([settle('h1', 1n), settle('h2', 1n)])).toEqual([
      { status: 'hold_resolved' },
      { status: 'hold_unknown' },
    ]);
  });
}

/**
 * Tests engines that keep holds in memory and forget them at their end. So a settlement that comes
 * after the end of its hold must state the held amount.
 */
function memoryConformance(open: Open): void {
  rule(open, 'a settlement without a hold is charged, once', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
    const late = { ...settle('h2', 50n), held: nano(30n), carefulAnswers: 1 };
    expect(await ledger.apply([late, late, settle('h2', 49n)])).toEqual([
      // The wallet pays what it can, but not with money that another request holds.
      applied(40n, 0n, 10n),
      repeated(40n, 0n, 10n),
      { status: 'hold_resolved' },
    ]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(60n), nano(60n)]);
    const overruns = 'SELECT request_id, held, price FROM overrun';
    expect(await sql.query({ sql: overruns, params: [] })).toEqual([
      { request_id: 'h2', held: 30n, price: 50n },
    ]);
    expect(await ledger.apply([hold('h3', 0n)])).toEqual([{ status: 'one_at_a_time' }]);
  });

  rule(open, 'a loaded account answers without a promise', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 10n)]);
    expect(ledger.hold(hold('h2', 80n))).toEqual(applied(80n, 10n));
    expect(ledger.extend(extend('x1', 'h2', 10n))).toEqual(applied(90n, 0n));
    expect(ledger.hold(hold('h3', 1n))).toEqual(tooLow(0n));
    expect(await ledger.settle(settle('h2', 85n))).toEqual(applied(85n, 5n));
  });

  rule(open, 'a commit writes one receipt and no row of a hold', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 10n), extend('x1', 'h1', 1n)]);
    const count = async (table: string): Promise<unknown> =>
      (await sql.query({ sql: `SELECT COUNT(*) AS n FROM ${table}`, params: [] }))[0]?.['n'];
    expect([await count('checkpoint'), await count('receipt')]).toEqual([0n, 0n]);
    await ledger.settle(settle('h1', 5n));
    expect([await count('checkpoint'), await count('receipt')]).toEqual([0n, 1n]);
  });
}

function holdConformance(open: Open, holds: Holds): void {
  rule(open, 'a hold reserves money; the rest can be held by another', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n)]);
    expect(await ledger.apply([hold('h1', 60n), hold('h2', 41n), hold('h3', 40n)])).toEqual([
      applied(60n, 40n),
      tooLow(40n),
      applied(40n, 0n),
    ]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(100n)]);
  });

  rule(
    open,
    'a hold is reduced to the available amount, down to its minimum',
    async ({ ledger }) => {
      await ledger.apply([credit('c1', 100n)]);
      expect(
        await ledger.apply([
          hold('h1', 500n, { atLeast: 101n }),
          hold('h2', 500n, { atLeast: 100n }),
          hold('h3', 1n, { atLeast: 0n }),
        ]),
      ).toEqual([tooLow(100n), applied(100n, 0n), applied(0n, 0n)]);
    },
  );

  rule(open, 'a repeated hold is made once and returns the first answer', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n), extend('x1', 'h1', 10n)]);
    const again = { ...hold('h1', 60n), atMs: AT_MS + 9, expiresAtMs: AT_MS + 99 };
    expect(await ledger.apply([again, extend('x1', 'h1', 10n)])).toEqual([
      repeated(60n, 40n),
      repeated(70n, 30n),
    ]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(70n)]);
  });

  rule(
    open,
    'only an active, unexpired key of an active account holds',
    async ({ ledger, sql }) => {
      await ledger.apply([credit('c1', 100n), credit('c2', 100n, { accountId: 'bob' })]);
      expect(
        await ledger.apply([
          hold('h1', 1n, { accountId: 'nobody' }),
          hold('h2', 1n, { keyId: 'key_unknown' }),
          hold('h3', 1n, { keyId: 'key_bob' }),
        ]),
      ).toEqual([
        { status: 'account_unknown' },
        { status: 'key_inactive' },
        { status: 'key_inactive' },
      ]);
      const run = (text: string) => sql.query({ sql: text, params: [] });
      await run(`UPDATE api_key SET expires_at_ms = ${AT_MS} WHERE id = 'key_alice'`);
      expect(await ledger.apply([hold('h4', 1n)])).toEqual([{ status: 'key_inactive' }]);
      await run(`UPDATE api_key SET expires_at_ms = ${AT_MS + 1} WHERE id = 'key_alice'`);
      expect(await ledger.apply([hold('h4', 1n)])).toEqual([applied(1n, 99n)]);
      await run(`UPDATE api_key SET status = 'disabled' WHERE id = 'key_alice'`);
      expect(await ledger.apply([hold('h5', 1n)])).toEqual([{ status: 'key_inactive' }]);
      await run(`UPDATE account SET status = 'suspended' WHERE id = 'bob'`);
      const bobs = await ledger.apply([hold('h6', 1n, { accountId: 'bob' })]);
      expect(bobs).toEqual([{ status: 'account_inactive' }]);
    },
  );

  rule(open, 'an extension is all or nothing, and only of a pending hold', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
    expect(
      await ledger.apply([
        extend('x1', 'h1', 41n),
        extend('x2', 'h1', 40n),
        extend('x3', 'h9', 1n),
        settle('h1', 0n),
        extend('x4', 'h1', 1n),
      ]),
    ).toEqual([
      tooLow(40n),
      applied(100n, 0n),
      { status: 'hold_unknown' },
      applied(0n, 100n),
      { status: holds === 'stored' ? 'hold_resolved' : 'hold_unknown' },
    ]);
  });

  rule(
    open,
    'of 200 holds at once with money for 37, exactly 37 are admitted',
    async ({ ledger }) => {
      await ledger.apply([credit('c1', 37n * 1_000n + 999n)]);
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, each) => ledger.apply([hold(`h${each}`, 1_000n)])),
      );
      const admitted = outcomes.filter(([outcome]) => outcome?.status === 'applied');
      expect(admitted).toHaveLength(37);
      expect(outcomes.flat().filter(({ status }) => status === 'balance_too_low')).toHaveLength(
        163,
      );
    },
  );
}

function settleConformance(open: Open): void {
  rule(open, 'a settlement takes the charge and releases the rest', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
    expect(await ledger.apply([settle('h1', 24n)])).toEqual([applied(24n, 76n)]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(76n), nano(0n)]);
    expect(await accountBalance(sql, 'revenue', 'USD')).toBe(24n);
  });

  rule(
    open,
    'a charge of zero releases the hold and keeps its receipt',
    async ({ ledger, sql }) => {
      await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
      const free = settle('h1', 0n, { outcome: 'upstream_error', errorCode: 'upstream_failed' });
      expect(await ledger.apply([free])).toEqual([applied(0n, 100n)]);
      expect(await ledger.receipt('h1')).toMatchObject({ outcome: 'upstream_error', charge: 0n });
      const lines = await sql.query({ sql: 'SELECT command_id FROM movement', params: [] });
      expect(lines).toEqual([{ command_id: 'c1' }]);
    },
  );

  rule(
    open,
    'a charge above the hold takes what is there; the rest is our loss',
    async ({ ledger, sql }) => {
      await ledger.apply([credit('c1', 100n), hold('h1', 20n), hold('h2', 30n)]);
      expect(await ledger.apply([settle('h1', 90n)])).toEqual([applied(70n, 0n, 20n)]);
      expect(await walletOf(ledger, 'USD')).toEqual([nano(30n), nano(30n)]);
      expect(await accountBalance(sql, 'operator_loss', 'USD')).toBe(-20n);
      expect(await accountBalance(sql, 'revenue', 'USD')).toBe(90n);
      expect(await ledger.receipt('h1')).toMatchObject({ charge: 70n, loss: 20n });
    },
  );

  rule(
    open,
    'a repeated settlement gets its first answer; another is refused',
    async ({ ledger }) => {
      await ledger.apply([
        credit('c1', 100n),
        hold('h1', 60n),
        settle('h1', 24n),
        credit('c2', 1n),
      ]);
      const later = { ...settle('h1', 24n), atMs: AT_MS + 50 };
      expect(
        await ledger.apply([later, settle('h1', 25n), settle('h1', 24n, { finishReason: null })]),
      ).toEqual([repeated(24n, 76n), { status: 'hold_resolved' }, { status: 'hold_resolved' }]);
      expect(await walletOf(ledger, 'USD')).toEqual([nano(77n), nano(0n)]);
    },
  );

  rule(
    open,
    'a settlement needs no active key, since the use is paid in any case',
    async ({ ledger, sql }) => {
      await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
      await sql.query({ sql: "UPDATE api_key SET status = 'revoked'", params: [] });
      expect(await ledger.apply([settle('h1', 24n)])).toEqual([applied(24n, 76n)]);
    },
  );

  rule(
    open,
    'the hold of a faulty settlement stays, also for the caps, until a settlement succeeds',
    async ({ ledger, sql }) => {
      const capped = "UPDATE spend_meter SET cap_total = 10 WHERE owner_id = 'key_alice'";
      await sql.query({ sql: capped, params: [] });
      await ledger.apply([credit('c1', 100n), hold('h1', 10n)]);
      const faulty = ledger.apply([settle('h1', 1n, { cardId: 'card_never_published' })]);
      expect(await failureOf(faulty)).toMatchObject({ code: 'internal_error' });
      expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(10n)]);
      expect(await ledger.apply([hold('h2', 1n)])).toMatchObject([{ status: 'cap_reached' }]);
      expect(await ledger.apply([settle('h1', 1n)])).toEqual([applied(1n, 99n)]);
      expect(await walletOf(ledger, 'USD')).toEqual([nano(99n), nano(0n)]);
    },
  );

  rule(
    open,
    'one faulty command fails alone; the others in its commit succeed',
    async ({ ledger }) => {
      await ledger.apply([credit('c1', 100n), hold('h1', 10n), hold('h2', 10n), hold('h3', 10n)]);
      const [first, faulty, strange, last] = await Promise.allSettled([
        ledger.apply([settle('h1', 1n)]),
        ledger.apply([settle('h2', 1n, { cardId: 'card_never_published' })]),
        ledger.apply([settle('h2', 1n, { keyId: 'key_bob' })]),
        ledger.apply([settle('h3', 1n)]),
      ]);
      expect([first?.status, last?.status]).toEqual(['fulfilled', 'fulfilled']);
      expect(faulty).toMatchObject({ status: 'rejected', reason: { code: 'internal_error' } });
      expect(strange).toMatchObject({ status: 'rejected', reason: { code: 'internal_error' } });
      expect(await ledger.apply([settle('h2', 1n)])).toEqual([applied(1n, 97n)]);
    },
  );
}
