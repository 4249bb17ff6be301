/**
 * Bonuses on card payments. A bonus is a percentage of the payment, which depends on the amount.
 */
import type { CreditCommand } from '../ledger/ledger.ts';
import { type Currency, type NanoAmount, nano, parseAmount } from '../money/amount.ts';
import { MULTIPLE_SCALE, parseMultiple } from '../money/price.ts';

export type BonusStep = {
  /** The smallest payment that gets this bonus. */
  readonly from: NanoAmount;
  /** The percentage as it is configured, such as `5` or `7.5`. */
  readonly percent: string;
};
/** The bonus levels of each currency, the smallest amount first. */
export type Bonuses = Readonly<Record<Currency, readonly BonusStep[]>>;

/**
 * Converts the configured bonuses, which map an amount to a percentage. The configuration has
 * already validated them.
 */
export function bonusesOf(
  settings: Readonly<Record<Currency, Readonly<Record<string, string>>>>,
): Bonuses {
  const stepsIn = (currency: Currency): readonly BonusStep[] =>
    Object.entries(settings[currency])
      .map(([from, percent]) => ({ from: amountOf(from), percent }))
      .toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return { USD: stepsIn('USD'), CNY: stepsIn('CNY') };
}

/**
 * Returns the bonus on a payment, by the highest level that the payment reaches. The bonus is exact
 * for whole cents, because a percentage has at most four decimals. For other amounts, it is rounded
 * down.
 */
export function bonusOn(amount: NanoAmount, steps: readonly BonusStep[]): NanoAmount {
  const step = steps.findLast(({ from }) => from <= amount);
  const scaled = parseMultiple(step?.percent ?? '0') ?? 0n;
  return nano((amount * scaled) / (100n * MULTIPLE_SCALE));
}

/**
 * Returns the part of the bonus that belongs to `minor`, a part of the payment in minor units such
 * as cents. Rounds down.
 */
export const bonusShare = (
  { bonus, minorAmount }: { readonly bonus: NanoAmount; readonly minorAmount: bigint },
  minor: bigint,
): NanoAmount => nano((bonus * minor) / minorAmount);

/** Returns the id of the command that credits the bonus of a payment. */
export const bonusIdOf = ({ id }: Pick<CreditCommand, 'id'>): string => `bonus_${id}`;

function amountOf(text: string): NanoAmount {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`the configuration accepted ${text} as an amount`);
  return amount;
}
