/** What running requests hold where no row of the store says so. */
import type { Currency } from '../money/amount.ts';

export type HeldInMemory = {
  /** Whether a hold of this request is running. */
  request(requestId: string): boolean;
  /** What is held of a wallet, in its currency. */
  wallet(accountId: string, currency: Currency): bigint;
  /** What counts against the caps of an account, or of one of its keys, in nano-USD. */
  meter(accountId: string, keyId: string | null): bigint;
};
