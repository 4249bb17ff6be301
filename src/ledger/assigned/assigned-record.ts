/** What a node knows of one account's assignments. */
import type { Currency } from '../../money/amount.ts';
import { type AccountSheet, NO_METER } from '../float/account-state.ts';
import type { AssignedWallet } from './assignment-store.ts';

export const CURRENCIES = ['USD', 'CNY'] as const;

export type AssignedRecord = {
  readonly accountId: string;
  /** The versions of the assignments; null where nothing is assigned, as far as is known. */
  readonly versions: { [Unit in Currency]: bigint | null };
  /** What else of each wallet could be held when the store last answered. */
  readonly rest: { [Unit in Currency]: bigint };
  /** What the store has noted to be used. */
  readonly reported: { [Unit in Currency]: bigint };
  readonly keyIds: Set<string>;
  /** What was held of each wallet, and how many holds were made, since the last check. */
  readonly held: { [Unit in Currency]: bigint };
  holds: number;
  /** The running question; never rejects. */
  asking: Promise<void> | null;
  surrendering: Promise<void> | null;
  /** Whether nothing may be decided in memory until the account was surrendered. */
  isRecalled: boolean;
  /** Whether the last surrender was refused as faulty, which is reported once. */
  isFaulty: boolean;
  /** Until when no more money is asked for. */
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

/** Returns an account whose wallets are its assignments, as the float counts it. */
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
