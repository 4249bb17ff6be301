/** What the load generator is told, and what it answers: one plan on its standard input, one result out. */

/** Where to send requests, and whose cost to watch meanwhile (null for the mock upstream itself). */
export type Target = {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly watchPid: number | null;
};

/** A chat request; its answer must be a 200 with exactly this many events (0 for JSON). */
export type Ask = {
  readonly model: string;
  readonly stream: boolean;
  /** Bytes of text in the one user message. */
  readonly promptBytes: number;
  readonly expectEvents: number;
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

export type Plan = ClosedLoop | LargeBeside | OpenStreams | SlowReaders;

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

/** The result that belongs to a plan. */
export type ResultOf<P extends Plan> = P extends ClosedLoop
  ? ClosedLoopResult
  : P extends LargeBeside
    ? LargeBesideResult
    : HeldResult;
