/**
 * How each route fares: one breaker for every upstream and model there. What callers do (leaving, asking
 * for what cannot be) says nothing about a route; what an upstream does, and how long it takes, does.
 */

/** An upstream's configured name and the model's name there, as `anthropic/claude-x`. */
export type RouteId = string;

export const routeId = (route: { readonly upstream: string; readonly model: string }): RouteId =>
  `${route.upstream}/${route.model}`;

/**
 * closed: in use. open: failing, left alone until its time is over. half_open: that time is over, and a
 * few requests may try it. cooling: it asked for a pause (429), and gets it.
 */
export type Standing = 'closed' | 'half_open' | 'open' | 'cooling';

/** The first byte of an answer in one piece comes when all of it is written: no measure for a stream. */
export type AnswerForm = 'stream' | 'whole';

/** How an exchange with a route ended. */
export type AttemptResult =
  | { readonly kind: 'success' }
  /** The upstream's fault; `code` and `cause` are for the operator. */
  | { readonly kind: 'failure'; readonly code: string; readonly cause: string | null }
  | { readonly kind: 'overloaded'; readonly retryAfterMs: number }
  /** The caller left, or asked for what no route could do: it says nothing about this one. */
  | { readonly kind: 'unknown' };

/** One exchange with a route, in flight from `begin` until `end`. */
export interface Trial {
  /** The first byte of its answer's body came. Only the first call counts. */
  firstByte(): void;
  /** Only the first call counts. */
  end(verdict: AttemptResult): void;
}

/** What a choice among routes is made by. */
export type Fitness = {
  readonly standing: Standing;
  /** Until it may be tried again, milliseconds; 0 when it may be now. */
  readonly waitMs: number;
  readonly inFlight: number;
  /** Moving average until the first byte (of streams, where there are any), milliseconds; null while nothing is known. */
  readonly firstByteMs: number | null;
};

export interface RouteHealth {
  fitness(route: RouteId): Fitness;
  begin(route: RouteId, form: AnswerForm): Trial;
}
