/** The ledger of a process that holds all money of its store in memory. */
import type { Clock } from '../../clock.ts';
import { nano } from '../../money/amount.ts';
import { currencyOf, integer } from '../../store/row.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import type { FrozenFile } from '../../store/sqlite/frozen-file.ts';
import type { Ledger, Wallet } from '../ledger.ts';
import { sharedLedger, WALLETS } from '../shared-ledger.ts';
import { verifyLedger } from '../verify.ts';
import type { FloatLedger } from './float-ledger.ts';
import type { FloatLink } from './float-store.ts';

export type FloatingDeps = {
  readonly float: FloatLedger;
  readonly link: FloatLink;
  readonly sql: SqlExecutor;
  readonly frozen: Pick<FrozenFile, 'read'>;
  readonly clock: Clock;
};

/**
 * Loads the published exchange rates and returns the ledger.
 * @throws GatewayError `store_unavailable`.
 */
export async function floatingLedger({
  float,
  link,
  sql,
  frozen,
  clock,
}: FloatingDeps): Promise<Omit<Ledger, typeof Symbol.asyncDispose>> {
  const shared = await sharedLedger(sql, float);
  return {
    ...shared,
    hold: (command) => float.hold(command),
    extend: (command) => float.extend(command),
    settle: (command) => float.settle(command),
    keepCheckpoint: (holdId, checkpoint) => float.keepCheckpoint(holdId, checkpoint),
    apply: (batch) => float.apply(batch),
    wallets: (accountId) => walletsOf(accountId, float, link),
    inMemory: {
      request: (requestId) => float.isHeld(requestId),
      wallet: (accountId, currency) => float.heldOf(accountId, currency),
      meter: (accountId, keyId) => float.meteredOf(accountId, keyId),
    },
    join: async (node, leaseMs) => {
      const nowMs = clock.nowMs();
      await float.noteWrite(link.ask('join', { ...node, nowMs, untilMs: nowMs + leaseMs }));
      float.join(node.epoch);
      return 'joined';
    },
    renew: async (epoch, leaseMs) => {
      const untilMs = clock.nowMs() + leaseMs;
      const isLive = await float.noteWrite(link.ask('renew', { epoch, untilMs }));
      return { isLive, nodes: isLive ? 1 : 0 };
    },
    leave: async (epoch) => {
      float.leave(epoch);
      await link.ask('leave', { epoch, nowMs: clock.nowMs() });
    },
    reap: () => float.reap(),
    // Reads on another thread than the store's, because some queries read all receipts, and a
    // settlement would wait for each of them.
    verify: async () => [
      ...(await frozen.read((snapshot) => verifyLedger(snapshot, 'in memory'))),
      ...float.breaches(),
    ],
  };
}

/**
 * Reads the wallets, and adds the holds and unconfirmed charges that are in memory when the answer
 * arrives.
 */
async function walletsOf(
  accountId: string,
  float: FloatLedger,
  link: FloatLink,
): Promise<readonly Wallet[]> {
  let wallets: readonly Wallet[] = [];
  await link.ask('query', { sql: WALLETS, params: [accountId] }, (rows) => {
    wallets = rows.map((row) => ({
      currency: currencyOf(row),
      balance: nano(integer(row, 'balance')),
      held: nano(float.heldOf(accountId, currencyOf(row))),
      floor: nano(integer(row, 'floor')),
    }));
  });
  return wallets;
}
