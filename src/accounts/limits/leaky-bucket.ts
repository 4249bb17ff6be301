/**
 * A leaky bucket that limits use per minute (generic cell rate algorithm). Its level is an integer
 * number of units, so the arithmetic is exact. If N nodes share a limit, each request or token adds
 * 60,000 * N units to the bucket of its node. Each bucket drains L units per millisecond for a
 * limit of L per minute.
 */
export const MINUTE_MS = 60_000;

export type LeakyBucket = {
  /**
   * The level in units at `atMs`. It may exceed the capacity, because the actual token count may
   * exceed its estimate.
   */
  debt: number;
  atMs: number;
  /** The drain speed in units per millisecond: the limit per minute at the last drain, or 0. */
  perMs: number;
};

export const newBucket = (atMs: number): LeakyBucket => ({ debt: 0, atMs, perMs: 0 });

/**
 * Drains the bucket up to `nowMs`. A changed limit does not change the level, but a limit of null
 * sets the level to 0.
 */
export function drain(bucket: LeakyBucket, limit: number | null, nowMs: number): void {
  const perMs = limit ?? 0;
  bucket.debt = limit === null ? 0 : Math.max(0, bucket.debt - perMs * (nowMs - bucket.atMs));
  bucket.atMs = nowMs;
  bucket.perMs = perMs;
}

/** Adds `count` requests or tokens to the level. A negative count removes them. */
export function take(bucket: LeakyBucket, count: number, nodes: number): void {
  bucket.debt = Math.max(0, bucket.debt + count * MINUTE_MS * nodes);
}

/**
 * Returns the milliseconds until `count` more requests or tokens fit. A count above the capacity
 * fits once the level is 0.
 */
export function waitMs(bucket: LeakyBucket, count: number, limit: number, nodes: number): number {
  if (count === 0) return 0;
  if (limit === 0) return MINUTE_MS;
  const holds = capacity(limit, nodes);
  const fits = holds - Math.min(count * MINUTE_MS * nodes, holds);
  return bucket.debt <= fits ? 0 : Math.ceil((bucket.debt - fits) / limit);
}

/**
 * Returns the remaining part of the limit over all nodes, assuming that the buckets of all nodes
 * are equally full.
 */
export function remainingOf(bucket: LeakyBucket, limit: number, nodes: number): number {
  if (limit === 0) return 0;
  const holds = capacity(limit, nodes);
  return Math.max(0, Math.floor((limit * (holds - bucket.debt)) / holds));
}

/** Returns the milliseconds until the level is 0, so that the whole limit is available. */
export const resetMs = (bucket: LeakyBucket, limit: number): number =>
  limit === 0 ? MINUTE_MS : Math.ceil(bucket.debt / limit);

const capacity = (limit: number, nodes: number): number =>
  Math.max(limit * MINUTE_MS, MINUTE_MS * nodes);
