/** The holds and unconfirmed charges that only the memory of this process has, not the store. */
import type { Currency, NanoAmount } from '../money/amount.ts';

export type HeldInMemory = {
  /** Whether a hold of this request is running. */
  request(requestId: string): boolean;
  /**
   * The amount of a wallet in running holds and unconfirmed charges, in nano-units of its currency.
   * With PostgreSQL, the amount last reported to the store is subtracted, so the result is below
   * zero if less is used now.
   */
  wallet(accountId: string, currency: Currency): bigint;
  /**
   * The amount, in nano-USD, that the holds and unconfirmed charges of an account, or of one of its
   * keys, use of its caps.
   */
  meter(accountId: string, keyId: string | null): bigint;
};

export type BalanceTooLow = {
  readonly status: 'balance_too_low';
  readonly available: NanoAmount;
  /**
   * True if a node that did not answer in time may still hold money of the wallet in memory, so
   * that more may become available soon.
   */
  readonly isPartial?: true;
};
