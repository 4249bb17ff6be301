/** The public health of a channel: the health of its routes combined, without upstream names. */
import type { Card, Channel } from '../catalogue/catalogue.ts';
import { type RouteHealthBook, routeId } from './route-health.ts';

/**
 * The fewest requests for which figures are shown. Figures of fewer would reveal how few there
 * were.
 */
const MIN_SHOWN = 20;

export type ChannelHealth = {
  /** degraded: some routes are paused or being tested. down: no route may be used now. */
  readonly status: 'healthy' | 'degraded' | 'down';
  /** The share of successes in the last five minutes, in [0, 1]; null with too few requests. */
  readonly successRatio: number | null;
  /** The percentiles of the time to the first byte; null with too few requests. */
  readonly firstByteMs: { readonly p50: number; readonly p95: number } | null;
};

/** Returns a channel's health; null if it has too few requests to tell, and no known problem. */
export function channelHealth(
  health: Pick<RouteHealthBook, 'fitness' | 'together'>,
  { routes }: Channel<Card>,
): ChannelHealth | null {
  const ids = routes.map(routeId);
  const fitness = ids.map((id) => health.fitness(id));
  const { ended, successRatio, firstByteMs } = health.together(new Set(ids));
  const isTelling = ended >= MIN_SHOWN;
  const isDown = fitness.every(({ waitMs }) => waitMs > 0);
  const isWhole = fitness.every(({ standing }) => standing === 'closed');
  if (isWhole && !isTelling) return null;
  return {
    status: isDown ? 'down' : isWhole ? 'healthy' : 'degraded',
    successRatio: isTelling ? successRatio : null,
    firstByteMs: isTelling ? firstByteMs : null,
  };
}

/** Returns each hour's success ratio, oldest first; null for an hour with too few requests. */
export const channelHours = (
  health: Pick<RouteHealthBook, 'hours'>,
  { routes }: Channel<Card>,
): readonly (number | null)[] =>
  health.hours(new Set(routes.map(routeId))).map(({ ok, bad }) => {
    const ended = ok + bad;
    return ended < MIN_SHOWN ? null : ok / ended;
  });
