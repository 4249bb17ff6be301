/** Describes the machine of a run, because figures depend on the machine. */
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

/** The core to which each process is pinned; null leaves the choice to the scheduler. */
export type Pins = {
  readonly subject: number | null;
  readonly mock: number | null;
  readonly load: number | null;
};

export type Machine = {
  readonly date: string;
  readonly commit: string;
  /**
   * Whether the measured code has uncommitted changes. If so, the commit does not identify the
   * measured code.
   */
  readonly hasChanges: boolean;
  readonly command: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly bun: string;
  readonly node: string;
  readonly pins: Pins;
};

/**
 * Chooses a core for each of the subject, the mock upstream and the load generator, if processes
 * can be pinned. On a machine with two cores, the mock upstream and the load generator share one.
 */
export function choosePins(cores = cpus().length, canPin = Bun.which('taskset') !== null): Pins {
  if (!canPin || cores < 2) return { subject: null, mock: null, load: null };
  return { subject: 0, mock: 1, load: cores < 3 ? 1 : 2 };
}

export function describeMachine(command: string, date: string, pins: Pins): Machine {
  return {
    date,
    commit: git('rev-parse', '--short', 'HEAD') ?? 'unknown',
    hasChanges: git('status', '--porcelain', '--', 'src', 'bin') !== '',
    command,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    kernel: release(),
    bun: Bun.version,
    node: output(['node', '--version']) ?? 'none',
    pins,
  };
}

const git = (...argv: readonly string[]): string | null =>
  output(['git', '-C', join(import.meta.dir, '..'), ...argv]);

function output(argv: readonly string[]): string | null {
  if (Bun.which(argv[0] ?? '') === null) return null;
  const ran = Bun.spawnSync([...argv], { stderr: 'ignore' });
  return ran.success ? ran.stdout.toString().trim() : null;
}
