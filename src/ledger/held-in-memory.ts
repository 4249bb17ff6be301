/** The holds and unconfirmed charges that only the memory of this process has, not the store. */
import type { Currency, NanoAmount } from '../money/amount.ts';

export type HeldInMemory = {
  /** Whether a hold of this request is running. */
  request(requestId: string): boolean;
  /**
   * The part of a wallet that running holds and unconfirmed charges use, in nano-units of its
   * currency. With PostgreSQL, the amount last reported to the store is subtracted, so the result
   * is negative if less is used now.
   */
  wallet(accountId: string, currency: Currency): bigint;
  /**
   * The amount, in nano-USD, by which holds and unconfirmed charges count against the caps of a
   * key, or of the account if `keyId` is null.
   */
  meter(accountId: string, keyId: string | null): bigint;
};

export type BalanceTooLow = {
  readonly status: 'balance_too_low';
  readonly available: NanoAmount;
  /**
   * True if a node did not answer in time. It may still hold money of the wallet in memory, so more
   * may become available soon.
   */
  readonly isPartial?: true;
};
