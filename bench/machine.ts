/** What a number was measured on, since without it the number says nothing. */
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

export type Pins = {
  /** The core of the subject, and the one the mock upstream and the load generator share. */
  readonly subject: number | null;
  readonly rest: number | null;
};

export type Machine = {
  readonly date: string;
  readonly commit: string;
  readonly command: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly bun: string;
  readonly node: string;
  readonly pinned: boolean;
};

/** One core for the subject and one for all else, where the system can pin and has two. */
export function choosePins(): Pins {
  const can = Bun.which('taskset') !== null && cpus().length >= 2;
  return can ? { subject: 0, rest: 1 } : { subject: null, rest: null };
}

export function describeMachine(command: string, date: string, pins: Pins): Machine {
  return {
    date,
    commit: commitOf(join(import.meta.dir, '..')),
    command,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    kernel: release(),
    bun: Bun.version,
    node: output(['node', '--version']) ?? 'none',
    pinned: pins.subject !== null,
  };
}

/** The commit, with a mark when files differ from it: a number must name the code it belongs to. */
function commitOf(folder: string): string {
  const commit = output(['git', '-C', folder, 'rev-parse', '--short', 'HEAD']);
  if (commit === null) return 'unknown';
  const changes = output(['git', '-C', folder, 'status', '--porcelain', '--', 'src', 'bin']);
  return changes === '' ? commit : `${commit} with changes`;
}

function output(argv: readonly string[]): string | null {
  if (Bun.which(argv[0] ?? '') === null) return null;
  const ran = Bun.spawnSync([...argv], { stderr: 'ignore' });
  return ran.success ? ran.stdout.toString().trim() : null;
}
