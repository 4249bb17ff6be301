/** Runs long computations in steps, so that the event loop can serve requests between them. */
import type { Clock } from '../../clock.ts';

/** A computation that can be suspended at each `yield`. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/**
 * How long steps run before other work of the event loop runs. Garbage collection may extend this
 * time.
 */
const SLICE_MS = 2;

/** Runs all steps without a pause and returns the result. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Runs the steps in slices of about `SLICE_MS`. Between two slices, the event loop can run other
 * work.
 */
export async function inSlices<Result>(
  steps: Steps<Result>,
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
): Promise<Result> {
  let untilMs = clock.monotonicMs() + SLICE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (clock.monotonicMs() < untilMs) continue;
    await clock.sleep(0);
    untilMs = clock.monotonicMs() + SLICE_MS;
  }
}
