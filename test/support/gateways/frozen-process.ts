/** For tests: pauses and resumes a process and its children. */
import { execFileSync } from 'node:child_process';

/**
 * Pauses the process and its children, so that they neither answer nor close connections.
 * @returns a function that resumes these processes.
 */
export function freeze(pid: number): () => void {
  const stopped: number[] = [];
  // Pauses the parent first, so that it cannot start more children.
  for (const each of [pid, ...childrenOf(pid)]) {
    process.kill(each, 'SIGSTOP');
    stopped.push(each);
  }
  return () => {
    for (const each of stopped) process.kill(each, 'SIGCONT');
  };
}

function childrenOf(pid: number): readonly number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return child !== undefined && parent === pid ? [child] : [];
  });
}

/** Returns the resident memory of a process, in MiB. */
export const residentMiB = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
