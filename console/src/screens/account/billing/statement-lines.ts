/** The lines of a monthly statement, which lead from the opening to the closing balance. */
import type { components } from '#api/schema.gen.ts';
import type { UsageRow } from '#api/usage.ts';
import { type Pico, parseAmount } from '#money/amount.ts';
import type { Movement } from './billing-queries.ts';

export type MonthlyStatement = components['schemas']['MonthlyStatement'];
type Balances = Pick<MonthlyStatement, 'opening' | 'closing'>;
type Move = Pick<Movement, 'id' | 'at' | 'kind' | 'reason' | 'amount'>;
type Charges = Pick<UsageRow, 'model' | 'requests' | 'charge'>;

export type StatementLine = {
  readonly id: string;
  readonly kind: 'opening' | 'charges' | 'corrections' | 'closing' | Movement['kind'];
  readonly at: string | null;
  /** The reason for a movement, or the model of charges; null if the line has neither. */
  readonly about: string | null;
  /** The number of charged requests; null for any line other than charges. */
  readonly requests: number | null;
  readonly amount: Pico;
};

const NOTHING = { at: null, about: null, requests: null };

/**
 * Returns the lines of a statement: the opening balance, the movements in order of time, the
 * charges of each model, corrections if there are any, and the closing balance. The closing balance
 * is the exact sum of all lines before it.
 */
export function statementLines(
  { opening, closing }: Balances,
  movements: readonly Move[],
  charges: readonly Charges[],
): readonly StatementLine[] {
  const moved = movements
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ id, at, kind, reason, amount }) => ({
      ...{ id, kind, at, about: reason, requests: null, amount: parseAmount(amount) },
    }));
  const charged = charges
    .map(({ model, requests, charge }) => ({
      ...{ id: `model ${model}`, kind: 'charges' as const, at: null, about: model },
      ...{ requests, amount: -parseAmount(charge) },
    }))
    .toSorted((a, b) => (a.amount < b.amount ? -1 : 1));
  const [first, last] = [parseAmount(opening), parseAmount(closing)];
  const sum = [...moved, ...charged].reduce((total, { amount }) => total + amount, first);
  return [
    { ...NOTHING, id: 'opening', kind: 'opening', amount: first },
    ...moved,
    ...charged,
    // If the lines do not sum to the closing balance, the difference comes from corrections of
    // earlier charges. Such corrections count in the month in which they were made.
    ...(sum === last
      ? []
      : [{ ...NOTHING, id: 'rest', kind: 'corrections' as const, amount: last - sum }]),
    { ...NOTHING, id: 'closing', kind: 'closing', amount: last },
  ];
}
