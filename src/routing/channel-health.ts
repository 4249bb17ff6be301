/** The public health of a channel: its routes combined, without naming upstreams. */
import type { Card, Channel } from '../catalogue/catalogue.ts';
import { type RouteHealthBook, routeId } from './route-health.ts';

/** With fewer requests a ratio would only show how little was sold. */
const MIN_SHOWN = 20;

export type ChannelHealth = {
  /** degraded: some routes are paused or on trial. down: no route may be used now. */
  readonly status: 'healthy' | 'degraded' | 'down';
  /** Over the last five minutes, in [0, 1]; null with too few requests. */
  readonly successRatio: number | null;
  /** Milliseconds; null with too few requests. */
  readonly firstByteMs: { readonly p50: number; readonly p95: number } | null;
};

/** Null with too few requests and no problem. */
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

/** Success ratios of the last hours, [0, 1], oldest first, of this process; null: too few. */
export const channelHours = (
  health: Pick<RouteHealthBook, 'hours'>,
  { routes }: Channel<Card>,
): readonly (number | null)[] =>
  health.hours(new Set(routes.map(routeId))).map(({ ok, bad }) => {
    const ended = ok + bad;
    return ended < MIN_SHOWN ? null : ok / ended;
  });
