/** How much of a key's caps is used. */
import { parseAmount } from '../money/amount.ts';
import { type ApiKey, SPEND_WINDOWS, type SpendWindow } from './key-form.ts';

export type Budget = {
  readonly window: SpendWindow;
  readonly spent: string;
  readonly cap: string;
  readonly remaining: string;
  /** Null: it never begins anew. */
  readonly resetsAt: string | null;
  /** 0 to 1, and 1 when more is spent than the cap allows. For a bar's length alone. */
  readonly part: number;
};

/** From here on a budget is told of in another colour. */
export const NEARLY_USED = 0.8;
const PARTS = 10_000n;

/** Those that are capped, in the order of their windows. */
export const budgetsOf = ({ limits, spend }: Pick<ApiKey, 'limits' | 'spend'>): readonly Budget[] =>
  SPEND_WINDOWS.flatMap((window) => {
    const cap = limits.spend[window];
    if (cap === null) return [];
    const { spent, remaining, resets_at: resetsAt } = spend[window];
    return [
      { window, spent, cap, remaining: remaining ?? cap, resetsAt, part: partOf(spent, cap) },
    ];
  });

/** The one that is used the most; null without any cap. */
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
