import type { Clock } from '../clock.ts';

const RESOLUTION = 2 ** 16;

/** A number in [0, 1) for choosing among routes. */
export function chance(clock: Pick<Clock, 'randomBytes'>): number {
  const [high = 0, low = 0] = clock.randomBytes(2);
  return (high * 256 + low) / RESOLUTION;
}
