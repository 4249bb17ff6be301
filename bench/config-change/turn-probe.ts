/**
 * Records the longest turns of a gateway's event loop, in elapsed time and in CPU time of the main
 * thread. Both are recorded, because other processes of the machine lengthen only the elapsed time.
 * The probe is loaded into the measured gateway before the gateway's own code.
 */
import { openSync, readSync, renameSync, writeFileSync } from 'node:fs';

/**
 * The environment variable with the path of the output file. On each SIGUSR2, the probe writes the
 * longest turns since the previous signal to this file.
 */
export const TURNS_FILE = 'TURNS_FILE';
/**
 * The longest CPU time and the longest elapsed time of a turn. The two may come from different
 * turns.
 */
export type Turns = { readonly cpuMs: number; readonly tookMs: number };

const PERIOD_MS = 1;
const NANOS = 1e6;

const file = process.env[TURNS_FILE];
if (Bun.isMainThread && file !== undefined) probe(file);

function probe(into: string): void {
  const stat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(64);
  const cpuMs = (): number =>
    Number.parseInt(bytes.toString('latin1', 0, readSync(stat, bytes, 0, bytes.length, 0)), 10) /
    NANOS;
  let [cpu, time] = [cpuMs(), performance.now()];
  let longest: Turns = { cpuMs: 0, tookMs: 0 };
  setInterval(() => {
    const [nextCpu, nextTime] = [cpuMs(), performance.now()];
    longest = {
      cpuMs: Math.max(longest.cpuMs, nextCpu - cpu),
      tookMs: Math.max(longest.tookMs, nextTime - time),
    };
    [cpu, time] = [nextCpu, nextTime];
  }, PERIOD_MS).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(`${into}.new`, JSON.stringify(longest));
    renameSync(`${into}.new`, into);
    longest = { cpuMs: 0, tookMs: 0 };
  });
}
