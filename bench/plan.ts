/** What the load generator is told, and what it answers: one plan on its standard input, one result out. */

/** Where to send requests, and whose cost to watch meanwhile (null for the mock upstream itself). */
export type Target = {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly watchPid: number | null;
};

/** A chat request; its answer must be a 200 with exactly `expectEvents` events (0 for JSON). */
export type Ask = {
  readonly model: string;
  readonly stream: boolean;
  /** Bytes of text in the one user message. */
  readonly promptBytes: number;
  /** Null: any number, since whoever asks counts by other means. */
  readonly expectEvents: number | null;
};

export type ClosedLoop = {
  readonly kind: 'closed-loop';
  readonly target: Target;
  readonly ask: Ask;
  /** Each connection sends its next request when the last one has been answered. */
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly maxRequests: number;
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
  /** How long all of them stay open. */
  readonly holdMs: number;
};

export type SlowReaders = Omit<OpenStreams, 'kind'> & { readonly kind: 'slow-readers' };

/** A model whose first route fails now and then. */
export type Failover = {
  readonly kind: 'failover';
  readonly target: Target;
  readonly ask: Ask;
  readonly warmUpMs: number;
  readonly measureMs: number;
};

/** Streams of stamped events, all at once, from the first event to the end of the last. */
export type ManyStreams = {
  readonly kind: 'many-streams';
  readonly target: Target;
  readonly ask: Ask;
  readonly streams: number;
  /** Stamped events of each stream. */
  readonly events: number;
  /** So many at the beginning of each are counted, but not how long they took. */
  readonly warmUpEvents: number;
};

export type Plan = ClosedLoop | LargeBeside | OpenStreams | SlowReaders | Failover | ManyStreams;

export type ClosedLoopResult = {
  readonly requests: number;
  readonly perSecond: number;
  /** Of the watched process, per request. */
  readonly cpuUsPerRequest: number;
  readonly peakRssMb: number;
  /** From the request's first byte written to the answer's last byte read, milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** To the first byte of the body, milliseconds. */
  readonly firstP50Ms: number;
  readonly firstP99Ms: number;
};

export type LargeBesideResult = {
  readonly smallRequests: number;
  readonly smallP50Ms: number;
  readonly smallLongestMs: number;
};

export type HeldResult = {
  readonly rssBeforeMb: number;
  /** The most seen while they were held, and what was there at the end of it. */
  readonly rssPeakMb: number;
  readonly rssAfterMb: number;
  readonly cpuMsPerSecondHeld: number;
};

export type FailoverResult = {
  /** Those that the first route answered. */
  readonly straightRequests: number;
  readonly straightP50Ms: number;
  readonly straightP99Ms: number;
  /** Those that it failed, and the second route answered. */
  readonly failoverRequests: number;
  readonly failoverP50Ms: number;
  readonly failoverP99Ms: number;
};

export type ManyStreamsResult = {
  readonly lost: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  /** Over all streams, from the first event that came to the last. */
  readonly eventsPerSecond: number;
  /** From an event's being written to its being read, milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the watched process, from the last stream's being open to all being ended. */
  readonly cpuUsPerEvent: number;
};

/** The result that belongs to a plan. */
export type ResultOf<P extends Plan> = P extends ClosedLoop
  ? ClosedLoopResult
  : P extends LargeBeside
    ? LargeBesideResult
    : P extends Failover
      ? FailoverResult
      : P extends ManyStreams
        ? ManyStreamsResult
        : HeldResult;
