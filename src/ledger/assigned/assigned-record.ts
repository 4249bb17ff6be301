/** What a node knows of the money that the store has assigned to it for one account. */
import type { Currency } from '../../money/amount.ts';
import { type AccountSheet, NO_METER } from '../float/account-state.ts';
import type { AssignedWallet } from './assignment-store.ts';

export const CURRENCIES = ['USD', 'CNY'] as const;

export type AssignedRecord = {
  readonly accountId: string;
  /** The version of each wallet's assignment; null if nothing is known to be assigned. */
  readonly versions: { [Unit in Currency]: bigint | null };
  /** The amount of each wallet that could be held in addition, as the store last reported. */
  readonly rest: { [Unit in Currency]: bigint };
  /** The used amount of each assignment that was last reported to the store. */
  readonly reported: { [Unit in Currency]: bigint };
  readonly keyIds: Set<string>;
  /** The amount held of each wallet, and the number of holds made, since the last check. */
  readonly held: { [Unit in Currency]: bigint };
  holds: number;
  /** Resolves when the running question to the store ends; null if none runs. Never rejects. */
  asking: Promise<void> | null;
  surrendering: Promise<void> | null;
  /** While true, nothing is decided in memory: the account must be surrendered first. */
  isRecalled: boolean;
  /** Whether the store refused the last surrender with an error. That is reported once. */
  isFaulty: boolean;
  /** Until this monotonic time, no more money is asked for. */
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

/** Returns the assignments as an account of the float, which counts each as a wallet's balance. */
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
