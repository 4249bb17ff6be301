/** Nodes that share one PostgreSQL database and decide holds in memory. */
import { expect } from 'bun:test';
import { systemClock } from '../../clock.ts';
import { type NanoAmount, nano } from '../../money/amount.ts';
import {
  AT_MS,
  addMemberKeys,
  credit,
  furnish,
  hold,
  settle,
} from '../conformance/ledger.fixture.ts';
import type { Database } from '../database.ts';
import type { HoldCommand, Outcome, SettleCommand } from '../ledger.ts';
import { newTestDatabase, openTestUrl } from './postgres.fixture.ts';

/** The time limit of `eventually`, far above what a busy machine needs. */
const PATIENCE_MS = 60_000;
export const LEASE_MS = 60_000;

export const opened: { readonly close: () => Promise<void> | void }[] = [];

/**
 * Changes after which alice's key must not hold money, and the status that a later hold returns.
 */
export const CHANGES = [
  ['revokes a key', "UPDATE api_key SET status = 'revoked' WHERE id = 'key_alice'", 'key_inactive'],
  [
    'lets a key expire',
    `UPDATE api_key SET expires_at_ms = ${AT_MS} WHERE id = 'key_alice'`,
    'key_inactive',
  ],
  [
    'suspends an account',
    "UPDATE account SET status = 'suspended' WHERE id = 'alice'",
    'account_inactive',
  ],
  ['caps a key', "UPDATE spend_meter SET cap_day = 0 WHERE owner_id = 'key_alice'", 'cap_reached'],
  [
    'caps an account',
    "UPDATE spend_meter SET cap_total = 0 WHERE owner_id = 'alice'",
    'cap_reached',
  ],
  [
    'caps the member who created a key',
    "INSERT INTO member_cap (account_id, person_id, cap_month) VALUES ('alice', 'usr_alice', 0)",
    'cap_reached',
  ],
] as const;

export type Node = Database & { readonly epoch: string };

export async function nodeAt(url: string, epoch: string, leaseMs = LEASE_MS): Promise<Node> {
  const database = await openTestUrl(url);
  opened.push(database);
  await database.ledger.join({ epoch, name: epoch }, leaseMs);
  return { ...database, epoch };
}

/** Opens nodes on one new database. Alice has `funds`, and the keys of `addMemberKeys`. */
export async function nodesWith(
  funds: bigint,
  ...epochs: readonly string[]
): Promise<readonly Node[]> {
  const url = await newTestDatabase();
  const nodes: Node[] = [];
  for (const epoch of epochs) {
    nodes.push(await nodeAt(url, epoch));
    if (nodes[0] !== undefined && nodes.length === 1) {
      await furnish(nodes[0]);
      // `furnish` takes a lease only for `EPOCH`, which is not the epoch of any of these nodes.
      await nodes[0].ledger.join({ epoch, name: epoch }, LEASE_MS);
      await nodes[0].ledger.apply([credit('c1', funds)]);
      await addMemberKeys(nodes[0].sql, 'alice');
    }
  }
  return nodes;
}

export const holdAt = (
  { epoch }: Node,
  id: string,
  amount: bigint,
  keyId = 'key_alice',
): HoldCommand => hold(id, amount, { epoch, keyId });

/** Returns a settlement as a request sends it: with the amount of its hold (`held`). */
export const settleFor = (
  id: string,
  charge: bigint,
  held: bigint,
  keyId = 'key_alice',
): SettleCommand => ({
  ...settle(id, charge, { keyId }),
  held: nano(held),
});

export const isGranted = (outcome: Outcome): boolean => outcome.status === 'applied';

/** Waits until `isDone` resolves with true. This may take long on a busy machine. */
export async function eventually(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const untilMs = systemClock.monotonicMs() + PATIENCE_MS;
  while (!(await isDone())) {
    if (systemClock.monotonicMs() > untilMs) throw new Error(`not within the time: ${what}`);
    await systemClock.sleep(5);
  }
}

/** Makes holds of 1 nano-unit until the node decides them in memory. Returns how many it made. */
export async function warmUp(node: Node, prefix: string, keyId = 'key_alice'): Promise<number> {
  let holds = 0;
  await eventually(`${node.epoch} decides in memory`, async () => {
    const outcome = node.ledger.hold(holdAt(node, `${prefix}${holds}`, 1n, keyId));
    expect(isGranted(await outcome)).toBe(true);
    holds += 1;
    return !(outcome instanceof Promise);
  });
  return holds;
}

export const assignedTo = async ({ sql, epoch }: Node): Promise<bigint> => {
  const [row] = await sql.query({
    sql: 'SELECT COALESCE(SUM(amount), 0)::BIGINT AS sum FROM assignment WHERE epoch = $1',
    params: [epoch],
  });
  return BigInt(String(row?.['sum']));
};

export const walletOf = async ({ ledger }: Node): Promise<readonly [NanoAmount, NanoAmount]> => {
  const [usd] = await ledger.wallets('alice');
  if (usd === undefined) throw new Error('alice has no wallet');
  return [usd.balance, usd.held];
};

/** Closes everything that was opened. */
export async function closeAll(): Promise<void> {
  for (const each of opened) await each.close();
}
