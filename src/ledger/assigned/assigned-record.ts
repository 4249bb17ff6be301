/** The record, for one account, of the money that the store has assigned to a node. */
import type { Currency } from '../../money/amount.ts';
import { type AccountSheet, NO_METER } from '../float/account-state.ts';
import type { AssignedWallet } from './assignment-store.ts';

export const CURRENCIES = ['USD', 'CNY'] as const;

export type AssignedRecord = {
  readonly accountId: string;
  /** The version of the assignment in each wallet; null if the node knows of no assignment. */
  readonly versions: { [Unit in Currency]: bigint | null };
  /**
   * For each wallet, the amount that could be held in addition to the assignment, as the store last
   * reported it.
   */
  readonly rest: { [Unit in Currency]: bigint };
  /** The used amount of each assignment, as the node last reported it to the store. */
  readonly reported: { [Unit in Currency]: bigint };
  readonly keyIds: Set<string>;
  /**
   * For each wallet, the total of the holds that were made since the last check (the question that
   * each heartbeat sends to the store).
   */
  readonly held: { [Unit in Currency]: bigint };
  /** The number of holds that were made since the last check. */
  holds: number;
  /**
   * Resolves when the running `assign` question to the store ends, with or without an answer; null
   * if none is running. Never rejects.
   */
  asking: Promise<void> | null;
  surrendering: Promise<void> | null;
  /**
   * Whether the store has recalled the account. The node must then surrender it: store its holds as
   * rows and end its assignments. Until then, the node decides nothing about the account in memory.
   */
  isRecalled: boolean;
  /**
   * Whether the store refused the last surrender with an error. The error is reported only once.
   */
  isFaulty: boolean;
  /** The monotonic time in milliseconds until which the node does not ask for more money. */
  pausedUntilMs: number;
};

export const newRecord = (accountId: string): AssignedRecord => ({
  accountId,
  versions: { USD: null, CNY: null },
  rest: { USD: 0n, CNY: 0n },
  reported: { USD: 0n, CNY: 0n },
  keyIds: new Set(),
  held: { USD: 0n, CNY: 0n },
  holds: 0,
  asking: null,
  surrendering: null,
  isRecalled: false,
  isFaulty: false,
  pausedUntilMs: 0,
});

export const hasVersion = ({ versions }: AssignedRecord): boolean =>
  versions.USD !== null || versions.CNY !== null;

/** Whether the store may have assigned money of the account to this node. */
export const isInUse = (record: AssignedRecord): boolean =>
  hasVersion(record) || record.asking !== null || record.isRecalled;

/**
 * Returns the account as the float (the holds in memory) needs it. The assignment of each wallet is
 * the wallet's balance there.
 */
export const sheetOf = (
  wallets: {
    readonly [Unit in Currency]: AssignedWallet;
  },
): AccountSheet => ({
  isActive: true,
  careful: 0,
  wallets: {
    USD: { balance: wallets.USD.amount, floor: 0n },
    CNY: { balance: wallets.CNY.amount, floor: 0n },
  },
  meter: NO_METER,
});
