/** A batch of redeem codes: how it stands, and its codes as a file. */
import type { components } from '../../../api/schema.gen.ts';

export type Batch = components['schemas']['RedeemBatch'];
export type BatchState = 'open' | 'used_up' | 'expired' | 'cancelled';

export const unusedCodes = ({ count, used, cancelled }: Batch): number => count - used - cancelled;

export function batchState(batch: Batch, nowMs: number): BatchState {
  if (batch.cancelled_at !== null) return 'cancelled';
  if (unusedCodes(batch) === 0) return 'used_up';
  const isOver = batch.expires_at !== null && Date.parse(batch.expires_at) <= nowMs;
  return isOver ? 'expired' : 'open';
}

/** One code a line under a heading, as spreadsheets take it. */
export const codesCsv = (codes: readonly string[]): string =>
  `${['code', ...codes].join('\r\n')}\r\n`;

/** The end of a day that was chosen, in UTC, as the API takes it; null: never. */
export const endOfDay = (day: string): string | null => (day === '' ? null : `${day}T23:59:59Z`);
