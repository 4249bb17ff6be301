/** The tests of dead processes and late settlements that every engine must pass. */
import { describe, expect } from 'bun:test';
import { eventually } from '../../../test/support/eventually.ts';
import { nano } from '../../money/amount.ts';
import type { Database } from '../database.ts';
import type { Checkpoint, Ledger } from '../ledger.ts';
import type { Holds } from '../verify.ts';
import { type Open, rule } from './conformance-rule.fixture.ts';
import {
  AT_MS,
  accountBalance,
  applied,
  checkpoint,
  credit,
  EPOCH,
  extend,
  failureOf,
  hold,
  LEASE_MS,
  refund,
  repeated,
  settle,
  tooLow,
  USD_CNY,
  voided,
  walletOf,
} from './ledger.fixture.ts';

const yuan = { currency: 'CNY' } as const;
const resolved = { status: 'hold_resolved' } as const;

export function nodeConformance(open: Open, holds: Holds): void {
  describe('leases', () => leaseConformance(open));
  describe('released holds', () => voidConformance(open, holds));
  describe('the reaper', () => reapConformance(open, holds));
  describe('late settlements', () => lateConformance(open));
}

/** Ends the lease of `EPOCH`, takes a lease for a second process, and reaps the pending holds. */
async function succeed(ledger: Ledger): Promise<unknown> {
  await ledger.leave(EPOCH);
  await ledger.join({ epoch: 'epoch_2', name: 'second' }, LEASE_MS);
  return await ledger.reap();
}

function leaseConformance(open: Open): void {
  rule(open, 'only an epoch with a live lease may hold', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n)]);
    expect(await ledger.renew(EPOCH, LEASE_MS)).toEqual({ isLive: true, nodes: 1 });
    expect(await ledger.apply([hold('h1', 10n), hold('h2', 10n, { epoch: 'never' })])).toEqual([
      applied(10n, 90n),
      { status: 'epoch_over' },
    ]);
    await ledger.leave(EPOCH);
    expect(await ledger.apply([hold('h3', 10n), extend('x1', 'h1', 5n)])).toEqual([
      { status: 'epoch_over' },
      // A request may extend its hold until the hold is reaped.
      applied(15n, 85n),
    ]);
    expect((await ledger.renew(EPOCH, LEASE_MS)).isLive).toBe(false);
    expect((await ledger.renew('never', LEASE_MS)).isLive).toBe(false);
    expect(await ledger.join({ epoch: 'epoch_2', name: EPOCH }, LEASE_MS)).toBe('joined');
    expect(await ledger.apply([hold('h3', 10n, { epoch: 'epoch_2' })])).toEqual([
      applied(10n, 75n),
    ]);
  });
}

/** Waits until the store has a hold's checkpoint with this charge. */
async function isStored({ sql }: Database, holds: Holds, id: string, charge: bigint) {
  const table =
    holds === 'stored'
      ? 'SELECT checkpoint_charge AS charge FROM hold WHERE id = $1'
      : 'SELECT charge FROM checkpoint WHERE request_id = $1';
  const read = async () => (await sql.query({ sql: table, params: [id] }))[0]?.['charge'];
  await eventually('the checkpoint is stored', read, (stored) => stored === charge);
}

/** The outcome of a release that found no hold. */
const NOTHING = applied(0n, 0n);

function voidConformance(open: Open, holds: Holds): void {
  const isStored = holds === 'stored';
  rule(open, 'a hold is released as a whole, once', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n), extend('x1', 'h1', 5n)]);
    expect(await ledger.apply([voided('h1', yuan)])).toEqual([{ status: 'id_reused' }]);
    expect(await ledger.apply([voided('h1'), credit('c2', 1n), voided('h1')])).toEqual([
      applied(65n, 100n),
      applied(1n, 101n),
      isStored ? repeated(65n, 100n) : NOTHING,
    ]);
    expect(await ledger.apply([extend('x2', 'h1', 1n)])).toEqual([
      { status: isStored ? 'hold_resolved' : 'hold_unknown' },
    ]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(101n), nano(0n)]);
    expect(await ledger.receipt('h1')).toBeNull();
  });

  rule(open, 'a released hold is not charged by its checkpoint', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
    await ledger.apply([extend('x1', 'h1', 5n, checkpoint('h1', 40n)), voided('h1')]);
    expect(await succeed(ledger)).toEqual({ settled: 0, voided: 0 });
    expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(0n)]);
  });

  rule(open, 'a reserve in the other wallet is released with it', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), credit('c2', 3n, yuan)]);
    await ledger.apply([hold('h1', 10n, { ...yuan, exchange: USD_CNY })]);
    expect(await ledger.apply([voided('h1', yuan)])).toEqual([applied(10n, 713n)]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(0n)]);
    expect(await walletOf(ledger, 'CNY')).toEqual([nano(3n), nano(0n)]);
  });

  rule(open, 'a settled hold is not released again', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 60n), settle('h1', 5n)]);
    expect(await ledger.apply([voided('h1')])).toEqual([isStored ? resolved : NOTHING]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(95n), nano(0n)]);
  });

  // In memory, a release cannot come before its hold, because a hold is made before its command
  // returns.
  if (!isStored) return;
  rule(open, 'a hold that is voided beforehand is never made', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n)]);
    expect(await ledger.apply([voided('h1'), hold('h1', 60n), voided('h1')])).toEqual([
      applied(0n, 100n),
      { status: 'id_reused' },
      repeated(0n, 100n),
    ]);
    expect(await ledger.apply([settle('h1', 1n), credit('h1', 1n)])).toEqual([
      resolved,
      { status: 'id_reused' },
    ]);
    expect(
      await ledger.apply([
        voided('h2', { accountId: 'nobody' }),
        voided('h3', { keyId: 'key_bob' }),
        voided('c1'),
      ]),
    ).toEqual([{ status: 'account_unknown' }, { status: 'key_inactive' }, { status: 'id_reused' }]);
  });
}

function reapConformance(open: Open, holds: Holds): void {
  rule(open, 'without a checkpoint nothing is charged', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), credit('c2', 3n, yuan)]);
    await ledger.apply([hold('h1', 30n), hold('h2', 10n, { ...yuan, exchange: USD_CNY })]);
    expect(await ledger.reap()).toEqual({ settled: 0, voided: 0 });
    expect(await succeed(ledger)).toEqual({ settled: 0, voided: 2 });
    expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(0n)]);
    expect(await walletOf(ledger, 'CNY')).toEqual([nano(3n), nano(0n)]);
    expect(await ledger.reap()).toEqual({ settled: 0, voided: 0 });
    expect(await ledger.apply([extend('x1', 'h1', 1n), voided('h1')])).toEqual(
      holds === 'stored' ? [resolved, resolved] : [{ status: 'hold_unknown' }, NOTHING],
    );
  });

  rule(open, 'the last checkpoint is charged, as an estimate', async ({ ledger }) => {
    await ledger.apply([
      credit('c1', 100n),
      hold('h1', 30n),
      extend('x1', 'h1', 10n, checkpoint('h1', 21n)),
      extend('x2', 'h1', 10n, checkpoint('h1', 34n)),
      extend('x3', 'h1', 10n),
    ]);
    expect(await succeed(ledger)).toEqual({ settled: 1, voided: 0 });
    expect(await ledger.receipt('h1')).toMatchObject({
      outcome: 'node_lost',
      estimated: true,
      charge: 34n,
      loss: 0n,
    });
    expect(await walletOf(ledger, 'USD')).toEqual([nano(66n), nano(0n)]);
  });

  rule(open, 'the last checkpoint kept between extensions is charged', async (database) => {
    const { ledger } = database;
    await ledger.apply([credit('c1', 100n), hold('h1', 30n), hold('h2', 30n)]);
    const keep = (id: string, { charge, receipt }: Checkpoint) =>
      ledger.keepCheckpoint(id, { charge, receipt });
    keep('h1', checkpoint('h1', 12n));
    keep('h1', checkpoint('h1', 21n));
    keep('h2', checkpoint('h2', 5n));
    keep('never', checkpoint('never', 5n));
    expect(() => keep('h1', checkpoint('h2', 1n))).toThrow("must be the hold's id");
    expect(await ledger.apply([settle('h2', 7n)])).toEqual([applied(7n, 63n)]);
    await isStored(database, holds, 'h1', 21n);
    keep('h2', checkpoint('h2', 6n));
    expect(await succeed(ledger)).toEqual({ settled: 1, voided: 0 });
    expect(await ledger.receipt('h1')).toMatchObject({ outcome: 'node_lost', charge: 21n });
    expect(await walletOf(ledger, 'USD')).toEqual([nano(72n), nano(0n)]);
  });

  rule(open, 'a checkpoint without a published card releases the hold', async ({ ledger }) => {
    const unpriced = checkpoint('h1', 21n, { cardId: 'card_never_published' });
    await ledger.apply([credit('c1', 100n), hold('h1', 30n), hold('h2', 30n)]);
    await ledger.apply([extend('x1', 'h1', 10n, unpriced)]);
    expect(await succeed(ledger)).toEqual({ settled: 0, voided: 2 });
  });

  rule(open, 'a checkpoint must be of its own request', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 30n)]);
    expect(
      await failureOf(ledger.apply([extend('x1', 'h1', 1n, checkpoint('h2', 1n))])),
    ).toMatchObject({ code: 'invalid_value', param: 'receipt.requestId' });
    const bobs = checkpoint('h1', 1n, { keyId: 'key_bob' });
    expect(await failureOf(ledger.apply([extend('x1', 'h1', 1n, bobs)]))).toMatchObject({
      code: 'internal_error',
    });
  });

  rule(open, 'an expired hold is resolved too', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 30n, { expiresAtMs: 1 }), hold('h2', 5n)]);
    expect(await ledger.reap()).toEqual({ settled: 0, voided: 1 });
    expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(5n)]);
  });
}

function lateConformance(open: Open): void {
  rule(open, 'is an ordinary settlement when nothing was charged', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 30n), hold('h2', 30n)]);
    await succeed(ledger);
    await ledger.apply([hold('h3', 80n, { epoch: 'epoch_2' })]);
    expect(await ledger.apply([settle('h1', 15n), settle('h2', 25n), settle('h1', 15n)])).toEqual([
      applied(15n, 5n),
      // The wallet pays what it can, but not with money that another request holds.
      applied(5n, 0n, 20n),
      repeated(15n, 5n),
    ]);
    expect(await ledger.apply([settle('h1', 16n)])).toEqual([resolved]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(80n), nano(80n)]);
  });

  rule(open, 'a checkpoint that was too low is corrected once', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 30n)]);
    await ledger.apply([extend('x1', 'h1', 10n, checkpoint('h1', 20n))]);
    await succeed(ledger);
    await ledger.apply([hold('h2', 75n, { epoch: 'epoch_2' })]);
    const late = { ...settle('h1', 29n), atMs: AT_MS + 172_800_000 };
    expect(await ledger.apply([late, late, settle('h1', 28n)])).toEqual([
      applied(25n, 0n, 4n),
      repeated(25n, 0n, 4n),
      resolved,
    ]);
    expect(await ledger.receipt('h1')).toMatchObject({ outcome: 'node_lost', charge: 20n });
    const rows = await sql.query({
      sql: 'SELECT charge, loss, output, outcome FROM late_receipt',
      params: [],
    });
    expect(rows).toEqual([{ charge: 5n, loss: 4n, output: 29n, outcome: 'completed' }]);
    expect(await accountBalance(sql, 'revenue', 'USD')).toBe(29n);
    expect(await ledger.spentByKey('key_alice')).toEqual(new Map([['USD', nano(25n)]]));
  });

  rule(
    open,
    'the excess of a checkpoint that was too high is returned',
    async ({ ledger, sql }) => {
      await ledger.apply([credit('c1', 100n), hold('h1', 30n)]);
      await ledger.apply([extend('x1', 'h1', 10n, checkpoint('h1', 20n))]);
      await succeed(ledger);
      const other = settle('h1', 6n, { channel: 'economical' });
      expect(await ledger.apply([other])).toEqual([applied(6n, 94n)]);
      expect(await accountBalance(sql, 'revenue', 'USD')).toBe(6n);
      const days = await sql.query({
        sql: `SELECT channel, CAST(SUM(requests) AS BIGINT) AS requests,
            CAST(SUM(output) AS BIGINT) AS output, CAST(SUM(charge) AS BIGINT) AS charge
          FROM usage_by_day GROUP BY channel ORDER BY channel`,
        params: [],
      });
      expect(days).toEqual([
        { channel: 'direct', requests: 0n, output: 0n, charge: 0n },
        { channel: 'economical', requests: 1n, output: 6n, charge: 6n },
      ]);
      // Only the remaining 6 can be refunded.
      expect(await ledger.apply([refund('r1', 'h1', 7n), refund('r2', 'h1', 6n)])).toEqual([
        tooLow(6n),
        applied(6n, 100n),
      ]);
    },
  );

  rule(open, 'refunded money is not returned again', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 30n)]);
    await ledger.apply([extend('x1', 'h1', 10n, checkpoint('h1', 20n))]);
    await succeed(ledger);
    await ledger.apply([refund('r1', 'h1', 15n)]);
    expect(await ledger.apply([settle('h1', 6n)])).toEqual([applied(15n, 100n)]);
    expect(await ledger.apply([settle('h1', 6n)])).toEqual([repeated(15n, 100n)]);
    expect(await walletOf(ledger, 'USD')).toEqual([nano(100n), nano(0n)]);
  });

  rule(open, 'a correction removes the loss of the first charge', async ({ ledger, sql }) => {
    await ledger.apply([credit('c1', 20n), hold('h1', 10n), hold('h2', 5n)]);
    await ledger.apply([extend('x1', 'h1', 1n, checkpoint('h1', 18n))]);
    await succeed(ledger);
    expect(await ledger.receipt('h1')).toMatchObject({ charge: 18n - 3n, loss: 3n });
    expect(await ledger.apply([settle('h1', 17n)])).toEqual([applied(17n, 3n)]);
    expect(await accountBalance(sql, 'operator_loss', 'USD')).toBe(0n);
  });
}
