/** The last hours of a channel, as the bars that a page shows of them. */
import type { State } from './status-query.ts';

const HOUR_MS = 3_600_000;
/** Of the requests of an hour. */
const HEALTHY_FROM = 0.99;
const DEGRADED_FROM = 0.9;

export type Hour = {
  /** When it began, ISO 8601. */
  readonly from: string;
  /** In [0, 1]; null: too few requests to tell. */
  readonly ratio: number | null;
  readonly state: State | 'unknown';
};

/** @param from when the first of `ratios` began, ISO 8601. */
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

/** In how many of the hours something is known, and what went well of these on average; null: in none. */
export function knownHours(ratios: readonly (number | null)[]): {
  readonly known: number;
  readonly average: number | null;
} {
  const told = ratios.filter((ratio) => ratio !== null);
  const sum = told.reduce((total, ratio) => total + ratio, 0);
  return { known: told.length, average: told.length === 0 ? null : sum / told.length };
}
