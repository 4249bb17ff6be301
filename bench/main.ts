/**
 * `npm run bench`: measures Modelgate beside a bare relay and a peer in interleaved rounds. Prints
 * JSON lines: the machine, a row for each measure, subject and round, and a line for each budget.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../src/clock.ts';
import { openFileLimit } from './children.ts';
import { benchLedger } from './ledger.ts';
import { choosePins, describeMachine } from './machine.ts';
import { checkStreams, type Options, parseOptions, USAGE } from './options.ts';
import { installPortkey } from './portkey.ts';
import { renderReport } from './report.ts';
import { runRound } from './round.ts';
import { judge, type Row, summarize } from './summary.ts';
import { benchTranslation } from './translation.ts';

const RESULTS = join(import.meta.dir, 'results');
const PAGE = join(import.meta.dir, '..', 'docs', 'benchmarks.md');

async function bench(options: Options, argv: readonly string[]): Promise<void> {
  const openFiles = openFileLimit();
  checkStreams('--streams', options.streams, openFiles);
  checkStreams('--live-streams', options.liveStreams, openFiles);
  const pins = choosePins();
  const startedAt = new Date(systemClock.nowMs()).toISOString();
  const command = ['npm run bench', ...(argv.length === 0 ? [] : ['--', ...argv])].join(' ');
  const machine = describeMachine(command, startedAt.slice(0, 10), pins);
  if (options.subjects.includes('portkey')) await installPortkey();
  const lines: string[] = [];
  const printLine = (line: object): void => {
    lines.push(JSON.stringify(line));
    console.log(lines.at(-1));
  };
  printLine({ machine });
  if (pins.subject === null) console.error('not pinned: no taskset, or one core only');
  const rows: Row[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    console.error(`round ${round} of ${options.rounds}`);
    await runRound({ ...options, round, pins }, (row) => {
      rows.push(row);
      printLine(row);
    });
  }
  const summaries = summarize(options.measures, options.subjects, rows);
  for (const { measure, figure, atMost, reached, met } of judge(summaries)) {
    const { label, unit } = figure;
    printLine({ budget: measure.name, label, unit, atMost, reached, met });
  }
  if (options.write) {
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(join(RESULTS, `${machine.date}.jsonl`), `${lines.join('\n')}\n`);
    writeFileSync(PAGE, renderReport({ ...options, machine, summaries }));
  }
  if (rows.some((row) => 'failure' in row)) process.exitCode = 1;
}

/** Ends the children whenever this process exits. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const argv = Bun.argv.slice(2);
try {
  if (argv[0] === 'ledger') await benchLedger(argv.slice(1));
  else if (argv[0] === 'translation') benchTranslation();
  else {
    const options = parseOptions(argv);
    if (options === 'help') console.log(USAGE);
    else await bench(options, argv);
  }
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 2;
}
