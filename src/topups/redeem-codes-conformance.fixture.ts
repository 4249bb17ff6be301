/** The conformance suite of redeem codes, run on every engine. */
import { describe, expect } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { systemClock } from '../clock.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { addAccount, failureOf } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { nano } from '../money/amount.ts';
import { watchBalances } from './alerts/watched-ledger.ts';
import { newRedeemCode } from './redeem-code.ts';
import {
  GUESS_WINDOW_MS,
  MAX_BATCH_CODES,
  MAX_GUESSES,
  type NewBatch,
  RedeemCodes,
} from './redeem-codes.ts';

const FIVE = nano(5_000_000_000n);
const ALICE = { accountId: 'alice', actor: 'key_alice' };
const BOB = { accountId: 'bob', actor: 'key_bob' };
const BATCH: NewBatch = {
  currency: 'USD',
  amount: FIVE,
  count: 1,
  expiresAtMs: null,
  reason: 'spring fair',
};

function codesOf({
  sql,
  ledger,
}: Pick<Database, 'sql'> & { readonly ledger: Pick<Ledger, 'apply'> }) {
  // Only `advance` moves the clock. Random bytes are real, so that ids do not repeat.
  const clock = { ...manualClock(), randomBytes: systemClock.randomBytes };
  const credited: string[] = [];
  const watched = watchBalances(
    ledger,
    { observe: () => {}, observeRise: (accountId) => credited.push(accountId) },
    { observe: () => {} },
  );
  return { clock, credited, codes: new RedeemCodes({ sql, ledger: watched, clock }) };
}

async function newCode(codes: RedeemCodes, more: Partial<NewBatch> = {}) {
  const { batch, codes: made } = await codes.create({ ...BATCH, ...more }, 'admin');
  return { batch, code: made[0] ?? '' };
}

async function balance({ ledger }: Database, accountId: string): Promise<bigint | undefined> {
  return (await ledger.wallets(accountId)).find(({ currency }) => currency === 'USD')?.balance;
}

export function redeemCodesConformance(open: Open): void {
  redeeming(open);
  ends(open);
  batches(open);
}

function redeeming(open: Open): void {
  describe('a code', () => {
    rule(open, 'is credited once, and returns the first result again', async (database) => {
      const { codes, credited } = codesOf(database);
      const { batch, code } = await newCode(codes);
      const first = await codes.redeem(code, ALICE);
      expect(first).toMatchObject({ amount: FIVE, currency: 'USD', available: FIVE });
      expect(first.id).toMatch(/^redeem_[0-9a-f]{64}$/);
      // The same account redeems the code again with another key, typed in lower case with spaces.
      const again = await codes.redeem(` ${code.toLowerCase().replaceAll('-', ' ')} `, ALICE);
      expect([first.alreadyApplied, again]).toEqual([false, { ...first, alreadyApplied: true }]);
      expect(await failureOf(codes.redeem(code, BOB))).toMatchObject({ code: 'conflict' });
      expect([await balance(database, 'alice'), await balance(database, 'bob')]).toEqual([
        FIVE,
        0n,
      ]);
      expect(await codes.get(batch.id)).toMatchObject({ count: 1, used: 1, cancelled: 0 });
      expect(credited).toEqual(['alice']);
    });

    rule(open, 'is credited once when 5 accounts redeem it 50 times at once', async (database) => {
      const { codes } = codesOf(database);
      const { code } = await newCode(codes);
      const accounts = ['one', 'two', 'three', 'four', 'five'];
      for (const id of accounts) await addAccount(database.sql, id);
      const calls = Array.from({ length: 50 }, (_, at) => accounts[at % 5] ?? '');
      const answers = await Promise.all(
        calls.map((accountId) =>
          codes.redeem(code, { accountId, actor: `key_${accountId}` }).then(
            (redeemed) => (redeemed.alreadyApplied ? 'again' : 'applied'),
            (thrown) => thrown.code,
          ),
        ),
      );
      const count = (answer: string): number => answers.filter((it) => it === answer).length;
      expect([count('applied'), count('again'), count('conflict')]).toEqual([1, 9, 40]);
      const balances = await Promise.all(accounts.map((it) => balance(database, it)));
      expect(balances.toSorted().map(Number)).toEqual([0, 0, 0, 0, Number(FIVE)]);
    });

    rule(
      open,
      'is credited later by its account alone when the process died after the claim',
      async (database) => {
        const dying = { apply: () => Promise.reject(new Error('killed')) };
        const { codes } = codesOf({ sql: database.sql, ledger: dying });
        const { batch, code } = await newCode(codes, { expiresAtMs: 1_790_000_060_000 });
        await failureOf(codes.redeem(code, ALICE));
        const { codes: next, clock } = codesOf(database);
        // A claim stays valid after the code has expired and its batch was canceled.
        clock.advance(120_000);
        expect(await next.cancel(batch.id, 'admin')).toMatchObject({ used: 1, cancelled: 0 });
        expect(await failureOf(next.redeem(code, BOB))).toMatchObject({ code: 'conflict' });
        expect(await next.redeem(code, ALICE)).toMatchObject({ alreadyApplied: false });
        expect(await balance(database, 'alice')).toBe(FIVE);
      },
    );
  });
}

function ends(open: Open): void {
  describe('a code', () => {
    rule(open, 'is refused when expired or canceled', async (database) => {
      const { codes, clock } = codesOf(database);
      const short = await newCode(codes, { expiresAtMs: clock.nowMs() + 1000 });
      const gone = await newCode(codes);
      expect(await codes.cancel(gone.batch.id, 'admin')).toMatchObject({ cancelled: 1, used: 0 });
      clock.advance(1000);
      const failures = [short, gone].map(({ code }) => failureOf(codes.redeem(code, ALICE)));
      const refusals = await Promise.all(failures);
      const said = refusals.map((it) => String(it));
      expect(said[0]).toContain('expired on 2026');
      expect(said[1]).toContain('was canceled');
      expect(refusals.map((it) => Object(it).extra.reason)).toEqual(['expired', 'cancelled']);
      expect(await balance(database, 'alice')).toBe(0n);
    });

    rule(open, 'is either redeemed or canceled, never both', async (database) => {
      const { codes } = codesOf(database);
      for (let round = 0; round < 10; round++) {
        const { batch, code } = await newCode(codes);
        const before = (await balance(database, 'alice')) ?? 0n;
        const redeeming = codes.redeem(code, ALICE).then(
          () => 1,
          () => 0,
        );
        const [used, after] = await Promise.all([redeeming, codes.cancel(batch.id, 'admin')]);
        const { used: counted, cancelled } = await codes.get(batch.id);
        expect([counted, cancelled, after.cancelledAtMs !== null]).toEqual([used, 1 - used, true]);
        expect(await balance(database, 'alice')).toBe(before + (used === 1 ? FIVE : 0n));
      }
    });

    rule(open, 'limits guesses of codes that do not exist', async (database) => {
      const { codes, clock } = codesOf(database);
      const guess = () => failureOf(codes.redeem(newRedeemCode(clock), ALICE));
      const guesses = await Promise.all(Array.from({ length: MAX_GUESSES + 5 }, guess));
      const found = guesses.map((it) => Object(it).code);
      expect(found.filter((it) => it === 'not_found').length).toBe(MAX_GUESSES);
      expect(found.filter((it) => it === 'rate_limit_exceeded').length).toBe(5);
      const { code } = await newCode(codes);
      expect(await failureOf(codes.redeem(code, ALICE))).toMatchObject({ retryAfterSeconds: 60 });
      // The limit affects only the account that guessed, and ends after `GUESS_WINDOW_MS`.
      expect(await codes.redeem(code, BOB)).toMatchObject({ amount: FIVE });
      clock.advance(GUESS_WINDOW_MS);
      expect(await guess()).toMatchObject({ code: 'not_found' });
    });
  });
}

function batches(open: Open): void {
  describe('a batch', () => {
    rule(
      open,
      'of the largest size is created in one transaction and audited',
      async (database) => {
        const { codes } = codesOf(database);
        const { batch, codes: made } = await codes.create(
          { ...BATCH, count: MAX_BATCH_CODES },
          'admin',
        );
        expect(new Set(made).size).toBe(MAX_BATCH_CODES);
        expect(await codes.get(batch.id)).toEqual(batch);
        await codes.redeem(made[MAX_BATCH_CODES - 1] ?? '', ALICE);
        await codes.cancel(batch.id, 'admin');
        await codes.cancel(batch.id, 'admin');
        expect(await codes.get(batch.id)).toMatchObject({
          used: 1,
          cancelled: MAX_BATCH_CODES - 1,
        });
        const trail = await database.sql.query({
          sql: 'SELECT action FROM audit WHERE subject = $1 ORDER BY id',
          params: [batch.id],
        });
        expect(trail).toEqual([
          { action: 'redeem_batch.create' },
          { action: 'redeem_batch.cancel' },
        ]);
        const { items, next } = await codes.list({ limit: 1, after: null }, null);
        expect([items.map(({ id }) => id), next]).toEqual([[batch.id], null]);
      },
    );

    rule(
      open,
      'is found by its id, a part of its reason and any of its codes',
      async (database) => {
        const { codes, clock } = codesOf(database);
        const { batch, code } = await newCode(codes, { reason: 'Autumn fair 50%' });
        await newCode(codes);
        const found = async (search: string) =>
          (await codes.list({ limit: 9, after: null }, search)).items.map(({ id }) => id);
        expect(await found('autumn')).toEqual([batch.id]);
        expect(await found('50%')).toEqual([batch.id]);
        expect(await found(batch.id)).toEqual([batch.id]);
        expect(await found('fair')).toHaveLength(2);
        expect(await found('a%n')).toEqual([]);
        expect(await codes.find(code.toLowerCase())).toEqual(batch);
        expect(await failureOf(codes.find(newRedeemCode(clock)))).toMatchObject({
          code: 'not_found',
        });
        expect(await failureOf(codes.find('MG-1'))).toMatchObject({ code: 'invalid_value' });
      },
    );

    rule(open, 'lists its codes by state and account, without the codes', async (database) => {
      const { codes, clock } = codesOf(database);
      const { batch, codes: made } = await codes.create({ ...BATCH, count: 3 }, 'admin');
      await codes.redeem(made[1] ?? '', ALICE);
      await codes.cancel(batch.id, 'admin');
      const first = await codes.codes(batch.id, { limit: 2, after: null });
      const last = await codes.codes(batch.id, { limit: 2, after: first.next });
      const all = [...first.items, ...last.items];
      expect(all.filter(({ state }) => state === 'cancelled')).toHaveLength(2);
      expect(all.find(({ state }) => state === 'claimed')).toMatchObject({
        ...{ id: expect.stringMatching(/^[0-9a-f]{64}$/), accountId: 'alice' },
        ...{ accountName: expect.any(String), claimedAtMs: clock.nowMs() },
      });
      expect(last.next).toBeNull();
      expect(await failureOf(codes.codes('rdb_none', { limit: 2, after: null }))).toMatchObject({
        code: 'not_found',
      });
    });

    rule(open, 'is refused when invalid, naming the field', async (database) => {
      const { codes, clock } = codesOf(database);
      const refused = async (more: Partial<NewBatch>) =>
        Object(await failureOf(codes.create({ ...BATCH, ...more }, 'admin'))).param;
      expect(await refused({ count: MAX_BATCH_CODES + 1 })).toBe('count');
      expect(await refused({ count: 0 })).toBe('count');
      expect(await refused({ expiresAtMs: clock.nowMs() })).toBe('expires_at');
      expect(await failureOf(codes.get('rdb_none'))).toMatchObject({ code: 'not_found' });
      expect(await failureOf(codes.cancel('rdb_none', 'admin'))).toMatchObject({
        code: 'not_found',
      });
    });
  });
}
