/** Measures CPU and memory of a process during an interval. */
import { systemClock } from '../../src/clock.ts';
import { cpuBetweenMs, processTree, readCpu, readRssBytes } from '../process-cost.ts';

/**
 * How long to watch a process after the last answer, so that the cost of deferred work, such as the
 * settlement, is measured too.
 */
export const AFTERWORK_MS = 60;
const RSS_EVERY_MS = 50;
const MB = 1024 * 1024;

export type Cost = {
  readonly cpuMs: number;
  readonly peakRssMb: number;
  readonly endRssMb: number;
};

export type Watch = { readonly end: () => Cost };

/**
 * Measures CPU and memory of a process from now until `end` is called. Returns zeros for a null
 * pid.
 */
export function watchProcess(pid: number | null): Watch {
  if (pid === null) return { end: () => ({ cpuMs: 0, peakRssMb: 0, endRssMb: 0 }) };
  const pids = processTree(pid);
  let last = readRssBytes(pids);
  let peak = last;
  const look = (): void => {
    last = readRssBytes(pids);
    peak = Math.max(peak, last);
  };
  const timer = systemClock.every(RSS_EVERY_MS, look);
  const before = readCpu(pid);
  const end: Watch['end'] = () => {
    timer.cancel();
    const cpuMs = cpuBetweenMs(before, readCpu(pid));
    look();
    return { cpuMs, peakRssMb: peak / MB, endRssMb: last / MB };
  };
  return { end };
}
