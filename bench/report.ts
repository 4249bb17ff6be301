/** Renders docs/benchmarks.md from one run's summaries. Pure: the same run yields the same page. */
import type { Machine, Pins } from './machine.ts';
import type { Figure } from './measures/measure.ts';
import type { Spread } from './spread.ts';
import type { SubjectName } from './subjects.ts';
import { type BudgetResult, judge, type MeasureSummary, type SubjectFigure } from './summary.ts';

export type Run = {
  readonly machine: Machine;
  readonly rounds: number;
  /** 1 for windows of full length. */
  readonly scale: number;
  readonly subjects: readonly SubjectName[];
  readonly summaries: readonly MeasureSummary[];
};

const SUBJECT_TITLES: Readonly<Record<SubjectName, string>> = {
  direct: 'direct',
  'bare-relay': 'bare relay',
  modelgate: 'Modelgate',
  portkey: 'Portkey',
};

export function renderReport(run: Run): string {
  return [
    '# Benchmarks',
    'The benchmark writes this page. Change `bench/report.ts` instead.',
    renderMachine(run),
    '## The budget',
    'Modelgate runs with everything enabled: key check, balance, a durable hold and settlement for ' +
      'every request, metering, logs. Each budget is judged by the median of the rounds. ' +
      '[Where the time goes](where-the-time-goes.md) explains each missed budget.',
    renderBudget(judge(run.summaries)),
    '## The measures',
    'A cell has the median of the rounds and, in brackets, minimum and maximum. "Ratio" is the ' +
      "subject's figure divided by Modelgate's in the same round. On a busy machine, compare ratios " +
      'and CPU, not times.',
    ...run.summaries.map((summary) => renderMeasure(summary, run.subjects)),
    METHOD,
    '',
  ].join('\n\n');
}

const METHOD = [
  '## Method',
  '- `direct` has no gateway. `bare relay` (`bench/bare-relay.ts`) only forwards, on the same runtime. ' +
    'Portkey is the npm package `@portkey-ai/gateway` on Node, without key check and billing.',
  '- Each round starts every subject and the mock upstream, and ends them afterwards. Within a round, ' +
    'each measure runs on one subject after another. Each round starts with a different subject.',
  '- The mock upstream and the load generator are separate processes that use raw sockets and prepared ' +
    'answers. The status and the number of events of every answer are checked.',
  '- In `many-streams`, each event carries its number and the time of its write, from a clock that the ' +
    'processes share. All streams start together. The mock keeps its interval even if the reader is ' +
    'slow, so the delay from write to read includes all waiting.',
  '- CPU is the kernel time of all threads of the subject and its children, from the first measured ' +
    'request to 60 ms after the last answer, which includes deferred work. Memory is the peak of ' +
    'resident memory.',
  '- All traffic stays on the loopback. `npm run bench` prints the raw rows as JSON lines.',
  '- `npm run bench -- ledger` measures the ledger alone, in SQLite or PostgreSQL. Its results are in ' +
    '[where the time goes](where-the-time-goes.md).',
].join('\n');

function renderMachine({ machine, rounds, scale }: Run): string {
  const windows = scale === 1 ? '' : `, windows at ${scale} of their full length`;
  return [
    '| | |',
    '|---|---|',
    `| Date | ${machine.date} |`,
    `| Commit | ${machine.commit} |`,
    `| Command | \`${machine.command}\` |`,
    `| Machine | ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Linux ${machine.kernel} |`,
    `| Runtimes | Bun ${machine.bun}; Node ${machine.node} (Portkey only) |`,
    `| Cores | ${placed(machine.pins)} |`,
    `| Rounds | ${rounds}${windows} |`,
  ].join('\n');
}

function placed({ subject, mock, load }: Pins): string {
  if (subject === null) {
    return '**not pinned** (no `taskset`, or one core only): CPU figures are reliable, latencies are rough';
  }
  const rest =
    mock === load
      ? `mock upstream and load generator on core ${mock}`
      : `mock upstream on core ${mock}, load generator on core ${load}`;
  return `subject on core ${subject}, ${rest}`;
}

function renderBudget(results: readonly BudgetResult[]): string {
  const rows = results.map(({ measure, figure, atMost, reached, met }) => {
    const answer = met === null ? 'not measured' : met ? 'yes' : `**no**, ${over(reached, atMost)}`;
    const value = reached === null ? '' : cell(reached, figure);
    return `| ${measure.name}: ${figure.label} | ${atMost} ${figure.unit} | ${value} | ${answer} |`;
  });
  return ['| Figure | At most | Reached | Met |', '|---|---|---|---|', ...rows].join('\n');
}

function over(reached: Spread | null, atMost: number): string {
  if (reached === null) return '';
  return atMost === 0 ? 'not zero' : `${digits(reached.median / atMost)} times the budget`;
}

function renderMeasure(summary: MeasureSummary, subjects: readonly SubjectName[]): string {
  const { measure, figures, failures } = summary;
  const others = subjects.filter((subject) => subject !== 'modelgate' && subject !== 'direct');
  const heads = [
    'Figure',
    ...subjects.map((subject) => SUBJECT_TITLES[subject]),
    ...others.map((subject) => `Ratio ${SUBJECT_TITLES[subject]}`),
  ];
  const rows = figures.map(({ figure, bySubject }) => [
    `${figure.label}, ${figure.unit}`,
    ...subjects.map((subject) => valueCell(bySubject.get(subject), figure)),
    ...others.map((subject) => ratioCell(bySubject.get(subject))),
  ]);
  const table = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [
    `### ${measure.name}`,
    `**${measure.question}**`,
    `Expected: ${measure.sketch}`,
    table.join('\n'),
    ...(failures.length === 0
      ? []
      : [failures.map((failure) => `- Failed: ${oneLine(failure)}`).join('\n')]),
  ].join('\n\n');
}

const valueCell = (found: SubjectFigure | undefined, figure: Figure): string =>
  found === undefined ? '' : cell(found.values, figure);

function ratioCell(found: SubjectFigure | undefined): string {
  const times = found?.timesModelgate ?? null;
  if (times === null) return '';
  return `${digits(times.median)} (${digits(times.least)} to ${digits(times.most)})`;
}

function cell({ median, least, most }: Spread, figure: Figure): string {
  // Counts have no decimals; other values get three significant digits.
  const isCount = figure.unit === 'streams' || figure.unit === 'events';
  const show = isCount ? String : digits;
  return `${show(median)} (${show(least)} to ${show(most)})`;
}

/** Three significant digits, or the integer part if that is longer. */
function digits(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 300);
