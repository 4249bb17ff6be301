/** A stand-in for `LowBalance` that records every balance reported to it. */

import { type Currency, formatAmount, type NanoAmount } from '../../money/amount.ts';
import type { LowBalance } from '../../topups/alerts/low-balance.ts';

export class SeenBalances implements Pick<LowBalance, 'observe' | 'observeRise'> {
  readonly seen: string[] = [];

  observe(accountId: string, currency: Currency, available: NanoAmount): void {
    this.seen.push(`${accountId} fell to ${formatAmount(available)} ${currency}`);
  }

  observeRise(accountId: string, currency: Currency, available: NanoAmount): void {
    this.seen.push(`${accountId} rose to ${formatAmount(available)} ${currency}`);
  }
}
