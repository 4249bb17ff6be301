import type { Timeouts } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { StreamLimits } from './stream-relay.ts';

/** How long each part of a request may take, milliseconds. */
export type Deadlines = {
  /** From the request to the status line, and from there to the first event. */
  readonly firstByteTimeoutMs: number;
  /** Silence of the upstream within its answer. */
  readonly idleTimeoutMs: number;
  /** The whole request. */
  readonly totalTimeoutMs: number;
};

export type RelayLimits = StreamLimits & {
  /** How long an upstream may take to its status line, and from there to the first event. */
  readonly firstByteTimeoutMs: number;
  /** How long the 200 is held back for a first event, so that early failures become HTTP errors. */
  readonly firstEventHoldMs: number;
  /** An answer in one piece may be this long. */
  readonly maxAnswerBytes: number;
  /** One event of a stream may be this long. */
  readonly maxEventBytes: number;
};

/** The request as a whole ran out of time, which says nothing about the route that happened to serve it. */
export class TookTooLong extends GatewayError {
  constructor() {
    super('upstream_timeout', 'The answer took longer than the gateway allows.');
  }
}

/** The gateway's limits, with those of the model in their place where it has its own. */
export const deadlinesFor = <Limits extends Deadlines>(
  limits: Limits,
  { firstByteMs, idleMs, totalMs }: Timeouts,
): Limits => ({
  ...limits,
  firstByteTimeoutMs: firstByteMs ?? limits.firstByteTimeoutMs,
  idleTimeoutMs: idleMs ?? limits.idleTimeoutMs,
  totalTimeoutMs: totalMs ?? limits.totalTimeoutMs,
});
