/**
 * Computes order statistics, such as medians, because timings on a noisy machine follow no known
 * distribution.
 */

export type Spread = {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly count: number;
};

/** @throws Error when there are no values. */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: percentile(sorted, 50),
    least: percentile(sorted, 0),
    most: percentile(sorted, 100),
    count: sorted.length,
  };
}

/**
 * Returns the value that `percent` of the sorted values do not exceed. The median of an even count
 * is the mean of the middle two.
 * @throws Error when there are no values.
 */
export function percentile(sorted: ArrayLike<number>, percent: number): number {
  if (sorted.length === 0) throw new Error('no values to take a percentile of');
  const rank = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(rank)] ?? 0;
  const above = sorted[Math.ceil(rank)] ?? 0;
  return below + (above - below) * (rank - Math.floor(rank));
}

export type Point = { readonly x: number; readonly y: number };

/**
 * Returns the median of the slopes between all pairs of points. Outliers hardly change this median.
 * @throws Error when there are fewer than two points.
 */
export function slopeOf(points: readonly Point[]): number {
  const slopes = points.flatMap((from, at) =>
    points.slice(at + 1).map((to) => (to.y - from.y) / (to.x - from.x)),
  );
  return percentile(Float64Array.from(slopes).sort(), 50);
}
