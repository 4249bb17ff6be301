/** Calculates how much of a key's spend limits is used. */
import { parseAmount } from '#money/amount.ts';
import { type ApiKey, SPEND_WINDOWS, type SpendWindow } from './key-form.ts';

export type Budget = {
  readonly window: SpendWindow;
  readonly spent: string;
  readonly cap: string;
  readonly remaining: string;
  /** When the window resets; null when it never resets. */
  readonly resetsAt: string | null;
  /** The used fraction of the limit from 0 to 1, only for the length of a bar. */
  readonly part: number;
};

/** The used fraction from which the bar changes color. */
export const NEARLY_USED = 0.8;
const PARTS = 10_000n;

/** Returns the budgets of the windows that have a limit, the shortest window first. */
export const budgetsOf = ({ limits, spend }: Pick<ApiKey, 'limits' | 'spend'>): readonly Budget[] =>
  SPEND_WINDOWS.flatMap((window) => {
    const cap = limits.spend[window];
    if (cap === null) return [];
    const { spent, remaining, resets_at: resetsAt } = spend[window];
    return [
      { window, spent, cap, remaining: remaining ?? cap, resetsAt, part: partOf(spent, cap) },
    ];
  });

/** Returns the budget with the highest used fraction; null when the key has no limit. */
export function tightestBudget(key: Pick<ApiKey, 'limits' | 'spend'>): Budget | null {
  const [first, ...others] = budgetsOf(key);
  if (first === undefined) return null;
  return others.reduce((most, budget) => (budget.part > most.part ? budget : most), first);
}

function partOf(spent: string, cap: string): number {
  const [used, all] = [parseAmount(spent), parseAmount(cap)];
  if (used >= all) return 1;
  return Number((used * PARTS) / all) / Number(PARTS);
}
