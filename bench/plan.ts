/**
 * The load generator's input and output: one plan on standard input, one result on standard output.
 */

/**
 * The address to send requests to, and the process to measure. `watchPid` is null if the requests
 * go to the mock upstream itself.
 */
export type Target = {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly watchPid: number | null;
};

/** A request that the load generator sends. The answer must have status 200. */
export type Ask = {
  readonly model: string;
  readonly stream: boolean;
  /** The length of the text in the single user message. */
  readonly promptBytes: number;
  /** The number of events that the answer must have: 0 for JSON. Null accepts any number. */
  readonly expectEvents: number | null;
};

export type ClosedLoop = {
  readonly kind: 'closed-loop';
  readonly target: Target;
  readonly ask: Ask;
  /** The number of connections. Each sends its next request after the previous answer. */
  readonly connections: number;
  /**
   * The number of warm-up requests before the measured period, and their time limit. A null
   * `warmUpMs` sets no limit.
   */
  readonly warmUpRequests: number;
  readonly warmUpMs: number | null;
  readonly measureMs: number;
};

/** Requests that arrive on a schedule, even if earlier ones have not been answered. */
export type OpenLoop = {
  readonly kind: 'open-loop';
  readonly target: Target;
  readonly ask: Ask;
  /** The average rate, in requests per second. */
  readonly perSecond: number;
  readonly measureMs: number;
};

export type LargeBeside = {
  readonly kind: 'large-beside-small';
  readonly target: Target;
  readonly large: Ask;
  readonly small: Ask;
  readonly measureMs: number;
};

export type OpenStreams = {
  readonly kind: 'open-streams';
  readonly target: Target;
  readonly ask: Ask;
  readonly count: number;
  /** How long all streams stay open after the last one has opened, in milliseconds. */
  readonly holdMs: number;
};

export type SlowReaders = Omit<OpenStreams, 'kind'> & { readonly kind: 'slow-readers' };

/** Requests for a model whose first route fails periodically. */
export type Failover = {
  readonly kind: 'failover';
  readonly target: Target;
  readonly ask: Ask;
  readonly measureMs: number;
};

/** Concurrent streams of stamped events. Their openings are not measured. */
export type ManyStreams = {
  readonly kind: 'many-streams';
  readonly target: Target;
  readonly ask: Ask;
  readonly streams: number;
  /** The number of stamped events in each stream. */
  readonly events: number;
  /**
   * The number of events at the start of each stream that are counted but whose delays are not
   * recorded.
   */
  readonly warmUpEvents: number;
};

export type Plan =
  | ClosedLoop
  | OpenLoop
  | LargeBeside
  | OpenStreams
  | SlowReaders
  | Failover
  | ManyStreams;

export type ClosedLoopResult = {
  readonly requests: number;
  readonly perSecond: number;
  /** CPU of the watched process per request, in microseconds. */
  readonly cpuUsPerRequest: number;
  readonly peakRssMb: number;
  /** The time from writing the request's first byte to reading the answer's last byte. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /**
   * The time from writing the request's first byte to reading the first byte of the answer's body.
   */
  readonly firstP50Ms: number;
  readonly firstP99Ms: number;
};

export type OpenLoopResult = {
  readonly requests: number;
  readonly cpuUsPerRequest: number;
  /** The time from the scheduled arrival to reading the answer's last byte. */
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type LargeBesideResult = {
  readonly smallRequests: number;
  readonly smallP50Ms: number;
  readonly smallLongestMs: number;
};

export type HeldResult = {
  readonly rssBeforeMb: number;
  /**
   * The resident memory: the peak while the streams are open, and the value right before they are
   * closed.
   */
  readonly rssPeakMb: number;
  readonly rssAfterMb: number;
  readonly cpuMsPerSecondHeld: number;
};

export type FailoverResult = {
  /** The number and the latencies of the requests whose first route succeeded. */
  readonly straightRequests: number;
  readonly straightP50Ms: number;
  readonly straightP99Ms: number;
  /**
   * The number and the latencies of the requests that failed over: the first route failed, and the
   * second one answered.
   */
  readonly failoverRequests: number;
  readonly failoverP50Ms: number;
  readonly failoverP99Ms: number;
};

export type ManyStreamsResult = {
  readonly lost: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  /** The events received per second on all streams together, from the first event to the last. */
  readonly eventsPerSecond: number;
  /** The time from writing an event to reading it. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /**
   * CPU of the watched process per event, in microseconds. Measured from the time when the last
   * stream has opened to the time when all streams have ended.
   */
  readonly cpuUsPerEvent: number;
};

type Results = {
  readonly 'closed-loop': ClosedLoopResult;
  readonly 'open-loop': OpenLoopResult;
  readonly 'large-beside-small': LargeBesideResult;
  readonly failover: FailoverResult;
  readonly 'many-streams': ManyStreamsResult;
  readonly 'open-streams': HeldResult;
  readonly 'slow-readers': HeldResult;
};

export type ResultOf<P extends Plan> = Results[P['kind']];

/** The output of `ledger.ts`: the cost of a request's hold and settlement, without HTTP. */
export type LedgerResult = {
  readonly perSecond: number;
  /** The latency of a command, from its call to its durable outcome, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /**
   * CPU per request in microseconds: of the main thread (`mainUs`), of the thread of the embedded
   * store (`storeUs`), and of all threads except the main thread (`threadsUs`).
   */
  readonly mainUs: number;
  readonly storeUs: number;
  readonly threadsUs: number;
  /** CPU of the PostgreSQL server per request; 0 if the benchmark did not start a server. */
  readonly serverUs: number;
};
