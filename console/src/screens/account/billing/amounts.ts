/** Suggests and validates amounts for a card payment, and adds their bonuses. */
import type { components } from '#api/schema.gen.ts';
import { isAmount, parseAmount } from '#money/amount.ts';
import { enteredAmount } from '#money/entered-amount.ts';

export type AmountRange = { readonly min: string; readonly max: string };

/** The round amounts that may be suggested. */
const OFFERED = ['5', '10', '25', '50', '100', '250', '500', '1000'] as const;
const MAX_OFFERED = 4;
/** The format of an amount that a card can pay: whole cents or fen. */
const PAYABLE = /^\d+(?:\.\d{1,2})?$/;

/** Returns the lowest round amounts within the limits of one payment. */
export const offeredAmounts = (range: AmountRange): readonly string[] =>
  OFFERED.filter((amount) => isWithin(amount, range)).slice(0, MAX_OFFERED);

export type AmountProblem = 'notAmount' | 'outOfRange';

/** Returns a typed amount for the API, without thousands separators. */
export const typedAmount = (text: string): string =>
  enteredAmount(text, { zero: true }) ?? text.trim();

/** Returns the error of a typed amount; null when the amount is valid. */
export function amountProblem(text: string, range: AmountRange): AmountProblem | null {
  const amount = typedAmount(text);
  if (!PAYABLE.test(amount) || !isAmount(amount)) return 'notAmount';
  return isWithin(amount, range) ? null : 'outOfRange';
}

const isWithin = (amount: string, { min, max }: AmountRange): boolean =>
  parseAmount(amount) >= parseAmount(min) && parseAmount(amount) <= parseAmount(max);

export type BonusStep = components['schemas']['TopUpBonus'];

/** Returns the bonus on a typed amount, in pico-units, exactly as the gateway calculates it. */
export function bonusOn(text: string, steps: readonly BonusStep[]): bigint {
  const typed = typedAmount(text);
  const amount = PAYABLE.test(typed) ? parseAmount(typed) : 0n;
  const percent = steps.findLast(({ from }) => parseAmount(from) <= amount)?.percent ?? '0';
  return (amount * parseAmount(percent)) / parseAmount('100');
}
