/** The declaration of a measure, and the tools that its `run` function receives. */
import type { Dialect } from '../mock/mock-bytes.ts';
import type { Ask, ClosedLoop, LedgerResult, Plan, ResultOf, Target } from '../plan.ts';
import type { Subject, SubjectName } from '../subjects.ts';

export type Figure = {
  readonly key: string;
  readonly label: string;
  readonly unit: 'µs' | 'ms' | 'MB' | 'per s' | 'streams' | 'events';
  readonly better: 'lower' | 'higher';
  /**
   * The resource that the figure measures, if it measures the process of the measured gateway (the
   * subject). The subject `direct` has no gateway, so it has no such figures.
   */
  readonly of?: 'cpu' | 'memory';
};

export type Found = Readonly<Record<string, number>>;

export type Trial = {
  readonly subject: Subject;
  readonly target: Target;
  /**
   * Returns the model name that this subject's callers send to reach the given model of the mock
   * upstream, which speaks `upstreamDialect`.
   */
  readonly model: (upstreamModel: string, upstreamDialect?: Dialect) => string;
  readonly load: <P extends Plan>(plan: P) => Promise<ResultOf<P>>;
  /** Runs `ledger.ts` with these options in its own process, at the run's scale. */
  readonly ledger: (options: readonly string[]) => Promise<LedgerResult>;
  /** Returns the number of open streams at the mock upstream. */
  readonly upstreamStreams: () => Promise<number>;
  /** Multiplies a duration of a full run, in milliseconds, by the run's scale. */
  readonly scaledMs: (fullMs: number) => number;
};

export type Measure = {
  readonly name: string;
  readonly question: string;
  /**
   * An estimate of the result, made before the measurement. If the measured result differs by a
   * factor of three, the difference must be explained.
   */
  readonly sketch: string;
  /** The mock upstream models that this measure calls. */
  readonly models: readonly string[];
  readonly figures: readonly Figure[];
  /** The subjects that support this measure; default: all of them. */
  readonly subjects?: readonly SubjectName[];
  /**
   * True if the measure must run before the warm-up of the subjects. The warm-up makes their heaps
   * grow, which would hide the memory that this measures.
   */
  readonly isCold?: true;
  /** True if the measure runs only when `--measures` names it. */
  readonly isOnRequest?: true;
  readonly run: (trial: Trial) => Promise<Found>;
};

/** The size of the prompt of a short question. The whole request is about 0.4 kB. */
const SHORT_PROMPT_BYTES = 250;
/**
 * The number of warm-up requests per connection before a measure. Few are enough, because the
 * subject has already had its own warm-up. Only the connections and the code that no other measure
 * runs are still cold.
 */
const WARM_UP_CALLS = 8;

/** A short question with a non-streaming answer. */
export const shortAsk = (model: string): Ask => ({
  model,
  stream: false,
  promptBytes: SHORT_PROMPT_BYTES,
  expectEvents: 0,
});

/** A short question whose answer is a stream with this many events. */
export const streamAsk = (model: string, events: number): Ask => ({
  ...shortAsk(model),
  stream: true,
  expectEvents: events,
});

/** A closed loop on a warm subject. `fullMs` is its duration at full scale. */
export const closedLoop = (
  { target, scaledMs }: Trial,
  ask: Ask,
  connections: number,
  fullMs: number,
): ClosedLoop => ({
  kind: 'closed-loop',
  target,
  ask,
  connections,
  warmUpRequests: connections * WARM_UP_CALLS,
  warmUpMs: null,
  measureMs: scaledMs(fullMs),
});
