/**
 * The tests of members' spending caps that every engine must pass. The member created the keys
 * `key_alice` and `sibling_alice` of alice, but not `other_alice`.
 */
import { expect } from 'bun:test';
import { systemClock } from '../../clock.ts';
import { nano } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import type { Database } from '../database.ts';
import type { CapWindow } from '../ledger.ts';
import { type Open, rule } from './conformance-rule.fixture.ts';
import {
  AT_MS,
  addMemberKeys,
  applied,
  capMember,
  capOwner,
  capReached,
  checkpoint,
  credit,
  EPOCH,
  extend,
  hold,
  LEASE_MS,
  settle,
  USD_CNY,
  voided,
} from './ledger.fixture.ts';

/** A Monday that is the last day of its month. */
const MONDAY = Date.parse('2026-08-31T12:00:00Z');
const SIBLING = { keyId: 'sibling_alice' } as const;
const OTHER = { keyId: 'other_alice' } as const;

const memberReached = (window: CapWindow, available: bigint) =>
  capReached('member', window, available);

/** Tests a rule on a store in which alice has 1,000 nano-USD and a member with two keys. */
function memberRule(open: Open, name: string, statement: (database: Database) => Promise<void>) {
  rule(open, name, async (database) => {
    await addMemberKeys(database.sql, 'alice');
    await database.ledger.apply([credit('c1', 1_000n)]);
    await statement(database);
  });
}

export function memberCapConformance(open: Open): void {
  sharingConformance(open);
  changeConformance(open);
  chargeConformance(open);
  windowConformance(open);
  raceConformance(open);
}

function sharingConformance(open: Open): void {
  memberRule(open, "the keys of a member share the member's cap", async ({ ledger, sql }) => {
    await capMember(sql, 'alice', { month: 100n });
    expect(
      await ledger.apply([
        hold('h1', 60n),
        hold('h2', 41n, SIBLING),
        hold('h3', 90n, { ...SIBLING, atLeast: 40n }),
        hold('h4', 1n),
        hold('h5', 500n, OTHER),
      ]),
    ).toEqual([
      applied(60n, 940n),
      memberReached('month', 40n),
      applied(40n, 900n),
      memberReached('month', 0n),
      applied(500n, 400n),
    ]);
    expect(
      await ledger.apply([
        settle('h1', 10n),
        extend('x1', 'h3', 51n),
        extend('x2', 'h3', 50n),
        voided('h3', SIBLING),
        hold('h6', 91n),
        hold('h7', 90n),
      ]),
    ).toEqual([
      applied(10n, 450n),
      memberReached('month', 50n),
      applied(90n, 400n),
      applied(90n, 490n),
      memberReached('month', 90n),
      applied(90n, 400n),
    ]);
  });

  memberRule(
    open,
    "the first exceeded cap is the key's, the member's or the account's",
    async ({ ledger, sql }) => {
      await capOwner(sql, 'key_alice', 'total', 40n);
      await capMember(sql, 'alice', { day: 30n, week: 25n, month: 20n });
      await capOwner(sql, 'alice', 'day', 10n);
      expect(
        await ledger.apply([
          hold('h1', 41n),
          hold('h2', 31n),
          hold('h3', 26n),
          hold('h4', 21n),
          hold('h5', 11n),
          hold('h6', 41n, SIBLING),
          hold('h7', 41n, OTHER),
          hold('h8', 10n),
        ]),
      ).toEqual([
        capReached('key', 'total', 10n),
        memberReached('day', 10n),
        memberReached('week', 10n),
        memberReached('month', 10n),
        capReached('account', 'day', 10n),
        memberReached('day', 10n),
        capReached('account', 'day', 10n),
        applied(10n, 990n),
      ]);
    },
  );
}

function changeConformance(open: Open): void {
  memberRule(
    open,
    'a cap counts amounts that were held or spent before it was set',
    async ({ ledger, sql }) => {
      await ledger.apply([
        hold('h1', 30n),
        settle('h1', 20n),
        hold('h2', 25n, SIBLING),
        hold('h3', 15n),
        hold('h4', 300n, OTHER),
      ]);
      await capMember(sql, 'alice', { week: 100n });
      expect(await ledger.apply([hold('h5', 41n), extend('x1', 'h2', 41n)])).toEqual([
        memberReached('week', 40n),
        memberReached('week', 40n),
      ]);
      await capMember(sql, 'alice', { week: 50n });
      expect(await ledger.apply([hold('h6', 1n, SIBLING), hold('h7', 0n, SIBLING)])).toEqual([
        memberReached('week', 0n),
        applied(0n, 640n),
      ]);
      await capMember(sql, 'alice', { week: 61n });
      expect(await ledger.apply([hold('h8', 2n), hold('h9', 1n, SIBLING)])).toEqual([
        memberReached('week', 1n),
        applied(1n, 639n),
      ]);
      await capMember(sql, 'alice', {});
      expect(await ledger.apply([hold('h10', 600n, SIBLING)])).toEqual([applied(600n, 39n)]);
    },
  );

  memberRule(open, 'a cap applies to one member in one account', async ({ ledger, sql }) => {
    await addMemberKeys(sql, 'bob');
    await sql.query({ sql: "UPDATE api_key SET created_by = 'usr_alice'", params: [] });
    await sql.query({
      sql: "UPDATE api_key SET created_by = 'usr_carol' WHERE id = 'other_alice'",
      params: [],
    });
    await capMember(sql, 'alice', { day: 10n });
    await ledger.apply([credit('c2', 100n, { accountId: 'bob' })]);
    expect(
      await ledger.apply([
        hold('h1', 90n, { accountId: 'bob' }),
        hold('h2', 90n, OTHER),
        hold('h3', 11n, SIBLING),
        hold('h4', 10n, SIBLING),
      ]),
    ).toEqual([
      applied(90n, 10n),
      applied(90n, 910n),
      memberReached('day', 10n),
      applied(10n, 900n),
    ]);
  });

  memberRule(open, 'the spending of a revoked key still counts', async ({ ledger, sql }) => {
    await ledger.apply([
      hold('h1', 30n, SIBLING),
      settle('h1', 30n, SIBLING),
      hold('h2', 20n, SIBLING),
    ]);
    await sql.query({
      sql: "UPDATE api_key SET status = 'revoked' WHERE id = 'sibling_alice'",
      params: [],
    });
    await capMember(sql, 'alice', { day: 60n });
    expect(await ledger.apply([hold('h3', 11n), hold('h4', 10n)])).toEqual([
      memberReached('day', 10n),
      applied(10n, 940n),
    ]);
  });
}

function chargeConformance(open: Open): void {
  memberRule(
    open,
    "after an overrun, the worst case must fit into the member's cap",
    async ({ ledger, sql }) => {
      await capMember(sql, 'alice', { month: 100n });
      await ledger.apply([hold('h1', 10n), { ...settle('h1', 30n), carefulAnswers: 1 }]);
      const careful = { ...SIBLING, atLeast: 5n };
      expect(
        await ledger.apply([
          hold('h2', 10n, { ...careful, worstCase: 71n }),
          hold('h3', 10n, { ...careful, worstCase: 70n }),
        ]),
      ).toEqual([{ status: 'worst_case_too_low', available: nano(70n) }, applied(70n, 900n)]);
    },
  );

  memberRule(open, 'a charge above its hold counts', async ({ ledger, sql }) => {
    await capMember(sql, 'alice', { month: 50n });
    await ledger.apply([hold('h1', 50n, SIBLING), settle('h1', 70n, SIBLING)]);
    expect(await ledger.apply([hold('h2', 1n), hold('h3', 0n)])).toEqual([
      memberReached('month', 0n),
      applied(0n, 930n),
    ]);
  });

  memberRule(open, 'a charge in the other currency counts', async ({ ledger, sql }) => {
    const yuan = { currency: 'CNY' } as const;
    await capMember(sql, 'alice', { month: 10n });
    await ledger.apply([credit('c2', 1_000n, yuan)]);
    const priced = { ...yuan, priceRate: USD_CNY };
    // The hold of 8 nano-CNY uses 2 nano-USD, rounded up. The remaining 8 nano-USD allow 56
    // nano-CNY, rounded down.
    expect(
      await ledger.apply([
        hold('h1', 8n, { ...priced, ...SIBLING }),
        hold('h2', 57n, priced),
        hold('h3', 56n, priced),
        hold('h4', 1n, SIBLING),
      ]),
    ).toEqual([
      applied(8n, 992n),
      memberReached('month', 56n),
      applied(56n, 936n),
      memberReached('month', 0n),
    ]);
  });

  memberRule(open, 'a late settlement and its correction count', async ({ ledger, sql }) => {
    await capMember(sql, 'alice', { month: 100n });
    const kept = checkpoint('h1', 20n, SIBLING);
    await ledger.apply([hold('h1', 30n, SIBLING), hold('h2', 50n)]);
    await ledger.apply([extend('x1', 'h1', 10n, kept)]);
    await ledger.leave(EPOCH);
    await ledger.join({ epoch: 'epoch_2', name: 'second' }, LEASE_MS);
    await ledger.reap();
    // The reaper's charge for the hold of the dead process is dated today.
    const today = { epoch: 'epoch_2', atMs: systemClock.nowMs() };
    expect(await ledger.apply([hold('h3', 81n, today)])).toEqual([memberReached('month', 80n)]);
    await ledger.apply([settle('h1', 35n, SIBLING)]);
    expect(await ledger.apply([hold('h4', 66n, today), hold('h5', 65n, today)])).toEqual([
      memberReached('month', 65n),
      applied(65n, 900n),
    ]);
  });
}

function windowConformance(open: Open): void {
  memberRule(open, 'a window ends for each key of the member', async ({ ledger, sql }) => {
    await capMember(sql, 'alice', { day: 10n, week: 15n });
    const spend = (id: string, amount: bigint, atMs: number, by = {}) => [
      hold(id, amount, { atMs, ...by }),
      { ...settle(id, amount, by), atMs },
    ];
    const tuesday = MONDAY + DAY_MS;
    const nextMonday = MONDAY + 7 * DAY_MS;
    await ledger.apply(spend('h1', 7n, MONDAY));
    await ledger.apply(spend('h2', 3n, MONDAY, SIBLING));
    expect(
      await ledger.apply([
        hold('r1', 1n, { atMs: MONDAY + DAY_MS / 2 - 1 }),
        hold('r2', 6n, { atMs: tuesday }),
        ...spend('h3', 5n, tuesday, SIBLING),
        hold('r3', 1n, { atMs: nextMonday - DAY_MS / 2 - 1 }),
        hold('r4', 11n, { atMs: nextMonday }),
        ...spend('h4', 10n, nextMonday),
        hold('r5', 1n, { atMs: nextMonday, ...SIBLING }),
      ]),
    ).toEqual([
      memberReached('day', 0n),
      memberReached('week', 5n),
      applied(5n, 985n),
      applied(5n, 985n),
      memberReached('week', 0n),
      memberReached('day', 10n),
      applied(10n, 975n),
      applied(10n, 975n),
      memberReached('day', 0n),
    ]);
    // In September, the first key has spent 10 and the second key 5. August's charges do not count.
    await capMember(sql, 'alice', { month: 20n });
    expect(await ledger.apply([hold('r6', 6n, { atMs: nextMonday })])).toEqual([
      memberReached('month', 5n),
    ]);
  });

  memberRule(
    open,
    'a month also ends for a key without charges in the next month',
    async ({ ledger, sql }) => {
      await capMember(sql, 'alice', { month: 12n });
      const tuesday = MONDAY + DAY_MS;
      await ledger.apply([
        hold('h1', 7n, { atMs: MONDAY }),
        { ...settle('h1', 7n), atMs: MONDAY },
        hold('h2', 5n, { ...SIBLING, atMs: tuesday }),
        { ...settle('h2', 5n, SIBLING), atMs: tuesday },
      ]);
      expect(
        await ledger.apply([
          hold('h3', 8n, { atMs: tuesday }),
          hold('h4', 7n, { ...SIBLING, atMs: tuesday }),
        ]),
      ).toEqual([memberReached('month', 7n), applied(7n, 981n)]);
    },
  );

  memberRule(open, 'no spending is lost when the clock jumps back', async ({ ledger, sql }) => {
    const yesterday = AT_MS - DAY_MS;
    await ledger.apply([
      hold('h1', 4n, { atMs: yesterday }),
      { ...settle('h1', 4n), atMs: yesterday },
      hold('h2', 3n, SIBLING),
      settle('h2', 3n, SIBLING),
    ]);
    await capMember(sql, 'alice', { day: 10n });
    expect(
      await ledger.apply([
        hold('h3', 8n),
        hold('h4', 4n, { atMs: yesterday }),
        hold('h5', 8n, { atMs: AT_MS + DAY_MS, atLeast: 8n }),
      ]),
    ).toEqual([memberReached('day', 7n), memberReached('day', 3n), applied(8n, 985n)]);
  });
}

function raceConformance(open: Open): void {
  memberRule(
    open,
    'of 200 holds at once over two keys with a cap for 37, exactly 37 are admitted',
    async ({ ledger, sql }) => {
      await capMember(sql, 'alice', { day: 37n * 10n + 9n });
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, each) =>
          ledger.apply([hold(`h${each}`, 10n, each % 2 === 0 ? SIBLING : {})]),
        ),
      );
      const statuses = outcomes.flat().map(({ status }) => status);
      expect(statuses.filter((status) => status === 'applied')).toHaveLength(37);
      expect(statuses.filter((status) => status === 'cap_reached')).toHaveLength(163);
    },
  );
}
