/**
 * Opens the outputs of the logs. A write to a pipe that nobody reads blocks a thread of the
 * runtime's small pool, which also does DNS lookups and file reads. Two such writes can stall it.
 */
import { constants, fstatSync, openSync } from 'node:fs';

/**
 * A non-blocking descriptor for the same output: writing to a full pipe fails with `EAGAIN`. Only
 * this descriptor changes, because other processes may share the pipe.
 *
 * @returns the same descriptor if it is not a pipe, or cannot be reopened (no /proc, or no reader).
 */
export function outputPipe(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}
