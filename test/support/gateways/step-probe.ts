/**
 * For tests: a script that a gateway loads before its own code (`--preload`). It measures the CPU
 * time of each step of the main thread's event loop, and appends the times above 3 ms to a file.
 */
import { appendFileSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LEAST_MS = 3;

function probe(file: string): void {
  const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(64);
  const cpuMs = (): number =>
    Number(bytes.toString('latin1', 0, readSync(schedule, bytes, 0, 64, 0)).split(' ')[0]) / 1e6;
  let last = cpuMs();
  const step = (): void => {
    const ms = cpuMs() - last;
    if (ms > LEAST_MS) appendFileSync(file, `${ms.toFixed(1)}\n`);
    last = cpuMs();
    setImmediate(step);
  };
  setImmediate(step);
}

const file = process.env['STEP_PROBE_FILE'];
if (isMainThread && file !== undefined) probe(file);
