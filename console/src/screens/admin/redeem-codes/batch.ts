/** The state of a batch of redeem codes, and its codes as a file. */
import type { components } from '#api/schema.gen.ts';
import { formatExact, parseAmount } from '#money/amount.ts';

export type Batch = components['schemas']['RedeemBatch'];
export type BatchState = 'open' | 'used_up' | 'expired' | 'cancelled';

export const unusedCodes = ({ count, used, cancelled }: Batch): number => count - used - cancelled;

export function batchState(batch: Batch, nowMs: number): BatchState {
  if (batch.cancelled_at !== null) return 'cancelled';
  if (unusedCodes(batch) === 0) return 'used_up';
  const isOver = batch.expires_at !== null && Date.parse(batch.expires_at) <= nowMs;
  return isOver ? 'expired' : 'open';
}

/** Returns the value of the redeemed codes. */
export const redeemedValue = ({ amount, used }: Batch): string =>
  formatExact(parseAmount(amount) * BigInt(used));

/** Writes the codes as CSV: one code per line under a heading. */
export const codesCsv = (codes: readonly string[]): string =>
  `${['code', ...codes].join('\r\n')}\r\n`;
