/**
 * A request's cost, computed once more from its lines: what is shown to add up is added up here, exactly,
 * and a step that does not come to what the books say is told.
 */
import { charged } from '../../../catalogue/price.ts';
import { type Pico, parseAmount, sum } from '../../../money/amount.ts';
import type { CostDetails } from './request-query.ts';

const MILLION = 1_000_000n;

export type CostStep = 'lines' | 'sum' | 'price' | 'charge';
export type CostProof = {
  /** Of the lines, in the currency of the card. */
  readonly sum: Pico;
  /** Converted and rounded. */
  readonly price: Pico;
  /** Whether a conversion or the one rounding made another amount of the sum. */
  readonly isRounded: boolean;
  /** The first step that does not come to what the books say; null: all add up. */
  readonly broken: CostStep | null;
};

type Line = CostDetails['lines'][number];

/** Count times price, in the currency of the card. */
export const lineAmount = (line: Line): Pico =>
  line.kind === 'tokens'
    ? (parseAmount(line.rate_per_1m) * BigInt(line.count)) / MILLION
    : parseAmount(line.price_per_image) * BigInt(line.count);

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

/** What was set aside and not charged; null where nothing is known of it. */
export const releasedOf = (held: string | null, charge: string): Pico | null =>
  held === null ? null : parseAmount(held) - parseAmount(charge);
