/** For tests: the memory of a process in MiB, as the kernel counts it. */
import { readFileSync, writeFileSync } from 'node:fs';

const MIB = 1024 * 1024;

export const residentMib = (pid: number): number => figure(pid, 'VmRSS');
/** Returns the peak memory in MiB since the process started or `forgetPeak` was last called. */
export const peakMib = (pid: number): number => figure(pid, 'VmHWM');
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

function figure(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (found === undefined) throw new Error(`no ${name} in the status of ${pid}`);
  return (Number(found) * 1024) / MIB;
}
