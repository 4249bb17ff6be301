/** docs/benchmarks.md, from one run's summaries. Pure: the same run gives the same page. */
import type { Machine, Pins } from './machine.ts';
import type { Figure } from './measures/measure.ts';
import type { Spread } from './spread.ts';
import type { SubjectName } from './subjects.ts';
import { judge, type MeasureSummary, type SubjectFigure, type Verdict } from './summary.ts';

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
    'This page is written by the benchmark itself; change `bench/report.ts`, not the page.',
    renderMachine(run),
    '## The budget',
    'Modelgate runs with everything on: key check, balance, a durable hold and settlement for every ' +
      'request, metering, logs. Each budget is judged by the median of the rounds. What stands behind a ' +
      'missed one: [where the time goes](where-the-time-goes.md).',
    renderBudget(judge(run.summaries)),
    '## The measures',
    'Cells are the median of the rounds and, in brackets, the least and the most. "Ratio" is the ' +
      "subject's figure by Modelgate's of the same round: on a machine that is not quiet, compare " +
      'ratios and CPU, not seconds.',
    ...run.summaries.map((summary) => renderMeasure(summary, run.subjects)),
    HOW_IT_IS_MEASURED,
    '',
  ].join('\n\n');
}

const HOW_IT_IS_MEASURED = [
  '## How it is measured',
  '- `direct` has no gateway; `bare relay` (`bench/bare-relay.ts`) forwards on the same runtime and does ' +
    'nothing else; Portkey is the npm package `@portkey-ai/gateway` on Node with no key check and no billing.',
  '- Each round starts every subject and the mock upstream afresh and ends them; within a round a measure ' +
    'is run on one subject after another, and each round begins with another subject.',
  '- The mock upstream and the load generator are processes of their own over raw sockets with answers ' +
    'made beforehand. Every answer is checked: status, and number of events.',
  '- In `many-streams` each event carries its number and the time at which the mock wrote it, by a clock ' +
    'that the processes share. All streams begin together; the mock keeps to its beat whatever the reader ' +
    'does, and the delay of an event is from its writing to its reading, with all its waiting between.',
  "- CPU is the kernel's count over all threads of the subject, and of its children, from the first " +
    'measured request to 60 ms after the last answer, so that deferred work is in it. Memory is resident ' +
    'memory, the most seen.',
  '- All traffic stays on the loopback. The raw rows are what `npm run bench` prints as JSON lines.',
  '- The books by themselves, in SQLite or PostgreSQL: `npm run bench -- ledger`; what was found is in ' +
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
    return '**not pinned** (no `taskset`, or one core only): CPU figures hold, latencies are rough';
  }
  const rest =
    mock === load
      ? `mock upstream and load generator on core ${mock}`
      : `mock upstream on core ${mock}, load generator on core ${load}`;
  return `subject on core ${subject}, ${rest}`;
}

function renderBudget(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ measure, figure, atMost, reached, met }) => {
    const answer = met === null ? 'not measured' : met ? 'yes' : `**no**, ${over(reached, atMost)}`;
    const value = reached === null ? '' : cell(reached, figure);
    return `| ${measure.name}: ${figure.label} | ${atMost} ${figure.unit} | ${value} | ${answer} |`;
  });
  return ['| Figure | At most | Reached | Met |', '|---|---|---|---|', ...rows].join('\n');
}

function over(reached: Spread | null, atMost: number): string {
  if (reached === null) return '';
  return atMost === 0 ? 'there are some' : `${digits(reached.median / atMost)} times the budget`;
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
  // A whole count has no digits after the point; the rest gets three that mean something.
  const isCount = figure.unit === 'streams' || figure.unit === 'events';
  const show = isCount ? String : digits;
  return `${show(median)} (${show(least)} to ${show(most)})`;
}

/** Three significant digits, and no more than the number itself has before its point. */
function digits(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 300);
