import { expect, test } from 'bun:test';
import { Accounts } from '../accounts/accounts.ts';
import { MemoryStore, stoppedClock } from '../accounts/store.fixture.ts';
import { NOTHING_HELD } from '../ledger/nothing-held.fixture.ts';
import { nano } from '../money/amount.ts';
import { DAY_MS } from '../money/calendar.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { recentUse } from './recent-use.ts';
import { Spending } from './spending.ts';

const dayOf = (iso: string): bigint => BigInt(Date.parse(`${iso}T00:00:00Z`) / DAY_MS);

test('sums the spending of keys and accounts by currency and calendar window', async () => {
  const clock = stoppedClock(Date.parse('2026-11-21T12:00:00Z'));
  const sql = new MemoryStore();
  const accounts = new Accounts({
    inMemory: NOTHING_HELD,
    sql,
    clock,
    onLastUsedFailure: () => {},
  });
  const { id: account } = await accounts.createAccount({ name: 'Acme' });
  const { id: stranger } = await accounts.createAccount({ name: 'Other' });
  const key = async (owner: string) => (await accounts.createKey(owner, { name: 'k' })).record.id;
  const [mine, sibling, foreign] = [await key(account), await key(account), await key(stranger)];
  const charges = [
    [mine, 'USD', '2026-11-21', 1n],
    [mine, 'USD', '2026-11-16', 20n],
    [mine, 'USD', '2026-11-15', 300n],
    [mine, 'USD', '2026-10-31', 4_000n],
    [mine, 'CNY', '2026-10-31', 7n],
    [sibling, 'USD', '2026-11-21', 50_000n],
    [foreign, 'USD', '2026-11-21', 600_000n],
  ] as const;
  for (const [id, currency, day, charge] of charges) {
    await charged(sql, id, currency, day, charge);
  }
  const spending = new Spending(sql, clock);
  const cny = {
    currency: 'CNY' as const,
    total: nano(7n),
    today: nano(0n),
    thisWeek: nano(0n),
    thisMonth: nano(0n),
  };
  const usd = { currency: 'USD' as const, total: nano(4_321n), today: nano(1n) };
  expect(await spending.ofKey(mine)).toEqual([
    cny,
    { ...usd, thisWeek: nano(21n), thisMonth: nano(321n) },
  ]);
  expect(await spending.ofAccount(account)).toEqual([
    cny,
    {
      currency: 'USD',
      total: nano(54_321n),
      today: nano(50_001n),
      thisWeek: nano(50_021n),
      thisMonth: nano(50_321n),
    },
  ]);
  expect(await spending.ofKey('key_none')).toEqual([]);
});

test('counts a whole week that began in the previous month', async () => {
  // December 1, 2026 is a Tuesday.
  const clock = stoppedClock(Date.parse('2026-12-01T09:00:00Z'));
  const sql = new MemoryStore();
  const accounts = new Accounts({
    inMemory: NOTHING_HELD,
    sql,
    clock,
    onLastUsedFailure: () => {},
  });
  const { id: account } = await accounts.createAccount({ name: 'Acme' });
  const { id: key } = (await accounts.createKey(account, { name: 'k' })).record;
  for (const [day, charge] of [
    ['2026-11-29', 1n],
    ['2026-11-30', 20n],
    ['2026-12-01', 300n],
  ] as const) {
    await charged(sql, key, 'USD', day, charge);
  }
  expect(await new Spending(sql, clock).ofKey(key)).toEqual([
    {
      currency: 'USD',
      total: nano(321n),
      today: nano(300n),
      thisWeek: nano(320n),
      thisMonth: nano(300n),
    },
  ]);
});

test('reads the roll-ups of an account with many keys in short statements', async () => {
  const clock = stoppedClock(Date.parse('2026-11-21T12:00:00Z'));
  const sql = new MemoryStore();
  const [keys, today] = [400, Number(dayOf('2026-11-21'))];
  await sql.query({
    sql: `WITH RECURSIVE key (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM key WHERE n < ?),
        day (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM day WHERE n < ?)
      INSERT INTO usage_day (account_id, key_id, currency, day, charge, metered, model, channel,
        requests, incomplete, input, cache_read, cache_write_5m, cache_write_1h, output, images, loss)
      SELECT 'acc_1', 'key_' || key.n, 'USD', day.n, 1, 0, 'm', 'direct', 1, 0, 0, 0, 0, 0, 0, 0, 0
      FROM key CROSS JOIN day`,
    params: [keys, today - 59, today],
  });
  const summed: number[] = [];
  const counting: SqlExecutor = {
    query: async (of) => {
      const rows = await sql.query(of);
      if (of.sql.includes('SUM('))
        summed.push(rows.reduce((all, row) => all + Number(row['roll_ups']), 0));
      return rows;
    },
    transaction: () => Promise.reject(new Error('nothing is written')),
  };
  const { spend, last7Days } = await recentUse(counting, 'acc_1', clock.nowMs());
  expect(spend).toMatchObject([{ last30Days: nano(12_000n), previous30Days: nano(12_000n) }]);
  expect(last7Days).toEqual({ requests: 2_800, failed: 0 });
  const [spent] = await new Spending(counting, clock).ofAccount('acc_1');
  expect(spent).toMatchObject({ total: nano(24_000n), today: nano(400n), thisMonth: nano(8_400n) });
  expect(Math.max(...summed)).toBeLessThanOrEqual(12_000);
});

async function charged(
  sql: MemoryStore,
  keyId: string,
  currency: string,
  day: string,
  charge: bigint,
): Promise<void> {
  const insert = `INSERT INTO usage_day (account_id, key_id, currency, day, charge, metered, model, channel,
      requests, incomplete, input, cache_read, cache_write_5m, cache_write_1h, output, images, loss)
    SELECT account_id, id, ?, ?, ?, 0, 'm', 'direct', 1, 0, 0, 0, 0, 0, 0, 0, 0 FROM api_key WHERE id = ?`;
  await sql.query({ sql: insert, params: [currency, dayOf(day), charge, keyId] });
}
