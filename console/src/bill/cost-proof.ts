/**
 * Recalculates a request's cost from its lines and compares each step exactly with the ledger.
 * Reports the first step that differs.
 */
import { charged } from '#catalogue/price.ts';
import { type Pico, parseAmount, sum } from '#money/amount.ts';
import type { CostDetails } from './request-details.ts';

const MILLION = 1_000_000n;

export type CostStep = 'lines' | 'sum' | 'price' | 'charge';
export type CostProof = {
  /** The sum of the lines in the currency of the price card. */
  readonly sum: Pico;
  /** The sum after conversion and rounding. */
  readonly price: Pico;
  /** Whether conversion or rounding changed the sum. */
  readonly isRounded: boolean;
  /** The first step that differs from the ledger; null when all steps match. */
  readonly broken: CostStep | null;
};

type Line = CostDetails['lines'][number];

/** Returns the amount of a line, its count times its price, in the currency of the price card. */
export function lineAmount(line: Line): Pico {
  const count = BigInt(line.count);
  switch (line.kind) {
    case 'tokens':
      return (parseAmount(line.rate_per_1m) * count) / MILLION;
    case 'fee':
      return parseAmount(line.fee) * count;
    case 'images':
      return parseAmount(line.price_per_image) * count;
  }
}

export function proofOf(cost: CostDetails): CostProof {
  const amounts = cost.lines.map((line) => ({ amount: lineAmount(line) }));
  const total = amounts.reduce((all, { amount }) => all + amount, 0n);
  const rate = cost.conversion?.rate ?? null;
  const price = charged(amounts, rate);
  const unrounded = rate === null ? total : null;
  return {
    sum: total,
    price,
    isRounded: unrounded === null || unrounded !== price,
    broken: brokenStep(cost, total, price),
  };
}

function brokenStep(cost: CostDetails, total: Pico, price: Pico): CostStep | null {
  const areLinesTrue = cost.lines.every((line) => lineAmount(line) === parseAmount(line.cost));
  if (!areLinesTrue) return 'lines';
  if (total !== parseAmount(cost.cost_unrounded)) return 'sum';
  if (price !== parseAmount(cost.price)) return 'price';
  return sum([cost.charge, cost.loss, cost.waived]) === price ? null : 'charge';
}

/**
 * Returns the part of the hold that was released instead of charged; null when the hold is unknown.
 */
export const releasedOf = (held: string | null, charge: string): Pico | null =>
  held === null ? null : parseAmount(held) - parseAmount(charge);
