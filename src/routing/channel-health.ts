/**
 * The public health of a channel. It combines the states of the channel's routes with the counts of
 * its requests, without upstream names.
 */
import type { Card, Channel } from '../catalogue/catalogue.ts';
import { type Figures, isIncident, type Summary, summaryOf, sumOf } from './channel-figures.ts';
import { type RouteHealthBook, routeId } from './route-health.ts';

/** The stored counts of a channel. */
export type ChannelCounts = {
  /** The last 24 hours, oldest first. The last one is the current hour, which is incomplete. */
  readonly hours: readonly Figures[];
  /** The last 90 days, oldest first. The current day is last. */
  readonly days: readonly Figures[];
};

export type ChannelHealth = {
  /**
   * unknown: no known problem, but too few requests to call it healthy. degraded: some routes are
   * paused or tested, or many requests fail now. down: no route may be used now. Routes that an
   * operator took out of service do not degrade a channel that has others.
   */
  readonly status: 'healthy' | 'degraded' | 'down' | 'unknown';
  /** The success ratio and speed over the last 24 hours; null with too few requests. */
  readonly lastDay: Summary | null;
  /** The success ratio and speed over the last 90 days; null with too few requests. */
  readonly last90Days: Summary | null;
};

/** How many of the last hours decide the current status: the current hour and the one before. */
const PRESENT_HOURS = 2;

export function channelHealth(
  health: Pick<RouteHealthBook, 'fitness'>,
  { routes }: Channel<Card>,
  counts: ChannelCounts,
): ChannelHealth {
  const fitness = routes.map((route) => health.fitness(routeId(route)));
  const { lastDay, last90Days, isFailing } = sumsOf(counts);
  const isDown = fitness.every(({ waitMs }) => waitMs > 0);
  const isWhole = fitness.every(({ standing }) => standing === 'closed' || standing === 'off');
  const calm = lastDay === null ? 'unknown' : 'healthy';
  return {
    status: isDown ? 'down' : isWhole && !isFailing ? calm : 'degraded',
    lastDay,
    last90Days,
  };
}

type Sums = Omit<ChannelHealth, 'status'> & { readonly isFailing: boolean };
const known = new WeakMap<ChannelCounts, Sums>();

/** Sums the counts only once, because anybody may ask for the status of all channels. */
function sumsOf(counts: ChannelCounts): Sums {
  const before = known.get(counts);
  if (before !== undefined) return before;
  const { hours, days } = counts;
  const sums = {
    lastDay: summaryOf(sumOf(hours)),
    last90Days: summaryOf(sumOf(days)),
    isFailing: isIncident(sumOf(hours.slice(-PRESENT_HOURS))),
  };
  known.set(counts, sums);
  return sums;
}
