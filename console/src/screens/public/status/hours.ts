/** Converts the hourly success rates of a channel to bars. */
import type { State } from './status-query.ts';

const HOUR_MS = 3_600_000;
/** The lowest success rates of a healthy hour and of a degraded hour. */
const HEALTHY_FROM = 0.99;
const DEGRADED_FROM = 0.9;

export type Hour = {
  /** The start of the hour in ISO 8601. */
  readonly from: string;
  /** The success rate from 0 to 1; null when there were too few requests. */
  readonly ratio: number | null;
  readonly state: State | 'unknown';
};

/**
 * Returns the hours of a channel.
 * @param from the start of the first hour in ISO 8601.
 */
export const hoursOf = (ratios: readonly (number | null)[], from: string): readonly Hour[] =>
  ratios.map((ratio, at) => ({
    from: new Date(Date.parse(from) + at * HOUR_MS).toISOString(),
    ratio,
    state: stateOf(ratio),
  }));

function stateOf(ratio: number | null): Hour['state'] {
  if (ratio === null) return 'unknown';
  if (ratio >= HEALTHY_FROM) return 'healthy';
  return ratio >= DEGRADED_FROM ? 'degraded' : 'down';
}

/**
 * Returns the number of measured hours and their average success rate; null when no hour was
 * measured.
 */
export function knownHours(ratios: readonly (number | null)[]): {
  readonly known: number;
  readonly average: number | null;
} {
  const known = ratios.filter((ratio) => ratio !== null);
  const sum = known.reduce((total, ratio) => total + ratio, 0);
  return { known: known.length, average: known.length === 0 ? null : sum / known.length };
}
