/** Calculates the time range that a bar of the histogram covers. */
import type { Histogram } from './request-query.ts';

/**
 * Returns the time range of a bar. The first and the last bar are clipped to the histogram's range.
 */
export function timeOf(
  at: string,
  { data, from, to }: Pick<Histogram, 'data' | 'from' | 'to'>,
): readonly [from: string, to: string] {
  const next = data.find((bar) => bar.at > at)?.at ?? to;
  return [at > from ? at : from, next < to ? next : to];
}
