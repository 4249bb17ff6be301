/** What is reported when a node did not surrender an account in time. */
import type { NanoAmount } from '../../money/amount.ts';
import type { Command } from '../ledger.ts';

/**
 * A recall that a node has not answered in time: it has died and its lease still runs, or the store
 * refuses what it surrenders. Each heartbeat of that node asks it again.
 */
export type UnansweredRecall = {
  readonly accountIds: readonly string[];
  /** The command that was decided without the node; `change` for that of a key or account. */
  readonly of: Command['kind'] | 'change';
  /** The command's id; null for a change. */
  readonly id: string | null;
  /** What a settlement could not take from the wallet. */
  readonly loss: NanoAmount;
};

export type OnUnanswered = (recall: UnansweredRecall) => void;
