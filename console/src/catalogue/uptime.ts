/** Converts success rates by hour or day to bars. */
import type { State } from './channel-state.tsx';

const SPAN_MS = { hour: 3_600_000, day: 86_400_000 } as const;
/**
 * The lowest success rate that counts as healthy, and the lowest that counts as degraded. A rate
 * below both is an incident.
 */
const HEALTHY_FROM = 0.99;
const DEGRADED_FROM = 0.9;

/** A success rate from 0 to 1; null when there were too few requests. */
export type Ratio = number | null;

export type Span = { readonly start: string; readonly ratio: Ratio; readonly state: State };

/**
 * Returns each hour or day with its success rate and state.
 * @param from the start of the first hour or day, in ISO 8601.
 */
export const spansOf = (
  ratios: readonly Ratio[],
  from: string,
  unit: keyof typeof SPAN_MS,
): readonly Span[] =>
  ratios.map((ratio, at) => ({
    start: new Date(Date.parse(from) + at * SPAN_MS[unit]).toISOString(),
    ratio,
    state: stateOf(ratio),
  }));

function stateOf(ratio: Ratio): State {
  if (ratio === null) return 'unknown';
  if (ratio >= HEALTHY_FROM) return 'healthy';
  return ratio >= DEGRADED_FROM ? 'degraded' : 'down';
}

/** Returns the mean of the known rates; null when none is known. */
export function averageOf(ratios: readonly Ratio[]): number | null {
  const known = ratios.filter((ratio) => ratio !== null);
  return known.length === 0 ? null : known.reduce((sum, ratio) => sum + ratio, 0) / known.length;
}
