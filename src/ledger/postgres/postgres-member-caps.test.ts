/** Tests the caps of a member while several nodes hold money with several keys of the member. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { nextTurn } from '../../clock.ts';
import { nano } from '../../money/amount.ts';
import { capMember, credit } from '../conformance/ledger.fixture.ts';
import type { Outcome } from '../ledger.ts';
import {
  assignedTo,
  closeAll,
  eventually,
  holdAt,
  isGranted,
  type Node,
  nodesWith,
  settleFor,
  warmUp,
} from './float-nodes.fixture.ts';

setDefaultTimeout(180_000);
afterAll(closeAll);

const FUNDS = 1_000_000n;
/** The keys of one member of alice. */
const KEYS = ['key_alice', 'sibling_alice'] as const;

/** Opens two nodes. Each node uses a different key of the member for its requests. */
async function twoNodes() {
  const [one, two] = await nodesWith(FUNDS, 'one', 'two');
  if (one === undefined || two === undefined) throw new Error('two nodes were opened');
  return { one, two, pairs: [[one, KEYS[0]] as const, [two, KEYS[1]] as const] };
}

const reached = (available: bigint): Outcome => ({
  ...{ status: 'cap_reached', owner: 'member', window: 'month' },
  available: nano(available),
});

/** Makes `times` holds of `amount` with each key on each node, all at once. */
const holdAll = (nodes: readonly Node[], times: number, amount: bigint) =>
  Promise.all(
    Array.from({ length: times }, (_, each) =>
      nodes.flatMap((node) =>
        KEYS.map((key) =>
          node.ledger.hold(holdAt(node, `${node.epoch}_${key}_${each}`, amount, key)),
        ),
      ),
    ).flat(),
  );

describe('the cap of a member', () => {
  test('serves exactly what it allows, of 200 holds at once with two keys on two nodes', async () => {
    const { one, two } = await twoNodes();
    await capMember(one.sql, 'alice', { month: 113n });
    const outcomes = await holdAll([one, two], 50, 3n);
    expect(outcomes).toHaveLength(200);
    expect(outcomes.filter(isGranted)).toHaveLength(37);
    for (const each of outcomes) if (!isGranted(each)) expect(each).toEqual(reached(2n));
    expect(await one.ledger.verify()).toEqual([]);
  });

  test('counts all holds in the memory of all nodes when it is set', async () => {
    const { one, two, pairs } = await twoNodes();
    let held = 0n;
    for (const [node, key] of pairs) held += BigInt(await warmUp(node, `${node.epoch}_w`, key));
    expect(await assignedTo(one)).toBeGreaterThan(0n);
    expect(await assignedTo(two)).toBeGreaterThan(0n);
    await capMember(one.sql, 'alice', { month: held + 5n });
    expect(await assignedTo(one)).toBe(0n);
    expect(await assignedTo(two)).toBe(0n);
    const outcomes = await holdAll([one, two], 5, 1n);
    expect(outcomes.filter(isGranted)).toHaveLength(5);
    // Money that one key has spent is not available to the other key.
    for (const [node, key] of pairs) {
      expect(await node.ledger.settle(settleFor(`${node.epoch}_w0`, 1n, 1n, key))).toMatchObject({
        status: 'applied',
      });
    }
    for (const [node] of pairs) {
      for (const key of KEYS) {
        expect(await node.ledger.hold(holdAt(node, `${node.epoch}_${key}`, 1n, key))).toEqual(
          reached(0n),
        );
      }
    }
    expect(await one.ledger.verify()).toEqual([]);
  });

  test('that is set, lowered and raised while two nodes sell is never passed', async () => {
    const { one, pairs } = await twoNodes();
    for (const [node, key] of pairs) await warmUp(node, `${node.epoch}_w`, key);
    let isOver = false;
    /**
     * Set while the cap is certainly zero: a new symbol after each confirmed change to zero. Null
     * while the cap may be above zero.
     */
    let closed: symbol | null = null;
    let asked = 0;
    let late = 0;
    /** How often each node was refused since the last change. */
    const refusals = new Map<string, number>();
    const selling = pairs.map(async ([node, key]) => {
      for (let each = 0; !isOver; each += 1) {
        const known = closed;
        const id = `${node.epoch}_s${each}`;
        const outcome = await node.ledger.hold(holdAt(node, id, 2n, key));
        const isClosed = known !== null && known === closed;
        if (isClosed) asked += 1;
        if (isGranted(outcome)) {
          if (isClosed) late += 1;
          // Every second request is settled for less than its hold; the others keep running.
          if (each % 2 === 0) await node.ledger.settle(settleFor(id, 1n, 2n, key));
        } else {
          refusals.set(node.epoch, (refusals.get(node.epoch) ?? 0) + 1);
        }
        await nextTurn();
      }
    });
    const set = async (month: bigint): Promise<void> => {
      closed = null;
      await capMember(one.sql, 'alice', { month });
      closed = month === 0n ? Symbol('closed') : null;
      refusals.clear();
    };
    await set(0n);
    await eventually('both nodes ask for more', async () => asked >= 20);
    const first = await usedOf(one);
    await set(first + 40n);
    await eventually('both nodes are refused', async () =>
      pairs.every(([{ epoch }]) => (refusals.get(epoch) ?? 0) >= 3),
    );
    await set(0n);
    isOver = true;
    await Promise.all(selling);
    expect(late).toBe(0);
    const used = await usedOf(one);
    // Up to 3 of the cap may be unused: 1 returned by the last settlement of each of the two nodes,
    // and 1 that is too little for a hold of 2.
    expect(used).toBeLessThanOrEqual(first + 40n);
    expect(used).toBeGreaterThanOrEqual(first + 37n);
    expect(await one.ledger.verify()).toEqual([]);
  });

  test('does not affect keys of others; once it is removed, nodes decide in memory again', async () => {
    const { one, two, pairs } = await twoNodes();
    await one.ledger.apply([credit('c2', FUNDS, { accountId: 'bob' })]);
    await capMember(one.sql, 'alice', { month: 0n });
    // The member who has the cap in alice's account also created key_bob, in bob's account. There,
    // only another member has a cap.
    await one.sql.query({ sql: ALSO_OF_BOB, params: [] });
    await capMember(one.sql, 'bob', { month: 0n });
    // This hold asks for more than bob's balance, so `books_one` decides it and checks the caps.
    const partial = { ...holdAt(one, 'h2', 2n * FUNDS), ...BOBS, atLeast: nano(1n) };
    const others = [
      holdAt(one, 'h1', 1n, 'other_alice'),
      { ...holdAt(one, 'h3', 1n), ...BOBS },
      partial,
    ];
    for (const other of others) {
      const outcome = one.ledger.hold(other);
      expect(outcome).toBeInstanceOf(Promise);
      expect(await outcome).toMatchObject({ status: 'applied' });
    }
    expect(await two.ledger.hold(holdAt(two, 'h4', 1n, 'sibling_alice'))).toEqual(reached(0n));
    await capMember(one.sql, 'alice', {});
    for (const [node, key] of pairs) await warmUp(node, `${node.epoch}_w`, key);
    expect(await one.ledger.verify()).toEqual([]);
  });
});

const BOBS = { accountId: 'bob', keyId: 'key_bob' };
const ALSO_OF_BOB = "UPDATE api_key SET created_by = 'usr_alice' WHERE id = 'key_bob'";

/** Returns the amount that the member holds and has spent with both keys. */
async function usedOf({ sql }: Node): Promise<bigint> {
  const [row] = await sql.query({
    sql: `SELECT SUM(m.held + m.in_month)::BIGINT AS used FROM spend_meter m
      JOIN api_key k ON k.id = m.owner_id WHERE k.created_by = 'usr_alice'`,
    params: [],
  });
  return BigInt(String(row?.['used'] ?? 0));
}
