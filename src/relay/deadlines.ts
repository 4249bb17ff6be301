import type { Timeouts } from '../catalogue/catalogue.ts';

/** How long each part of a request may take, milliseconds. */
export type Deadlines = {
  /** From the request to the status line, and from there to the first event. */
  readonly firstByteTimeoutMs: number;
  /** Silence of the upstream within its answer. */
  readonly idleTimeoutMs: number;
  /** The whole request. */
  readonly totalTimeoutMs: number;
};

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
