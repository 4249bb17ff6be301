/** What a request consumed, as the ledger and the price card count it. */

/** Tokens of one request in disjoint buckets: no token is in two of them. Reasoning is in `output`. */
export type Usage = {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
};

export const NO_USAGE: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
};

export const USAGE_BUCKETS = [
  'input',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
] as const satisfies readonly (keyof Usage)[];

export const tokensIn = (usage: Usage): number =>
  USAGE_BUCKETS.reduce((sum, bucket) => sum + usage[bucket], 0);
