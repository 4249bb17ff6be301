/** What every measure states before its number, and what it is given to find it. */
import type { Dialect } from '../mock/mock-bytes.ts';
import type { Ask, Plan, ResultOf, Target } from '../plan.ts';
import type { Subject, SubjectName } from '../subjects.ts';

export type Figure = {
  readonly key: string;
  readonly label: string;
  readonly unit: 'µs' | 'ms' | 'MB' | 'req/s' | 'events/s' | 'streams' | 'events';
  readonly better: 'lower' | 'higher';
  /** Of a process between caller and upstream: `direct` has none. */
  readonly ofProcess?: true;
  /** Reported as what is above that subject's figure of the same round. */
  readonly above?: SubjectName;
  /** Modelgate's budget: at most this. */
  readonly atMost?: number;
};

export type Found = Readonly<Record<string, number>>;

export type Trial = {
  readonly subject: Subject;
  readonly target: Target;
  /** The name by which this subject's callers know a model of the mock upstream, spoken to in a dialect. */
  readonly model: (upstreamModel: string, upstreamDialect?: Dialect) => string;
  readonly load: <P extends Plan>(plan: P) => Promise<ResultOf<P>>;
  /** Streams that are open at the mock upstream. */
  readonly upstreamStreams: () => Promise<number>;
  /** A length of time of a full run, shortened as the run was asked to be. */
  readonly scaledMs: (fullMs: number) => number;
};

export type Measure = {
  readonly name: string;
  readonly question: string;
  /** The answer as far as it can be told beforehand; a number out by three times wants an explanation. */
  readonly sketch: string;
  /** The mock upstream's models that it asks for. */
  readonly models: readonly string[];
  readonly figures: readonly Figure[];
  /** Where it asks for what one subject alone can do; all of them unless it says so. */
  readonly only?: SubjectName;
  readonly run: (trial: Trial) => Promise<Found>;
};

/** Text of a short question, bytes: with the frame around it a request of about 0.4 kB. */
const SHORT_PROMPT_BYTES = 250;
/** A bound on a closed loop: far more than the fastest subject answers in a full window. */
export const MAX_REQUESTS = 500_000;

/** A short question whose answer comes in one piece. */
export const shortAsk = (model: string): Ask => ({
  model,
  stream: false,
  promptBytes: SHORT_PROMPT_BYTES,
  expectEvents: 0,
});

/** A short question whose answer is a stream of so many events. */
export const streamAsk = (model: string, events: number): Ask => ({
  ...shortAsk(model),
  stream: true,
  expectEvents: events,
});
