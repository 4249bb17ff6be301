/**
 * `npm run bench:console`: measures how fast the console's pages appear on a phone. Also measures
 * the longest main-thread task of each step of a person's work, in an account with a long history.
 * Prints JSON lines and, with `--write`, adds the figures to the history and to docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../src/clock.ts';
import { openInstallation } from '../../test/browser/support/installation.ts';
import { MEASURED_PAGES, measurePage, type PageFigures } from './measure-page.ts';
import { measureSteps, type StepFigures } from './measure-tasks.ts';
import {
  readPhoneHistory,
  withPhoneEntry,
  writePhoneHistory,
  writtenInto,
} from './phone-report.ts';

const ROOT = join(import.meta.dir, '../..');
const REPORT = join(ROOT, 'docs/benchmarks.md');
/** The history with which pages are measured: five weeks, so that tables and charts have rows. */
const PAST = { requests: 3_000, days: 36, seed: 3, credit: '230 USD' };

/**
 * The history with which tasks are measured: the requests of a busy account in a quarter, and
 * almost as many keys as an account may have.
 */
const LONG_PAST = { requests: 100_000, days: 80, seed: 11, idleKeys: 990 };

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, write: { type: 'boolean', default: false } },
});

const pages: Record<string, PageFigures> = {};
{
  await using installation = await openInstallation({ past: PAST, isMeasured: true });
  for (const [name, page] of Object.entries(MEASURED_PAGES)) {
    const figures = await measurePage(installation, page, Number(values.runs));
    pages[name] = figures;
    console.log(JSON.stringify({ page: name, ...figures }));
  }
}
let steps: StepFigures;
{
  await using installation = await openInstallation({ past: LONG_PAST, isMeasured: true });
  steps = await measureSteps(installation, Number(values.runs));
  console.log(JSON.stringify({ steps }));
}
if (values.write) {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: ROOT });
  const history = withPhoneEntry(readPhoneHistory(), {
    commit: commit.toString().trim(),
    date: new Date(systemClock.nowMs()).toISOString().slice(0, 10),
    ...{ pages, steps },
  });
  writePhoneHistory(history);
  writeFileSync(REPORT, writtenInto(readFileSync(REPORT, 'utf8'), history));
}
