/** How a channel fares, for everybody: its routes as one, without a word of who stands behind them. */
import type { Card, Channel } from '../catalogue/catalogue.ts';
import { routeId } from './health.ts';
import type { RouteHealthBook } from './route-health.ts';

/** A ratio of fewer says nothing but how little was sold. */
const MIN_SHOWN = 20;

export type ChannelHealth = {
  /** degraded: some of its routes are left alone, or on trial. down: none may be asked now. */
  readonly status: 'healthy' | 'degraded' | 'down';
  /** Of the last five minutes, in [0, 1]; null while there is too little to tell. */
  readonly successRatio: number | null;
  /** Milliseconds; null while there is too little to tell. */
  readonly firstByteMs: { readonly p50: number; readonly p95: number } | null;
};

/** Null while there is nothing to tell. */
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

/**
 * The part that went well of each of the last hours, in [0, 1], the oldest first; null for an hour that
 * saw too little to tell. Of this process, since it began.
 */
export const channelHours = (
  health: Pick<RouteHealthBook, 'hours'>,
  { routes }: Channel<Card>,
): readonly (number | null)[] =>
  health.hours(new Set(routes.map(routeId))).map(({ ok, bad }) => {
    const ended = ok + bad;
    return ended < MIN_SHOWN ? null : ok / ended;
  });
