/** Calculates how much of each spending limit is used. */
import { every } from '#api/lists.ts';
import type { components } from '#api/schema.gen.ts';
import { parseAmount } from '#money/amount.ts';

type Spend = components['schemas']['Spend'];
export type SpendWindow = keyof Spend;
export const SPEND_WINDOWS = every<SpendWindow>({
  day: true,
  week: true,
  month: true,
  total: true,
});

/** The spend in each period that can have a limit. */
export type SpendOf = { readonly [Window in SpendWindow]?: Spend[Window] };
/** Anything that has spending limits: a key, or a member with all keys that they created. */
export type Budgeted = {
  readonly limits: { readonly spend: { readonly [Window in SpendWindow]?: string | null } };
  readonly spend: SpendOf;
};

export type Budget = {
  readonly window: SpendWindow;
  readonly spent: string;
  readonly cap: string;
  readonly remaining: string;
  /** When the period of the limit ends; null for a total limit, which never resets. */
  readonly resetsAt: string | null;
  /**
   * The used fraction of the limit, from 0 to 1, rounded down to four decimal places; for display.
   */
  readonly part: number;
};

/** The used fraction from which the bar changes color. */
export const NEARLY_USED = 0.8;
const PARTS = 10_000n;

/** Returns the budgets of the periods that have a limit, the shortest period first. */
export const budgetsOf = ({ limits, spend }: Budgeted): readonly Budget[] =>
  SPEND_WINDOWS.flatMap((window) => {
    const [cap, used] = [limits.spend[window] ?? null, spend[window]];
    if (cap === null || used === undefined) return [];
    const { spent, remaining, resets_at: resetsAt } = used;
    return [
      { window, spent, cap, remaining: remaining ?? cap, resetsAt, part: partOf(spent, cap) },
    ];
  });

/** Returns the budget with the highest used fraction; null without a limit. */
export function tightestBudget(of: Budgeted): Budget | null {
  const [first, ...others] = budgetsOf(of);
  if (first === undefined) return null;
  return others.reduce((most, budget) => (budget.part > most.part ? budget : most), first);
}

function partOf(spent: string, cap: string): number {
  const [used, all] = [parseAmount(spent), parseAmount(cap)];
  if (used >= all) return 1;
  return Number((used * PARTS) / all) / Number(PARTS);
}
