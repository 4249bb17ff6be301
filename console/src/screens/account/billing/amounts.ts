/** Which amounts are offered for a payment by card. */
import { isAmount, parseAmount } from '../../../money/amount.ts';

export type AmountRange = { readonly min: string; readonly max: string };

/** Round amounts that people choose from. */
const OFFERED = ['5', '10', '25', '50', '100', '250', '500', '1000'] as const;
const MAX_OFFERED = 4;
/** Cards are charged in cents and fen. */
const PAYABLE = /^\d+(?:\.\d{1,2})?$/;

/** The first few round amounts that one payment may be. */
export const offeredAmounts = (range: AmountRange): readonly string[] =>
  OFFERED.filter((amount) => isWithin(amount, range)).slice(0, MAX_OFFERED);

export type AmountProblem = 'notAmount' | 'outOfRange';

/** What is wrong with an amount that was typed; null: nothing. */
export function amountProblem(text: string, range: AmountRange): AmountProblem | null {
  const amount = text.trim();
  if (!PAYABLE.test(amount) || !isAmount(amount)) return 'notAmount';
  return isWithin(amount, range) ? null : 'outOfRange';
}

const isWithin = (amount: string, { min, max }: AmountRange): boolean =>
  parseAmount(amount) >= parseAmount(min) && parseAmount(amount) <= parseAmount(max);
