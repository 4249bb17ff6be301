/**
 * The health of a route: one circuit breaker per upstream and model. Results and delays of the
 * upstream count; callers who disconnect or send invalid requests do not.
 */

/** An upstream's configured name and the model's name there, as `anthropic/claude-x`. */
export type RouteId = string;

export const routeId = (route: { readonly upstream: string; readonly model: string }): RouteId =>
  `${route.upstream}/${route.model}`;

/**
 * closed: in use. open: failing, paused. half_open: the pause is over, and a few requests may try
 * it. cooling: the upstream asked for a pause (429).
 */
export type Standing = 'closed' | 'half_open' | 'open' | 'cooling';

/** Kept apart, since the first byte of a non-streaming answer comes when all of it is written. */
export type AnswerForm = 'stream' | 'whole';

/** How an attempt on a route ended. */
export type AttemptResult =
  | { readonly kind: 'success' }
  /** A failure of the upstream; `code` and `cause` are for the operator. */
  | { readonly kind: 'failure'; readonly code: string; readonly cause: string | null }
  | { readonly kind: 'overloaded'; readonly retryAfterMs: number }
  /**
   * Says nothing about the route: the caller disconnected, or every route would refuse the request.
   */
  | { readonly kind: 'unknown' };

/** One attempt on a route, in flight from `begin` to `end`. */
export interface Trial {
  /** The first byte of the body came. Only the first call counts. */
  firstByte(): void;
  /** Only the first call counts. */
  end(result: AttemptResult): void;
}

/** What the choice among routes depends on. */
export type Fitness = {
  readonly standing: Standing;
  /** How long until the route may be tried, milliseconds; 0: now. */
  readonly waitMs: number;
  readonly inFlight: number;
  /**
   * Moving average of the time to the first byte (of streams, if there are any), milliseconds; null
   * when unknown.
   */
  readonly firstByteMs: number | null;
};

export interface RouteHealth {
  fitness(route: RouteId): Fitness;
  begin(route: RouteId, form: AnswerForm): Trial;
}
