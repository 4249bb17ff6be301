/**
 * Attacks on the money in memory, step by step: crashes in every phase of a request, and commands
 * that race for the last cent. `float-failures.test.ts` has the failures of the store.
 */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { nextTurn } from '../../clock.ts';
import { nano } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import {
  AT_MS,
  adjust,
  applied,
  checkpoint,
  credit,
  extend,
  failureOf,
  hold,
  repeated,
  settle,
  tooLow,
} from '../conformance/ledger.fixture.ts';
import type { Outcome } from '../ledger.ts';
import { removeFiles } from '../sqlite/sqlite.fixture.ts';
import { Float } from './float.ts';
import {
  change,
  clock,
  done,
  epoch,
  ledger,
  pay,
  receipts,
  start,
  startNew,
  statusOf,
  take,
  thread,
  wallet,
} from './float-process.fixture.ts';

afterAll(removeFiles);
beforeEach(startNew);

describe('a crash', () => {
  test('before the request is sent takes nothing', async () => {
    expect(await take('h1', 60n)).toEqual(applied(60n, 40n));
    await start();
    expect(await done(ledger.reap())).toEqual({ settled: 0, voided: 0 });
    expect([wallet(), receipts()]).toEqual([[100n, 0n], []]);
    expect(await take('h2', 100n)).toEqual(applied(100n, 0n));
  });

  test('during a stream, before its checkpoint is written, takes nothing', async () => {
    await take('h1', 30n);
    ledger.extend(extend('x1', 'h1', 10n, checkpoint('h1', 20n)));
    await start();
    expect(await done(ledger.reap())).toEqual({ settled: 0, voided: 0 });
    expect([wallet(), receipts()]).toEqual([[100n, 0n], []]);
  });

  test('during a stream takes what the last written checkpoint says, once', async () => {
    await take('h1', 30n);
    ledger.extend(extend('x1', 'h1', 10n, checkpoint('h1', 20n)));
    await done(ledger.saveCheckpoints());
    ledger.extend(extend('x2', 'h1', 10n, checkpoint('h1', 27n)));
    await start();
    expect(await done(ledger.reap())).toEqual({ settled: 1, voided: 0 });
    expect(await done(ledger.reap())).toEqual({ settled: 0, voided: 0 });
    const lost = { request_id: 'h1', outcome: 'node_lost', charge: 20n };
    expect([wallet(), receipts()]).toEqual([[80n, 0n], [lost]]);
  });

  test('between settlement and commit loses only charges that no caller saw', async () => {
    await take('h1', 60n);
    const settling = ledger.settle(pay('h1', 50n));
    settling.catch(() => undefined);
    await nextTurn();
    await start();
    expect([wallet(), receipts()]).toEqual([[100n, 0n], []]);
  });

  test('between commit and answer loses nothing, and a repeated settlement takes nothing', async () => {
    await take('h1', 60n);
    void ledger.settle(pay('h1', 50n));
    await nextTurn();
    thread.step();
    await start();
    expect(wallet()).toEqual([50n, 0n]);
    expect(await done(ledger.settle(pay('h1', 50n, 60n)))).toEqual(repeated(50n, 50n));
    expect(wallet()).toEqual([50n, 0n]);
  });

  test('is followed by a charge by checkpoint, which a settlement from disk corrects', async () => {
    await take('h1', 30n);
    ledger.extend(extend('x1', 'h1', 10n, checkpoint('h1', 20n)));
    await done(ledger.saveCheckpoints());
    await start();
    await done(ledger.reap());
    expect(await take('h2', 80n)).toEqual(applied(80n, 0n));
    // The correction takes only money that no running request holds.
    expect(await done(ledger.settle(pay('h1', 29n, 40n)))).toEqual(applied(20n, 0n, 9n));
    expect(await done(ledger.settle(pay('h1', 29n, 40n)))).toEqual(repeated(20n, 0n, 9n));
    expect(wallet()).toEqual([80n, 80n]);
  });

  test('does not let another process charge the checkpoint with money that is held', async () => {
    await take('h1', 30n);
    ledger.extend(extend('x1', 'h1', 10n, checkpoint('h1', 40n)));
    await done(ledger.saveCheckpoints());
    await start();
    expect(await take('h2', 90n)).toEqual(applied(90n, 10n));
    expect(await done(ledger.reap())).toEqual({ settled: 1, voided: 0 });
    expect(wallet()).toEqual([90n, 90n]);
  });
});

describe('for the last cent', () => {
  test('a hold and an adjustment race, and one of them gets it', async () => {
    await take('h1', 60n);
    const adjusting = ledger.apply([adjust('a1', -40n)]);
    // The store has not answered the adjustment yet, so the hold waits for that answer.
    const holding = ledger.hold(hold('h2', 1n, { epoch: epoch() }));
    expect(holding).toBeInstanceOf(Promise);
    expect(await done(adjusting)).toEqual([applied(-40n, 0n)]);
    expect(await done(holding)).toEqual(tooLow(0n));
    expect(wallet()).toEqual([60n, 60n]);
  });

  test('an adjustment does not take what is held, nor what was used and waits on disk', async () => {
    await take('h0', 1n);
    expect(await done(ledger.apply([adjust('a1', -100n)]))).toEqual([tooLow(99n)]);
    await done(ledger.settle(pay('h0', 0n)));
    await take('h1', 60n);
    thread.disk = 'fails before';
    expect(await failureOf(done(ledger.settle(pay('h1', 55n))))).toMatchObject({
      code: 'store_unavailable',
    });
    thread.disk = 'sound';
    const used = [null, 'key_alice', 'key_bob'].map((keyId) => ledger.meteredOf('alice', keyId));
    expect(used).toEqual([55n, 55n, 0n]);
    expect(await done(ledger.apply([adjust('a2', -46n)]))).toEqual([tooLow(45n)]);
    expect(await done(ledger.apply([adjust('a3', -45n)]))).toEqual([applied(-45n, 0n)]);
    expect(await done(ledger.settle(pay('h1', 55n, 60n)))).toEqual(applied(55n, 45n));
    expect(wallet()).toEqual([0n, 0n]);
  });

  test('a credit can be held as soon as it is answered', async () => {
    await take('h1', 100n);
    expect(await take('h2', 1n)).toEqual(tooLow(0n));
    await done(ledger.apply([credit('c2', 5n)]));
    expect(await take('h2', 5n)).toEqual(applied(5n, 0n));
  });

  test('of 200 settlements above their holds, no wallet pays more than it has', async () => {
    const ids = Array.from({ length: 200 }, (_, each) => `h${each}`);
    for (const id of ids.slice(0, 100)) await take(id, 1n);
    const settled = await done(
      Promise.all(ids.slice(0, 100).map((id) => ledger.settle(pay(id, 3n)))),
    );
    const taken = settled.reduce((sum, outcome) => {
      return outcome.status === 'applied' ? sum + outcome.result.amount : sum;
    }, 0n);
    expect([taken, wallet()]).toEqual([100n, [0n, 0n]]);
  });
});

describe('an administrator', () => {
  const CHANGES = [
    ['revokes the key', "UPDATE api_key SET status = 'revoked'", 'key_inactive'],
    ['disables the key', "UPDATE api_key SET status = 'disabled'", 'key_inactive'],
    ['ends the key', `UPDATE api_key SET expires_at_ms = ${AT_MS}`, 'key_inactive'],
    ['suspends the account', "UPDATE account SET status = 'suspended'", 'account_inactive'],
    ['lowers the cap of the account', capOf('alice'), 'cap_reached'],
    ['lowers the cap of the key', capOf('key_alice'), 'cap_reached'],
    [
      'caps the member',
      "INSERT INTO member_cap VALUES ('alice', 'usr_1', 10, 9, 9, '')",
      'cap_reached',
    ],
  ] as const;

  function capOf(owner: string): string {
    return `UPDATE spend_meter SET cap_day = 10 WHERE owner_id = '${owner}'`;
  }

  test.each(CHANGES)('%s: once answered, nothing more is held', async (_, sql, status) => {
    await take('h1', 10n);
    expect(ledger.hold(hold('h2', 1n, { epoch: epoch() }))).toEqual(applied(1n, 89n));
    await change(sql);
    expect(statusOf(await take('h3', 1n))).toBe(status);
    expect(statusOf(await done(ledger.extend(extend('x1', 'h1', 1n))))).toBe(status);
    // A request that was served is charged, although the change forbids new holds.
    expect(await done(ledger.settle(pay('h1', 10n)))).toEqual(applied(10n, 89n));
  });

  test('holds may pass until the change is answered, and not after it', async () => {
    await take('h1', 10n);
    const revoking = thread.change("UPDATE api_key SET status = 'revoked'");
    expect(ledger.hold(hold('h2', 1n, { epoch: epoch() }))).toEqual(applied(1n, 89n));
    thread.step();
    expect(ledger.hold(hold('h3', 1n, { epoch: epoch() }))).toEqual(applied(1n, 88n));
    await done(revoking);
    expect(await take('h4', 1n)).toEqual({ status: 'key_inactive' });
  });

  test('changes more accounts at once than can be listed, so all are loaded again', async () => {
    await take('h1', 10n);
    thread.query(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO account (id, name, created_at_ms) SELECT 'n' || i, 'n', 0 FROM n`);
    await change("UPDATE account SET status = 'suspended'");
    expect(await take('h2', 1n)).toEqual({ status: 'account_inactive' });
  });
});

describe('memory', () => {
  test('drops unused accounts, and loads them again when needed', async () => {
    const float = new Float(1);
    await start(float);
    await done(
      ledger.apply([
        credit('c2', 50n, { accountId: 'bob' }),
        credit('c3', 50n, { accountId: 'carol' }),
      ]),
    );
    await take('h1', 60n);
    for (const accountId of ['bob', 'carol', 'bob', 'carol']) {
      expect(statusOf(await take(`h_${accountId}`, 50n, { accountId }))).toMatch(/applied/);
      await done(
        ledger.settle({ ...settle(`h_${accountId}`, 0n, { accountId }), held: nano(50n) }),
      );
    }
    // Alice's request is running, so her account stayed in memory.
    expect(float.accounts.has('alice')).toBe(true);
    expect(float.accounts.size).toBeLessThanOrEqual(2);
    expect(await take('h2', 41n)).toEqual(tooLow(40n));
    expect(await done(ledger.settle(pay('h1', 60n)))).toEqual(applied(60n, 40n));
  });

  test('releases expired holds and drops expired charges that were never written', async () => {
    await take('h1', 30n, { expiresAtMs: AT_MS + 1_000 });
    await take('h2', 30n, { expiresAtMs: AT_MS + 1_000 });
    thread.disk = 'fails before';
    await failureOf(done(ledger.settle(pay('h1', 30n))));
    thread.disk = 'sound';
    await done(ledger.reap());
    expect(wallet()).toEqual([100n, 60n]);
    clock.advance(1_001);
    expect(await done(ledger.reap())).toEqual({ settled: 0, voided: 1 });
    expect(wallet()).toEqual([100n, 0n]);
  });

  test('releases a hold once that is settled while another one is reaped', async () => {
    await done(ledger.apply([credit('c2', 100n, { accountId: 'bob' })]));
    await take('h1', 30n, { expiresAtMs: AT_MS + 1_000 });
    ledger.extend(extend('x1', 'h1', 10n, checkpoint('h1', 20n)));
    const bobs = { accountId: 'bob', keyId: 'key_bob' };
    await take('h2', 30n, { ...bobs, expiresAtMs: AT_MS + 1_000 });
    clock.advance(1_001);
    await done(Promise.all([ledger.reap(), ledger.settle(settle('h2', 25n, bobs))]));
    expect([wallet(), wallet('bob')]).toEqual([
      [80n, 0n],
      [75n, 0n],
    ]);
    expect(ledger.breaches()).toEqual([]);
  });

  test('loads an unknown account once for many concurrent requests', async () => {
    await start();
    const holds = Array.from({ length: 50 }, (_, each) =>
      ledger.hold(hold(`h${each}`, 1n, { epoch: epoch() })),
    );
    await nextTurn();
    expect(thread.waiting.questions).toBe(1);
    expect((await done(Promise.all(holds))).every(({ status }) => status === 'applied')).toBe(true);
  });
});

test('a clock that jumps over the end of a day and back never allows more than the cap', async () => {
  await change("UPDATE spend_meter SET cap_day = 10 WHERE owner_id = 'alice'");
  const sell = async (id: string, amount: bigint, atMs: number): Promise<Outcome['status']> => {
    const outcome = await take(id, amount, { atMs });
    if (outcome.status === 'applied') {
      await done(ledger.settle({ ...settle(id, amount), atMs }));
    }
    return outcome.status;
  };
  expect(await sell('h1', 8n, AT_MS)).toBe('applied');
  expect(await sell('h2', 3n, AT_MS)).toBe('cap_reached');
  expect(await sell('h3', 9n, AT_MS + DAY_MS)).toBe('applied');
  // The clock is back on the first day, but the charges of the second day still count.
  expect(await sell('h4', 2n, AT_MS)).toBe('cap_reached');
  expect(await sell('h5', 1n, AT_MS)).toBe('applied');
  expect(await sell('h6', 1n, AT_MS + DAY_MS)).toBe('cap_reached');
  await start();
  expect(await sell('h7', 1n, AT_MS + DAY_MS)).toBe('cap_reached');
  expect(await sell('h8', 10n, AT_MS + 2 * DAY_MS)).toBe('applied');
});
