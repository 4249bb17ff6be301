/**
 * The ledger of a node on PostgreSQL. Memory decides the holds that the node's assignments (money
 * that the store has assigned to the node) cover. The store decides all other commands.
 */
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { nano, ZERO } from '../../money/amount.ts';
import { integer } from '../../store/row.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import type { AssignedLedger } from '../assigned/assigned-ledger.ts';
import type { OnUnanswered } from '../assigned/unanswered-recall.ts';
import { checkCommand } from '../check-command.ts';
import { MAX_BATCH_COMMANDS } from '../group-commit.ts';
import type { Command, Ledger, Outcome, Sales } from '../ledger.ts';
import { REAP_BATCH } from '../settlement-plan.ts';
import { sharedLedger } from '../shared-ledger.ts';
import type { RecallNotices } from './recall-notices.ts';

/**
 * How long a change of an account waits until all nodes have surrendered the account (returned its
 * money to the store). This is longer than any lease.
 */
export const RECALL_WAIT_MS = 15_000;
const MAX_PAUSE_MS = 200;

export type PostgresNodeDeps = {
  readonly assigned: AssignedLedger;
  readonly checkpoints: Pick<Sales, 'keepCheckpoint'>;
  readonly sql: SqlExecutor;
  /** Runs SQL on connections of its own, which reports and locks cannot delay. */
  readonly prompt: SqlExecutor;
  readonly notices: RecallNotices;
};

type NodeLedger = Omit<Ledger, 'verify' | typeof Symbol.asyncDispose>;

/**
 * Loads the published exchange rates and returns the ledger.
 * @throws GatewayError `store_unavailable`.
 */
export async function postgresNode(deps: PostgresNodeDeps): Promise<NodeLedger> {
  const { assigned, checkpoints, sql } = deps;
  const shared = await sharedLedger(sql, assigned);
  return {
    ...shared,
    hold: (command) => assigned.hold(command),
    extend: (command) => assigned.extend(command),
    settle: (command, isKeyed) => assigned.settle(command, isKeyed),
    keepCheckpoint: (holdId, checkpoint) => {
      checkpoints.keepCheckpoint(holdId, checkpoint);
      assigned.keepCheckpoint(holdId);
    },
    apply: (batch) => applied(assigned, batch),
    wallets: async (accountId) =>
      (await shared.wallets(accountId)).map((wallet) => ({
        ...wallet,
        held: nano(wallet.held + assigned.unreported(accountId, wallet.currency)),
      })),
    inMemory: {
      request: (requestId) => assigned.isHeld(requestId),
      wallet: (accountId, currency) => assigned.unreported(accountId, currency),
      meter: (accountId, keyId) => assigned.meteredOf(accountId, keyId),
    },
    ...leasesOver(deps),
    reap: async () => {
      const voided = await assigned.reap();
      const [row] = await sql.query({
        sql: 'SELECT settled, voided FROM books_reap($1)',
        params: [REAP_BATCH],
      });
      if (row === undefined) throw new Error('books_reap returned no row');
      return {
        settled: Number(integer(row, 'settled')),
        voided: voided + Number(integer(row, 'voided')),
      };
    },
  };
}

/**
 * Applies commands in order. Successive commands that the store decides can share a transaction.
 */
async function applied(
  assigned: AssignedLedger,
  batch: readonly Command[],
): Promise<readonly Outcome[]> {
  for (const command of batch) checkCommand(command);
  if (batch.length > MAX_BATCH_COMMANDS) {
    const message = `A batch may have at most ${MAX_BATCH_COMMANDS} commands.`;
    throw new GatewayError('invalid_value', message, { param: 'batch' });
  }
  const outcomes: Promise<Outcome>[] = [];
  for (const command of batch) {
    const outcome = assigned.applyOne(command);
    outcomes.push(outcome);
    if (delaysNext(assigned, command)) await Promise.allSettled(outcomes);
  }
  // Even if one command failed early, the batch waits until all others are decided.
  await Promise.allSettled(outcomes);
  return await Promise.all(outcomes);
}

/**
 * Whether a batch's next command must wait until this one is decided. The store keeps the order of
 * its own commands. But a decision in memory, which is immediate, or a wait until other nodes
 * return money could change the order.
 */
function delaysNext(assigned: AssignedLedger, command: Command): boolean {
  switch (command.kind) {
    case 'hold':
    case 'void':
      return assigned.isAssigned(command.accountId);
    case 'extend':
      return assigned.isHeld(command.holdId);
    case 'settle':
      return assigned.isAssigned(command.receipt.accountId);
    case 'adjust':
      return command.amount < ZERO;
    case 'exchange':
    case 'credit_limit':
      return true;
    case 'credit':
    case 'refund':
      return false;
  }
}

/** The operations of the lease. They use the server's clock, which all nodes share. */
function leasesOver({
  assigned,
  prompt,
  notices,
}: PostgresNodeDeps): Pick<Ledger, 'join' | 'renew' | 'leave'> {
  const { right } = assigned;
  let isChecking = false;
  /**
   * Called at each heartbeat: starts a check unless the previous one is still running. A failure is
   * ignored, because the next write reports it.
   */
  const check = (): void => {
    if (isChecking) return;
    isChecking = true;
    void Promise.allSettled([notices.listen(), assigned.check()]).finally(() => {
      isChecking = false;
    });
  };
  return {
    join: async ({ epoch, name }, leaseMs) => {
      const asked = right.now();
      const [row] = await prompt.query({
        // A join whose answer was lost is repeated, and its first attempt may arrive after the
        // lease has ended. That must not revive the lease, because the node would hold money that
        // is no longer assigned to it.
        sql: `SELECT CASE WHEN EXISTS (
            SELECT 1 FROM node WHERE epoch = $1 AND lease_until_ms <= books_now_ms()
          ) THEN NULL ELSE books_join($1, $2, $3) END AS is_joined, books_now_ms() AS now_ms`,
        params: [epoch, name, leaseMs],
      });
      if (row?.['is_joined'] === null) return 'epoch_over';
      if (row?.['is_joined'] !== 1n) return 'name_in_use';
      right.heard(Number(integer(row, 'now_ms')));
      right.granted(epoch, asked, leaseMs);
      assigned.joined();
      check();
      return 'joined';
    },
    renew: async (epoch, leaseMs) => {
      const asked = right.now();
      const [renewed, live] = await right.note(
        prompt.transaction([
          {
            sql: `UPDATE node SET lease_until_ms = books_now_ms() + $2::bigint
                WHERE epoch = $1 AND lease_until_ms > books_now_ms() RETURNING epoch`,
            params: [epoch, leaseMs],
          },
          {
            sql: `SELECT COUNT(*) AS nodes, books_now_ms() AS now_ms FROM node
                WHERE lease_until_ms > books_now_ms()`,
            params: [],
          },
        ]),
      );
      const isLive = (renewed ?? []).length > 0;
      for (const row of live ?? []) right.heard(Number(integer(row, 'now_ms')));
      if (right.epoch === epoch) {
        if (isLive) right.granted(epoch, asked, leaseMs);
        else right.lost();
      }
      if (isLive) check();
      return { isLive, nodes: isLive ? Number(live?.[0]?.['nodes']) : 0 };
    },
    leave: async (epoch) => {
      if (right.epoch === epoch) await assigned.leave();
      await prompt.query({
        sql: `UPDATE node SET lease_until_ms = books_now_ms()
              WHERE epoch = $1 AND lease_until_ms > books_now_ms()`,
        params: [epoch],
      });
    },
  };
}

export type RecallDeps = {
  readonly assigned: Pick<AssignedLedger, 'recalled'>;
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly onUnanswered: OnUnanswered;
};

/**
 * Called after a change of these accounts has been committed. Resolves when no node decides their
 * holds with data from before the change: all nodes have surrendered the accounts, or their leases
 * have ended. Never rejects, because the change cannot be undone. Asks the store at least once.
 * After `RECALL_WAIT_MS`, resolves anyway and reports the accounts as unanswered.
 */
export async function recall(
  { assigned, sql, clock, onUnanswered }: RecallDeps,
  accountIds: readonly string[],
): Promise<void> {
  const statement = {
    sql: `SELECT books_recall(ARRAY(SELECT jsonb_array_elements_text($1::text::jsonb))) AS remains`,
    params: [JSON.stringify(accountIds)],
  };
  await assigned.recalled(accountIds);
  // Measures the time limit from here, and checks it only after asking the store. If the limit
  // included the surrender and were checked first, a node that was paused while it surrendered its
  // own accounts would never notify the others.
  const untilMs = clock.monotonicMs() + RECALL_WAIT_MS;
  for (let pauseMs = 5; ; pauseMs *= 2) {
    const remains = await sql.query(statement).then(
      ([row]) => row?.['remains'] === 1n,
      () => true,
    );
    if (!remains) return;
    if (clock.monotonicMs() >= untilMs) break;
    await clock.sleep(Math.min(pauseMs, MAX_PAUSE_MS));
  }
  onUnanswered({ accountIds, of: 'change', id: null, loss: ZERO });
}
