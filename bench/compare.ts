/**
 * `--compare COMMIT`: compares Modelgate in this checkout with Modelgate at the given commit. Each
 * measure runs on both within a few minutes, because a machine's speed changes over time.
 */
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure, Measure } from './measures/measure.ts';
import type { Spread } from './spread.ts';
import { type MeasureSummary, ratioOf } from './summary.ts';

/** The comparison fails if a CPU figure grows by at least this fraction. */
const WORSE_FROM = 0.1;
/**
 * The minimum number of rounds to judge a change. Fewer rounds do not show how much the results
 * vary between rounds.
 */
export const FEWEST_ROUNDS = 3;

const ROOT = join(import.meta.dir, '..');
/** Files that Modelgate needs to start but git does not contain. */
const INSTALLED = ['node_modules', 'console/dist'] as const;

export type Change = {
  readonly measure: Measure;
  readonly figure: Figure;
  /** This checkout's figure divided by the commit's, one ratio per round. */
  readonly times: Spread;
  /**
   * Whether the figure measures CPU and became worse. Its median must have grown by at least 10 %.
   * In every round, it must have grown by at least 10 % or by half of the median's growth,
   * whichever is less. Other figures are never judged, because they depend too much on other
   * processes of the machine.
   */
  readonly isWorse: boolean;
};

export function changesOf(summaries: readonly MeasureSummary[]): readonly Change[] {
  return summaries.flatMap((summary) =>
    summary.measure.figures.flatMap((figure) => {
      const times = ratioOf(summary, figure, 'modelgate', 'base');
      if (times === null) return [];
      const isWorse = figure.of === 'cpu' && isLoss(times);
      return [{ measure: summary.measure, figure, times, isWorse }];
    }),
  );
}

function isLoss({ median, least, count }: Spread): boolean {
  const loss = median - 1;
  return (
    count >= FEWEST_ROUNDS && loss >= WORSE_FROM && least - 1 >= Math.min(WORSE_FROM, loss / 2)
  );
}

export type CheckedOut = {
  readonly folder: string;
  /** The commit's short hash. */
  readonly commit: string;
  readonly remove: () => void;
};

/**
 * Checks the commit out into a temporary folder. If its lock file is the same as in this checkout,
 * the installed packages are shared; otherwise npm installs its own.
 * @throws Error when git does not know the commit, or npm fails.
 */
export function checkOut(commit: string): CheckedOut {
  const hash = git('rev-parse', '--verify', '--short', `${commit}^{commit}`);
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-compare-'));
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  };
  // Removes the folder if this process exits before the caller has removed it.
  process.once('exit', remove);
  try {
    git('worktree', 'add', '--detach', folder, hash);
    const changed = git('diff', '--name-only', hash, '--', 'package-lock.json', 'package.json');
    if (changed === '') {
      for (const name of INSTALLED) {
        if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(folder, name));
      }
      // Older commits have no `bin/bundle.ts` and run without a bundle.
      if (existsSync(join(folder, 'bin/bundle.ts'))) run(folder, ['bin/bun', 'bin/bundle.ts']);
    } else run(folder, ['npm', 'ci', '--no-audit', '--no-fund']);
  } catch (thrown) {
    remove();
    throw thrown;
  }
  return { folder, commit: hash, remove };
}

const git = (...argv: readonly string[]): string => run(ROOT, ['git', ...argv]);

function run(cwd: string, argv: readonly string[]): string {
  const ran = Bun.spawnSync([...argv], { cwd, stdin: 'ignore' });
  if (ran.success) return ran.stdout.toString().trim();
  throw new Error(`${argv.join(' ')}: ${ran.stderr.toString().trim()}`);
}
