/**
 * Counts of a channel's requests over an hour or a day, and the numbers to publish that are derived
 * from them.
 */

/**
 * Minimum requests for an hour to count as an incident, and for all numbers of a period to be
 * published. With fewer requests, only a success ratio of 1 is published, because any other ratio
 * would reveal how few requests there were.
 */
export const MIN_SHOWN = 20;
/** An hour is part of an incident if at least this fraction of its requests failed. */
export const INCIDENT_SHARE = 0.1;

/** The upper bounds of the buckets for times to the first token, in ms; the last has no bound. */
export const FIRST_TOKEN_ENDS = [
  50, 80, 125, 200, 320, 500, 800, 1_250, 2_000, 3_200, 5_000, 8_000, 12_500, 20_000, 40_000,
] as const;

/** Returns a name for each bucket with these upper bounds, and for the last one. */
export const bucketNames = (name: string, ends: readonly number[]): readonly string[] =>
  Array.from({ length: ends.length + 1 }, (_, at) => `${name}_${at}`);

/** The names of the counts, in the order in which the counts are stored. */
export const COUNTS = [
  'requests',
  'failures',
  'output_tokens',
  'generation_ms',
  ...bucketNames('first_token', FIRST_TOKEN_ENDS),
] as const;
const [REQUESTS, FAILURES, OUTPUT_TOKENS, GENERATION_MS, FIRST_TOKEN] = [0, 1, 2, 3, 4] as const;

/**
 * The counts of a time span: one number for each name in `COUNTS`. To combine two time spans, add
 * the arrays element by element.
 */
export type Figures = readonly number[];

export const NO_FIGURES: Figures = COUNTS.map(() => 0);

/** The result of one request, as it counts for the channel. */
export type Counted = {
  readonly ok: boolean;
  /** Milliseconds to the first token; null if the request was not streamed or had no token. */
  readonly firstTokenMs: number | null;
  /** The output tokens and the milliseconds in which they were generated; null if not known. */
  readonly generated: { readonly tokens: number; readonly tookMs: number } | null;
};

/** Adds one request to the counts in `figures`. Changes the array. */
export function countInto(figures: number[], { ok, firstTokenMs, generated }: Counted): void {
  add(figures, REQUESTS, 1);
  if (!ok) add(figures, FAILURES, 1);
  if (generated !== null) {
    add(figures, OUTPUT_TOKENS, generated.tokens);
    add(figures, GENERATION_MS, Math.round(generated.tookMs));
  }
  if (firstTokenMs !== null)
    add(figures, FIRST_TOKEN + bucketOf(firstTokenMs, FIRST_TOKEN_ENDS), 1);
}

/** Adds to a count, in place. */
export function add(figures: number[], at: number, count: number): void {
  figures[at] = (figures[at] ?? 0) + count;
}

export const sumOf = (all: readonly Figures[]): Figures =>
  all.reduce((sum, each) => sum.map((count, at) => count + (each[at] ?? 0)), NO_FIGURES);

export type Summary = {
  /** The fraction of requests that succeeded, in [0, 1]. */
  readonly successRatio: number;
  /**
   * Percentiles of the time to the first token; null without streamed answers, or with fewer than
   * `MIN_SHOWN` requests.
   */
  readonly firstTokenMs: Percentiles | null;
  /** Output tokens per second; null without output tokens, or below `MIN_SHOWN` requests. */
  readonly tokensPerSecond: number | null;
};

/**
 * Returns the numbers to publish. Returns null if there are no requests, or if there are fewer than
 * `MIN_SHOWN` and any of them failed.
 */
export function summaryOf(figures: Figures): Summary | null {
  const [requests, failures] = [figures[REQUESTS] ?? 0, figures[FAILURES] ?? 0];
  if (requests < MIN_SHOWN) {
    const isFine = requests > 0 && failures === 0;
    return isFine ? { successRatio: 1, firstTokenMs: null, tokensPerSecond: null } : null;
  }
  const [tokens, tookMs] = [figures[OUTPUT_TOKENS] ?? 0, figures[GENERATION_MS] ?? 0];
  return {
    successRatio: (requests - failures) / requests,
    firstTokenMs: percentiles(figures.slice(FIRST_TOKEN), FIRST_TOKEN_ENDS),
    tokensPerSecond: tokens === 0 || tookMs === 0 ? null : (tokens * 1000) / tookMs,
  };
}

/**
 * Whether an hour with these counts is part of an incident, because enough requests failed in it.
 */
export const isIncident = (figures: Figures): boolean => {
  const requests = figures[REQUESTS] ?? 0;
  return requests >= MIN_SHOWN && (figures[FAILURES] ?? 0) >= requests * INCIDENT_SHARE;
};

/** Returns the index of the bucket with this time. */
export function bucketOf(ms: number, ends: readonly number[]): number {
  const at = ends.findIndex((end) => ms < end);
  return at < 0 ? ends.length : at;
}

export type Percentiles = { readonly p50: number; readonly p95: number };

/** Returns percentiles in ms of the times in these buckets; null without times. */
export function percentiles(counts: readonly number[], ends: readonly number[]) {
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (count === 0) return null;
  return { p50: quantile(counts, ends, count * 0.5), p95: quantile(counts, ends, count * 0.95) };
}

/**
 * Returns the time, in ms, of the `rank`-th fastest request. Assumes that times are spread evenly
 * within a bucket.
 */
function quantile(counts: readonly number[], ends: readonly number[], rank: number): number {
  const longest = (ends.at(-1) ?? 0) * 2;
  let before = 0;
  for (const [at, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const from = ends[at - 1] ?? 0;
      const to = ends[at] ?? longest;
      return Math.round(from + ((to - from) * (rank - before)) / count);
    }
    before += count;
  }
  return longest;
}
