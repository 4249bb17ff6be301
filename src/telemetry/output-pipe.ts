/**
 * Where the logs are written. A pipe that nobody reads holds up whoever writes to it: on a thread that the
 * runtime has few of, and looks up names and reads files with. Two such writes stop it on a small machine.
 */
import { constants, fstatSync, openSync } from 'node:fs';

/**
 * A descriptor for the same output, on which a full pipe is an error (`EAGAIN`) instead of a wait. Only
 * ours becomes so: whoever shares the pipe with us would not expect it.
 *
 * @returns the same one for what is no pipe, or cannot be opened again: a machine without /proc, a pipe
 *   whose reader is gone.
 */
export function outputPipe(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}
