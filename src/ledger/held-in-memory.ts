/** The holds of running requests that are only in this process's memory, not in the store. */
import type { Currency, NanoAmount } from '../money/amount.ts';

export type HeldInMemory = {
  /** Whether a hold of this request is running. */
  request(requestId: string): boolean;
  /** The amount held of a wallet, in nano-units of its currency. */
  wallet(accountId: string, currency: Currency): bigint;
  /** What the holds of an account, or of one of its keys, count against its caps, in nano-USD. */
  meter(accountId: string, keyId: string | null): bigint;
};

export type BalanceTooLow = {
  readonly status: 'balance_too_low';
  readonly available: NanoAmount;
  /** True while a node that does not answer may hold more of the wallet's money in its memory. */
  readonly isPartial?: true;
};
