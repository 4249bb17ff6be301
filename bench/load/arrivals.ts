/**
 * The arrivals of requests in an open loop. Pure: the same rate and duration give the same
 * arrivals.
 */

/** The resolution of timers in milliseconds. Every arrival falls on a multiple of it. */
export const TICK_MS = 1;

/**
 * Returns the ticks at which requests arrive at random (a Poisson process). The arrivals are
 * independent, like the requests of many callers. Every measured gateway gets the same ticks.
 * @returns ascending ticks, at least one; several requests may share a tick.
 */
export function arrivalTicks(perSecond: number, durationMs: number): Uint32Array {
  const random = seeded();
  const ticks: number[] = [];
  const meanGapMs = 1000 / perSecond;
  let atMs = 0;
  do {
    atMs += -Math.log(1 - random()) * meanGapMs;
    ticks.push(Math.ceil(atMs / TICK_MS));
  } while (atMs < durationMs);
  return Uint32Array.from(ticks);
}

/**
 * Returns a generator of random numbers from 0 to below 1, which are the same in every run. It is a
 * linear congruential generator, whose high bits are random enough here.
 */
function seeded(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
