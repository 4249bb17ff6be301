/** What each measure states in advance, and what it is given to run. */
import type { Dialect } from '../mock/mock-bytes.ts';
import type { Ask, Plan, ResultOf, Target } from '../plan.ts';
import type { Subject, SubjectName } from '../subjects.ts';

export type Figure = {
  readonly key: string;
  readonly label: string;
  readonly unit: 'µs' | 'ms' | 'MB' | 'req/s' | 'events/s' | 'streams' | 'events';
  readonly better: 'lower' | 'higher';
  /** Measured on a process between caller and upstream; `direct` has none. */
  readonly ofProcess?: true;
  /** Reported as the difference to that subject in the same round. */
  readonly above?: SubjectName;
  /** Modelgate's budget, as a maximum. */
  readonly atMost?: number;
};

export type Found = Readonly<Record<string, number>>;

export type Trial = {
  readonly subject: Subject;
  readonly target: Target;
  /** The name of a mock upstream model for this subject's callers, with the upstream's protocol. */
  readonly model: (upstreamModel: string, upstreamDialect?: Dialect) => string;
  readonly load: <P extends Plan>(plan: P) => Promise<ResultOf<P>>;
  /** The number of open streams at the mock upstream. */
  readonly upstreamStreams: () => Promise<number>;
  /** A duration of a full run, multiplied by the run's scale. */
  readonly scaledMs: (fullMs: number) => number;
};

export type Measure = {
  readonly name: string;
  readonly question: string;
  /** The expected answer; a result that differs by a factor of three needs an explanation. */
  readonly sketch: string;
  /** The mock upstream models that it uses. */
  readonly models: readonly string[];
  readonly figures: readonly Figure[];
  /** The only subject that supports this measure; default: all of them. */
  readonly only?: SubjectName;
  readonly run: (trial: Trial) => Promise<Found>;
};

/** Prompt bytes of a short question: the whole request is about 0.4 kB. */
const SHORT_PROMPT_BYTES = 250;
/** A limit of a closed loop: far more than the fastest subject answers in a full window. */
export const MAX_REQUESTS = 500_000;

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
