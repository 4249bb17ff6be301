/**
 * The arrivals of requests in an open loop. Pure: the same rate and duration give the same
 * arrivals.
 */

/** The resolution of timers in milliseconds. Every arrival falls on a multiple of it. */
export const TICK_MS = 1;

/**
 * Returns the ticks of random arrivals (a Poisson process). The arrivals are independent of each
 * other, like the requests of many callers, so several may coincide. Every subject gets the same
 * ticks.
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
 * Returns a generator of the same random numbers, from 0 to below 1, in every run. It is a linear
 * congruential generator, whose high bits are random enough here.
 */
function seeded(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
