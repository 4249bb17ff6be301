/** The tests of wallet commands and their audit entries that every engine must pass. */
import { describe, expect } from 'bun:test';
import { nano } from '../../money/amount.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type { SqlExecutor, SqlRow } from '../../store/sql.ts';
import { MAX_AMOUNT } from '../settlement-plan.ts';
import { type Open, rule } from './conformance-rule.fixture.ts';
import {
  ACTOR,
  AT_MS,
  accountBalance,
  adjust,
  applied,
  credit,
  creditLimit,
  exchange,
  failureOf,
  hold,
  refund,
  repeated,
  settle,
  tooLow,
  walletOf,
} from './ledger.fixture.ts';

const yuan = { currency: 'CNY' } as const;

export function walletCommandConformance(open: Open): void {
  describe('exchanges', () => exchangeConformance(open));
  describe('refunds', () => refundConformance(open));
  describe('credit limits', () => creditLimitConformance(open));
  describe('the audit log', () => auditConformance(open));
}

function exchangeConformance(open: Open): void {
  rule(open, 'one wallet buys from the other at the published rate', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 50n), credit('c2', 4n, yuan)]);
    expect(await ledger.apply([exchange('e1', 71n), exchange('e2', 288n)])).toEqual([
      applied(71n, 75n),
      // The remaining 40 nano-USD buy only 284 nano-CNY; 288 would cost 40.56 nano-USD.
      tooLow(284n),
    ]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(90n), nano(50n)]);
    expect(await walletOf(ledger, 'CNY')).toEqual([nano(75n), nano(0n)]);
    expect(await accountBalance(sql, 'fx:USD', 'USD')).toBe(10n);
    expect(await accountBalance(sql, 'fx:CNY', 'CNY')).toBe(-71n);
    expect(await ledger.apply([exchange('e1', 71n), exchange('e1', 70n)])).toEqual([
      repeated(71n, 75n),
      { status: 'id_reused' },
    ]);
  });

  rule(open, 'an exchange needs a published rate', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n)]);
    const { rate } = exchange('e1', 71n);
    for (const wrong of [
      { ...rate, scaled: 1n },
      { ...rate, id: 'fx_unknown' },
    ]) {
      const cheap = { ...exchange('e1', 1n), rate: wrong };
      expect(await failureOf(ledger.apply([cheap]))).toMatchObject({ code: 'internal_error' });
    }
    expect(await ledger.apply([exchange('e1', 1n, 'nobody')])).toEqual([
      { status: 'account_unknown' },
    ]);
  });
}

function refundConformance(open: Open): void {
  rule(open, 'a charge is refunded in parts, never beyond it', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n), settle('h1', 40n)]);
    expect(
      await ledger.apply([
        refund('r1', 'h1', 30n),
        refund('r2', 'h1', 11n),
        refund('r3', 'h1', 10n),
        refund('r4', 'h1', 1n),
      ]),
    ).toEqual([applied(30n, 90n), tooLow(10n), applied(10n, 100n), tooLow(0n)]);
    expect(await accountBalance(sql, 'revenue', 'USD')).toBe(0n);
    expect(await ledger.apply([refund('r1', 'h1', 30n), refund('r1', 'h1', 29n)])).toEqual([
      repeated(30n, 90n),
      { status: 'id_reused' },
    ]);
    expect(await ledger.receipt('h1')).toMatchObject({ charge: 40n });
  });

  rule(open, 'only what was taken is refunded', async ({ ledger }) => {
    await ledger.apply([credit('c1', 10n), hold('h1', 10n), settle('h1', 15n), credit('c2', 9n)]);
    await ledger.apply([hold('h2', 2n)]);
    expect(
      await ledger.apply([refund('r1', 'h1', 11n), refund('r2', 'h9', 1n), refund('r3', 'h2', 1n)]),
    ).toEqual([tooLow(10n), { status: 'hold_unknown' }, { status: 'hold_unknown' }]);
  });
}

function creditLimitConformance(open: Open): void {
  rule(open, 'a wallet may go below zero down to its credit limit', async ({ ledger }) => {
    expect(
      await ledger.apply([
        creditLimit('l1', 50n),
        hold('h1', 51n),
        hold('h2', 50n),
        creditLimit('l2', 49n),
        creditLimit('l1', 50n),
        creditLimit('l1', 60n),
        creditLimit('l3', 50n, { accountId: 'nobody' }),
      ]),
    ).toEqual([
      applied(50n, 50n),
      tooLow(50n),
      applied(50n, 0n),
      tooLow(0n),
      repeated(50n, 50n),
      { status: 'id_reused' },
      { status: 'account_unknown' },
    ]);
    expect(await ledger.apply([settle('h2', 20n), creditLimit('l4', 20n)])).toEqual([
      applied(20n, 30n),
      applied(20n, 0n),
    ]);
    expect((await ledger.wallets('alice'))[0]).toEqual({
      currency: 'USD',
      balance: nano(-20n),
      held: nano(0n),
      floor: nano(-20n),
    });
    expect(await ledger.apply([adjust('a1', -1n), credit('c1', 5n)])).toEqual([
      tooLow(0n),
      applied(5n, 5n),
    ]);
  });

  rule(open, 'a limit of zero ends the credit', async ({ ledger }) => {
    await ledger.apply([creditLimit('l1', MAX_AMOUNT), creditLimit('l2', 0n)]);
    expect(await ledger.apply([hold('h1', 1n)])).toEqual([tooLow(0n)]);
  });
}

const auditLog = (sql: SqlExecutor): Promise<readonly SqlRow[]> =>
  sql.query({
    sql: `SELECT id, at_ms, actor, action, subject, detail FROM audit
          WHERE action LIKE 'wallet.%' OR action = 'account.update' ORDER BY id`,
    params: [],
  });

function auditConformance(open: Open): void {
  rule(open, 'names the actor of each command, in order, once', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 100n), credit('c1', 100n), adjust('a1', -200n)]);
    await ledger.apply([hold('h1', 60n), settle('h1', 40n), adjust('a2', -1n)]);
    await ledger.apply([exchange('e1', 71n), refund('r1', 'h1', 3n), creditLimit('l1', 4n)]);
    const rows = await auditLog(sql);
    expect(rows.map(({ action, subject, actor }) => [action, subject, actor])).toEqual(
      ['credit', 'adjust', 'exchange', 'refund', 'credit_limit'].map((kind) => [
        `wallet.${kind}`,
        'alice',
        ACTOR,
      ]),
    );
    expect(rows[0]?.['at_ms']).toBe(BigInt(AT_MS));
    expect(JSON.parse(String(rows[3]?.['detail']))).toEqual({
      id: 'r1',
      amount: '0.000000003',
      currency: 'USD',
      reason: 'it was useless',
      request: 'h1',
    });
  });

  rule(open, 'has an entry for each published card and rate', async ({ sql }) => {
    const rows = await sql.query({
      sql: 'SELECT action, subject, actor FROM audit ORDER BY id',
      params: [],
    });
    expect(rows.map(({ action, subject, actor }) => [action, subject, actor])).toEqual([
      ['rate.publish', 'fx_usd_cny', 'system'],
      ...['card_usd', 'card_cny', 'card_image'].map((id) => ['card.publish', id, 'system']),
    ]);
  });

  rule(open, 'gets the entry of plain SQL that changed something', async ({ sql }) => {
    const entry = (subject: string): AuditEntry => ({
      atMs: AT_MS,
      actor: 'admin',
      action: 'account.update',
      subject,
      detail: { to: 'line\nbreak', count: 2, isTrue: true, nothing: null },
    });
    const rename = (id: string) => ({
      sql: 'UPDATE account SET name = $1 WHERE id = $2 RETURNING id',
      params: ['Alice', id],
    });
    expect(await sql.transaction([rename('alice')], entry('alice'))).toEqual([[{ id: 'alice' }]]);
    expect(await sql.transaction([rename('nobody')], entry('nobody'))).toEqual([[]]);
    const broken = { sql: 'SELECT nonsense', params: [] };
    await failureOf(sql.transaction([rename('bob'), broken], entry('bob')));
    const rows = await auditLog(sql);
    expect(rows.map(({ subject }) => subject)).toEqual(['alice']);
    expect(JSON.parse(String(rows[0]?.['detail']))).toEqual(entry('alice').detail);
  });

  rule(open, 'refuses an entry that is not one line', async ({ ledger, sql }) => {
    const entry = {
      atMs: AT_MS,
      actor: 'a',
      action: 'key.update',
      subject: 'c',
      detail: {},
    } as const;
    for (const field of ['actor', 'action', 'subject'] as const) {
      for (const text of ['', 'two\nlines', 'nul\u0000']) {
        const write = sql.transaction([], { ...entry, [field]: text });
        expect(await failureOf(write)).toMatchObject({ code: 'invalid_value', param: field });
      }
    }
    const forged = { ...credit('c1', 1n), actor: 'admin\nadmin' };
    expect(await failureOf(ledger.apply([forged]))).toMatchObject({ param: 'actor' });
  });
}
