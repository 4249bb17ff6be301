/**
 * `npm run bench`: measures Modelgate beside a bare relay, other gateways or another commit in
 * interleaved rounds. Prints JSON lines: the machine, a row for each measure, subject and round,
 * and a line for each budget or change.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundle } from '../bin/bundle.ts';
import { systemClock } from '../src/clock.ts';
import { BUDGETS } from './budgets.ts';
import { openFileLimit } from './children.ts';
import { type CheckedOut, changesOf, checkOut } from './compare.ts';
import { benchConfigChange } from './config-change/config-change.ts';
import { readPhoneHistory, writtenInto } from './console/phone-report.ts';
import { reachedOf, readHistory, withEntry, writeHistory } from './history.ts';
import { benchLedger } from './ledger.ts';
import { choosePins, describeMachine, type Machine } from './machine.ts';
import { benchNodes } from './nodes.ts';
import { checkStreams, type Options, parseOptions, USAGE } from './options.ts';
import { installPeer, isPeer } from './peers.ts';
import { renderReport } from './report.ts';
import { runRound } from './round.ts';
import { judge, type MeasureSummary, type Row, summarize } from './summary.ts';
import { benchTranslation } from './translation.ts';

const PAGE = join(import.meta.dir, '..', 'docs', 'benchmarks.md');

const printLine = (line: object): void => console.log(JSON.stringify(line));

/** Runs the benchmark and resolves with the exit code. */
async function bench(options: Options, argv: readonly string[]): Promise<number> {
  const openFiles = openFileLimit();
  checkStreams('--streams', options.streams, openFiles);
  checkStreams('--live-streams', options.liveStreams, openFiles);
  const startedAt = new Date(systemClock.nowMs()).toISOString();
  const command = ['npm run bench', ...(argv.length === 0 ? [] : ['--', ...argv])].join(' ');
  const machine = describeMachine(command, startedAt.slice(0, 10), choosePins());
  if (options.write && machine.hasChanges) {
    throw new Error(
      '--write records the figures of a commit: commit the changes in src and bin first',
    );
  }
  for (const peer of options.subjects.filter(isPeer)) await installPeer(peer);
  await buildBundle();
  const base = options.compare === null ? null : checkOut(options.compare);
  try {
    printLine({ machine, ...(base === null ? {} : { base: base.commit }) });
    if (machine.pins.subject === null)
      console.error('no process is pinned to a core: no taskset, or only one core');
    const rows = await runRounds(options, machine, base);
    const summaries = summarize(options.measures, rows);
    if (base === null) reportBudgets(options, machine, summaries);
    const isWorse = base !== null && reportChanges(summaries);
    return isWorse || rows.some((row) => 'failure' in row) ? 1 : 0;
  } finally {
    base?.remove();
  }
}

async function runRounds(
  options: Options,
  { pins }: Machine,
  base: CheckedOut | null,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    console.error(`round ${round} of ${options.rounds}`);
    await runRound({ ...options, round, pins, baseFolder: base?.folder ?? null }, (row) => {
      rows.push(row);
      printLine(row);
    });
  }
  return rows;
}

/**
 * Prints the budgets and, on request, writes docs/benchmarks.md. A missed budget is not an error.
 */
function reportBudgets(
  options: Options,
  machine: Machine,
  summaries: readonly MeasureSummary[],
): void {
  const results = judge(BUDGETS, summaries, options);
  for (const { measure, figure, limit, reached, met } of results) {
    const own = reached.get('modelgate') ?? null;
    printLine({ budget: measure.name, label: figure.label, limit, reached: own, met });
  }
  if (options.write) {
    const { commit, date, cpu } = machine;
    const { rounds, scale } = options;
    const entry = { commit, date, cpu, rounds, scale, reached: reachedOf(results) };
    const history = withEntry(readHistory(), entry);
    writeHistory(history);
    const report = renderReport({ ...options, machine, summaries, results, history });
    writeFileSync(PAGE, writtenInto(report, readPhoneHistory()));
  }
}

/** Prints the changes since the compared commit. @returns whether any figure became worse. */
function reportChanges(summaries: readonly MeasureSummary[]): boolean {
  const changes = changesOf(summaries);
  for (const { measure, figure, times, isWorse } of changes) {
    printLine({ change: measure.name, label: figure.label, times, isWorse });
  }
  return changes.some(({ isWorse }) => isWorse);
}

/**
 * On SIGINT and SIGTERM, the process exits through `process.exit`, whose handlers end the children.
 */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const argv = Bun.argv.slice(2);
try {
  if (argv[0] === 'ledger') await benchLedger(argv.slice(1));
  else if (argv[0] === 'nodes') await benchNodes(argv.slice(1));
  else if (argv[0] === 'translation') benchTranslation();
  else if (argv[0] === 'config-change') {
    await buildBundle();
    await benchConfigChange(argv.slice(1));
  } else {
    const options = parseOptions(argv);
    if (options === 'help') console.log(USAGE);
    else process.exitCode = await bench(options, argv);
  }
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 2;
}
