/**
 * Reads the CPU time (over all threads) and the memory of a process and its children from /proc.
 */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Linux reports `utime` and `stime` in hundredths of a second on every platform that Bun supports.
 */
const TICK_MS = 10;

export type CpuReading = {
  /**
   * CPU nanoseconds by thread (`pid/tid`). The values are exact, but the value of a thread that has
   * ended is lost.
   */
  readonly threads: ReadonlyMap<string, number>;
  /**
   * CPU milliseconds of whole processes, rounded to ticks. They include ended threads and child
   * processes that have ended.
   */
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

/** Returns the CPU milliseconds between two readings of the same process. */
export function cpuBetweenMs(before: CpuReading, after: CpuReading): number {
  let exactNs = 0;
  for (const [thread, runtime] of after.threads)
    exactNs += runtime - (before.threads.get(thread) ?? 0);
  const exactMs = exactNs / 1e6;
  const wholeMs = after.wholeMs - before.wholeMs;
  // Rounding explains a difference of up to two ticks. A larger difference means that a thread has
  // ended and its exact value is lost, so only the total of the processes is correct.
  return wholeMs - exactMs > 2 * TICK_MS ? wholeMs : exactMs;
}

/**
 * Returns the resident memory of the processes in bytes. Takes a list of pids, because finding them
 * for each sample would cost too much.
 */
export function readRssBytes(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const each of pids) {
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readText(`/proc/${each}/status`))?.[1] ?? 0);
  }
  return kilobytes * 1024;
}

/** Returns the pids of the process and all its descendants, with its own pid first. */
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

/**
 * Returns the fields of /proc/PID/stat that follow the command's name: state, parent, and so on.
 * The name may contain spaces, so the fields start after its closing parenthesis.
 */
function statFields(pid: number): readonly string[] {
  const text = readText(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Reads a file of /proc. Returns '' if the process ended after it was listed. */
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
