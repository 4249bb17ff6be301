/** The report that a node did not surrender an account in time. */
import type { NanoAmount } from '../../money/amount.ts';
import type { Command } from '../ledger.ts';

/**
 * A recall (the demand that nodes return the money assigned to them) that a node did not answer in
 * time. Either the node is dead and its lease still runs, or the store refuses what the node
 * returns. Each heartbeat of the node tries again.
 */
export type UnansweredRecall = {
  readonly accountIds: readonly string[];
  /**
   * The kind of the command that the store decided without waiting longer for the node; `change` if
   * a key or account was changed.
   */
  readonly of: Command['kind'] | 'change';
  /** The command's id; null for a change. */
  readonly id: string | null;
  /** The part of a settlement that the wallet could not pay; zero for other commands. */
  readonly loss: NanoAmount;
};

export type OnUnanswered = (recall: UnansweredRecall) => void;
