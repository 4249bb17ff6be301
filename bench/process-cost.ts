/** What a process and its children cost, from /proc: CPU time over all threads, and memory. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts `utime` and `stime` in hundredths of a second on every platform Bun runs on. */
const TICK_MS = 10;

export type CpuReading = {
  /** CPU nanoseconds by thread, as `pid/tid`. Exact, but a thread that ends takes its count along. */
  readonly threads: ReadonlyMap<string, number>;
  /** CPU milliseconds of the processes whole, ended threads and reaped children too, in ticks. */
  readonly wholeMs: number;
};

export function readCpu(root: number): CpuReading {
  const threads = new Map<string, number>();
  let wholeMs = 0;
  for (const each of processTree(root)) {
    const [utime, stime, cutime, cstime] = statFields(each).slice(11, 15).map(Number);
    wholeMs += ((utime ?? 0) + (stime ?? 0) + (cutime ?? 0) + (cstime ?? 0)) * TICK_MS;
    for (const tid of readdirSync(`/proc/${each}/task`)) {
      const runtime = readText(`/proc/${each}/task/${tid}/schedstat`).split(' ')[0];
      threads.set(`${each}/${tid}`, Number(runtime ?? 0));
    }
  }
  return { threads, wholeMs };
}

/** CPU milliseconds between two readings of the same process. */
export function cpuBetweenMs(before: CpuReading, after: CpuReading): number {
  let exactNs = 0;
  for (const [thread, runtime] of after.threads)
    exactNs += runtime - (before.threads.get(thread) ?? 0);
  const exactMs = exactNs / 1e6;
  const wholeMs = after.wholeMs - before.wholeMs;
  // More than the rounding of two tick counts apart: a thread ended, and only the whole count has it.
  return wholeMs - exactMs > 2 * TICK_MS ? wholeMs : exactMs;
}

/** Resident memory of the processes together, bytes. Takes a list, so that sampling it stays cheap. */
export function readRssBytes(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const each of pids) {
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readText(`/proc/${each}/status`))?.[1] ?? 0);
  }
  return kilobytes * 1024;
}

/** The process and everything it started, itself first. */
export function processTree(root: number): readonly number[] {
  const tree = [root];
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (Number.isInteger(pid)) parents.set(pid, Number(statFields(pid)[1]));
  }
  for (const pid of tree) {
    for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  }
  return tree;
}

/** The fields of /proc/PID/stat after the command's name, which may hold spaces: state, parent, ... */
function statFields(pid: number): readonly string[] {
  const text = readText(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** A process may end between being listed and being read; it then counts as nothing. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (
      thrown instanceof Error &&
      'code' in thrown &&
      (thrown.code === 'ENOENT' || thrown.code === 'ESRCH')
    ) {
      return '';
    }
    throw thrown;
  }
}
