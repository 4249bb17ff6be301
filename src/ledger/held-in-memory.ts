/** What running requests hold where no row of the store says so. */
import type { Currency, NanoAmount } from '../money/amount.ts';

export type HeldInMemory = {
  /** Whether a hold of this request is running. */
  request(requestId: string): boolean;
  /** What is held of a wallet, in its currency. */
  wallet(accountId: string, currency: Currency): bigint;
  /** What counts against the caps of an account, or of one of its keys, in nano-USD. */
  meter(accountId: string, keyId: string | null): bigint;
};

export type BalanceTooLow = {
  readonly status: 'balance_too_low';
  readonly available: NanoAmount;
  /** True while more of the wallet is in the memory of a node that does not answer. */
  readonly isPartial?: true;
};
