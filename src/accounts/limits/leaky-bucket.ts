/**
 * The generic cell rate algorithm in its leaky-bucket form: a bucket drains at a steady rate, and what
 * would make it run over is not let in. Counts are whole numbers, so nothing drifts: one request or token
 * weighs 60,000 units for each node, and a limit of L a minute drains L units a millisecond.
 */
const MINUTE_MS = 60_000;

export type LeakyBucket = {
  /** What is in the bucket, in units, as of `atMs`. More than it holds when an estimate was too low. */
  debt: number;
  atMs: number;
  /** The limit that it last drain by. */
  perMs: number;
};

export const newBucket = (atMs: number): LeakyBucket => ({ debt: 0, atMs, perMs: 0 });

/** Brings the bucket up to `nowMs`. Under another limit what was taken keeps its weight; under none it is forgotten. */
export function drain(bucket: LeakyBucket, limit: number | null, nowMs: number): void {
  const perMs = limit ?? 0;
  bucket.debt = limit === null ? 0 : Math.max(0, bucket.debt - perMs * (nowMs - bucket.atMs));
  bucket.atMs = nowMs;
  bucket.perMs = perMs;
}

/** Adds `count`; less than nothing gives back. */
export function take(bucket: LeakyBucket, count: number, nodes: number): void {
  bucket.debt = Math.max(0, bucket.debt + count * MINUTE_MS * nodes);
}

/**
 * How long until `count` fits, 0 when it does now. A count above the node's own part of the limit fits
 * into an empty bucket, and what is too much is worked off afterwards.
 */
export function waitMs(bucket: LeakyBucket, count: number, limit: number, nodes: number): number {
  if (count === 0) return 0;
  if (limit === 0) return MINUTE_MS;
  const holds = capacity(limit, nodes);
  const fits = holds - Math.min(count * MINUTE_MS * nodes, holds);
  return bucket.debt <= fits ? 0 : Math.ceil((bucket.debt - fits) / limit);
}

/** What is left of the limit, were every node's bucket as full as this one. */
export function remainingOf(bucket: LeakyBucket, limit: number, nodes: number): number {
  if (limit === 0) return 0;
  const holds = capacity(limit, nodes);
  return Math.max(0, Math.floor((limit * (holds - bucket.debt)) / holds));
}

/** How long until the bucket is empty. */
export const resetMs = (bucket: LeakyBucket, limit: number): number =>
  limit === 0 ? MINUTE_MS : Math.ceil(bucket.debt / limit);

const capacity = (limit: number, nodes: number): number =>
  Math.max(limit * MINUTE_MS, MINUTE_MS * nodes);
