/** Tests nodes that decide holds in memory from money that PostgreSQL has assigned to them. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { systemClock } from '../../clock.ts';
import { nano } from '../../money/amount.ts';
import {
  adjust,
  applied,
  checkpoint,
  creditLimit,
  extend,
  tooLow,
  voided,
} from '../conformance/ledger.fixture.ts';
import {
  assignedTo,
  closeAll,
  eventually,
  holdAt,
  isGranted,
  LEASE_MS,
  type Node,
  nodesWith,
  settleFor,
  walletOf,
  warmUp,
} from './float-nodes.fixture.ts';

setDefaultTimeout(180_000);
afterAll(closeAll);

describe('a node with an assignment', () => {
  test('decides holds at once, and writes one receipt for each request', async () => {
    const [node] = await nodesWith(1_000_000n, 'one');
    if (node === undefined) return;
    const holds = await warmUp(node, 'w');
    const outcome = node.ledger.hold(holdAt(node, 'h1', 2n));
    expect(outcome).toMatchObject({ status: 'applied', result: { amount: 2n } });
    expect(node.ledger.inMemory.request('h1')).toBe(true);
    expect(await walletOf(node)).toEqual([nano(1_000_000n), nano(BigInt(holds) + 2n)]);
    expect(await node.ledger.settle(settleFor('h1', 1n, 2n))).toMatchObject({
      status: 'applied',
      result: { amount: 1n, loss: 0n },
    });
    const rows = await node.sql.query({ sql: "SELECT id FROM hold WHERE id = 'h1'", params: [] });
    expect(rows).toEqual([]);
    expect(await node.ledger.receipt('h1')).toMatchObject({ charge: 1n });
    expect(await node.ledger.settle(settleFor('h1', 1n, 2n))).toMatchObject({
      status: 'already_applied',
    });
    expect(await node.ledger.settle(settleFor('h1', 2n, 2n))).toEqual({ status: 'hold_resolved' });
    expect(await node.ledger.verify()).toEqual([]);
  });

  test('makes a row of a hold that is extended, leaves a checkpoint, or costs more', async () => {
    const [node] = await nodesWith(1_000_000n, 'one');
    if (node === undefined) return;
    await warmUp(node, 'w');
    for (const id of ['h1', 'h2', 'h3'])
      expect(node.ledger.hold(holdAt(node, id, 2n))).toMatchObject({ status: 'applied' });
    expect(await node.ledger.extend(extend('x1', 'h1', 5n, checkpoint('h1', 3n)))).toMatchObject({
      status: 'applied',
      result: { amount: 7n },
    });
    node.ledger.keepCheckpoint('h2', checkpoint('h2', 1n));
    await eventually('h2 has its checkpoint', async () => {
      const [row] = await node.sql.query({
        sql: "SELECT checkpoint_charge AS charge FROM hold WHERE id = 'h2'",
        params: [],
      });
      return row?.['charge'] === 1n;
    });
    const overrun = { ...settleFor('h3', 50n, 2n), carefulAnswers: 1 };
    expect(await node.ledger.settle(overrun)).toMatchObject({
      status: 'applied',
      result: { amount: 50n, loss: 0n },
    });
    expect(await node.ledger.verify()).toEqual([]);
    // The account is careful, so the node no longer decides its holds.
    await eventually('the account is surrendered', async () => (await assignedTo(node)) === 0n);
    expect(await node.ledger.hold(holdAt(node, 'h4', 1n))).toEqual({ status: 'one_at_a_time' });
    expect(await node.ledger.verify()).toEqual([]);
  });

  test('gives everything back when it leaves, and when it was idle', async () => {
    const [node] = await nodesWith(1_000_000n, 'one');
    if (node === undefined) return;
    const holds = await warmUp(node, 'w');
    for (let each = 0; each < holds; each += 1) {
      expect(await node.ledger.apply([voided(`w${each}`)])).toMatchObject([{ status: 'applied' }]);
    }
    await eventually('idle money is given back', async () => {
      await node.ledger.renew(node.epoch, LEASE_MS);
      return (await assignedTo(node)) === 0n;
    });
    await warmUp(node, 'v');
    await node.ledger.leave(node.epoch);
    expect(await assignedTo(node)).toBe(0n);
    expect(await node.ledger.verify()).toEqual([]);
  });
});

test('a charge under an Idempotency-Key is refused once its hold was resolved', async () => {
  const [one, two] = await nodesWith(1_000_000n, 'one', 'two');
  if (one === undefined || two === undefined) return;
  for (const id of ['row', 'charged', 'pending']) await one.ledger.hold(holdAt(one, id, 2n));
  await one.ledger.extend(extend('x1', 'charged', 5n, checkpoint('charged', 3n)));
  expect(await one.ledger.settle(settleFor('pending', 1n, 2n), true)).toMatchObject({
    status: 'applied',
  });
  await warmUp(one, 'w');
  expect(one.ledger.hold(holdAt(one, 'memory', 2n))).toMatchObject({ status: 'applied' });
  // The node is frozen while its lease ends and the other node resolves its holds.
  await two.sql.query({
    sql: "UPDATE node SET lease_until_ms = 1 WHERE epoch = 'one'",
    params: [],
  });
  await two.ledger.reap();
  for (const id of ['row', 'charged', 'memory']) {
    expect(await one.ledger.settle(settleFor(id, 1n, 2n), true)).toEqual({ status: 'epoch_over' });
    // The spool sends it after it has marked the key as charged.
    expect(await one.ledger.apply([settleFor(id, 1n, 2n)])).toMatchObject([{ status: 'applied' }]);
    expect(await one.ledger.settle(settleFor(id, 1n, 2n), true)).toMatchObject({
      status: 'already_applied',
    });
  }
  expect(await two.ledger.verify()).toEqual([]);
});

describe('three nodes', () => {
  test('serve exactly k requests from funds for k, under any race', async () => {
    for (const [round, funds] of [37n, 1_000n, 400n].entries()) {
      const nodes = await nodesWith(funds * 10n + 9n, `a${round}`, `b${round}`, `c${round}`);
      const asked = nodes.flatMap((node, at) =>
        Array.from({ length: Number(funds) / 2 }, (_, each) => async () => {
          // The requests are spread over time, so that nodes get money assigned while they compete
          // for it.
          await systemClock.sleep(each / 4);
          const id = `r${at}_${each}`;
          return isGranted(await node.ledger.hold(holdAt(node, id, 10n)));
        }),
      );
      const granted = await Promise.all(asked.map((ask) => ask()));
      expect(granted.filter((is) => is).length).toBe(Number(funds));
      const [one] = nodes;
      expect(await one?.ledger.verify()).toEqual([]);
    }
  });

  test('never charge more than the wallet has, nor twice, while they sell', async () => {
    const nodes = await nodesWith(3_000n, 'a', 'b', 'c');
    let charged = 0n;
    const request = async (node: Node, id: string): Promise<void> => {
      const outcome = await node.ledger.hold(holdAt(node, id, 10n));
      if (!isGranted(outcome)) {
        expect(outcome.status).toBe('balance_too_low');
        return;
      }
      const done = await node.ledger.settle(settleFor(id, 7n, 10n));
      expect(done).toMatchObject({ status: 'applied', result: { amount: 7n, loss: 0n } });
      charged += 7n;
    };
    await Promise.all(
      nodes.map(async (node, at) => {
        for (let each = 0; each < 60; each += 1) {
          await Promise.all([0, 1, 2].map((i) => request(node, `r${at}_${each}_${i}`)));
        }
      }),
    );
    const [one] = nodes;
    if (one === undefined) return;
    // The remaining money is not enough for another hold.
    expect(3_000n - charged).toBeLessThan(10n);
    expect(await walletOf(one)).toEqual([nano(3_000n - charged), nano(0n)]);
    expect(await one.ledger.verify()).toEqual([]);
  });

  test('state as held what requests hold, and not what is only assigned', async () => {
    const [one, two] = await nodesWith(10_000n, 'a', 'b');
    if (one === undefined || two === undefined) return;
    const held = nano(BigInt((await warmUp(one, 'a_w')) + (await warmUp(two, 'b_w'))));
    expect(await assignedTo(one)).toBeGreaterThan(0n);
    for (const node of [one, two]) {
      await eventually('both nodes have reported what they hold', async () => {
        for (const each of [one, two]) await each.ledger.renew(each.epoch, LEASE_MS);
        return (await walletOf(node))[1] === held;
      });
    }
    // The account list in the admin API reads this view, and adds what the node holds in memory.
    const sql = "SELECT held FROM wallet_in_use WHERE account_id = 'alice' AND currency = 'USD'";
    const [row] = await one.sql.query({ sql, params: [] });
    expect(BigInt(String(row?.['held'])) + one.ledger.inMemory.wallet('alice', 'USD')).toBe(held);
  });

  test('give their money to a wallet command that needs it', async () => {
    const nodes = await nodesWith(10_000n, 'a', 'b', 'c');
    const [one] = nodes;
    if (one === undefined) return;
    let holds = 0n;
    for (const node of nodes) holds += BigInt(await warmUp(node, `${node.epoch}_w`));
    const rest = 10_000n - holds;
    // Commands are applied in order, even if some wait until other nodes return their money.
    expect(await one.ledger.apply([adjust('a1', -rest - 1n), adjust('a2', -rest)])).toEqual([
      tooLow(rest),
      applied(-rest, 0n),
    ]);
    expect(await one.ledger.apply([creditLimit('l1', 5n)])).toEqual([applied(5n, 5n)]);
    expect(await one.ledger.verify()).toEqual([]);
  });
});

test('a join that arrives after the lease has ended does not revive it', async () => {
  const [node, other, late] = await nodesWith(1_000_000n, 'one', 'two', 'three');
  if (node === undefined || other === undefined || late === undefined) return;
  await warmUp(node, 'w');
  const ended = "UPDATE node SET lease_until_ms = 0 WHERE epoch = 'one'";
  await other.sql.query({ sql: ended, params: [] });
  await other.ledger.reap();
  expect(await assignedTo(node)).toBe(0n);
  // The first attempt of the join of `one` was delayed on its way.
  const joined = await late.ledger.join({ epoch: 'one', name: 'one' }, LEASE_MS);
  expect(joined).toBe('epoch_over');
  // The node must not hold money that is no longer assigned to it.
  expect(await node.ledger.renew('one', LEASE_MS)).toMatchObject({ isLive: false });
  expect(await node.ledger.hold(holdAt(node, 'h1', 1n))).toEqual({ status: 'epoch_over' });
  expect(node.ledger.inMemory.request('h1')).toBe(false);
});
