/**
 * Renders docs/benchmarks.md from a run and the history. Pure: the same input gives the same page.
 */
import type { Limit } from './budgets.ts';
import { entryKey, type History } from './history.ts';
import type { Machine, Pins } from './machine.ts';
import type { Figure } from './measures/measure.ts';
import { isPeer, PEER_VERSIONS } from './peers.ts';
import type { Spread } from './spread.ts';
import type { SubjectName } from './subjects.ts';
import { type BudgetResult, type MeasureSummary, ratioOf, valuesOf } from './summary.ts';

export type Run = {
  readonly machine: Machine;
  readonly rounds: number;
  /** The factor by which all measured periods are multiplied; 1 for a full run. */
  readonly scale: number;
  readonly subjects: readonly SubjectName[];
  readonly summaries: readonly MeasureSummary[];
  readonly results: readonly BudgetResult[];
  /** The history, including this run. */
  readonly history: History;
};

/** The number of columns in the table of the history. Each column is a commit, newest first. */
const HISTORY_COLUMNS = 8;

const TITLES: Readonly<Record<SubjectName, string>> = {
  direct: 'direct',
  'bare-relay': 'bare relay',
  modelgate: 'Modelgate',
  base: 'compared commit',
  portkey: `Portkey ${PEER_VERSIONS.portkey}`,
  litellm: `LiteLLM ${PEER_VERSIONS.litellm}`,
};

export function renderReport(run: Run): string {
  return [
    '# Benchmarks',
    'The benchmark writes this page. Change `bench/report.ts` instead.',
    renderMachine(run),
    '## The budget',
    'Modelgate runs with everything enabled: key check, balance, a hold and a durable settlement for ' +
      'every request, metering, logs. The peers run without key check and billing. "x" is the ratio to ' +
      'the bare relay in the same round, "+" the difference. Each budget is judged by the median of the ' +
      'rounds. [Where the time goes](where-the-time-goes.md) explains each missed budget.',
    renderBudget(run),
    '## History',
    'What each commit reached, newest first. Only ratios and differences are comparable between ' +
      'machines. `npm run bench -- --compare COMMIT` compares two commits in the same minutes.',
    renderHistory(run),
    '## The measures',
    'A cell has the median of the rounds and, in brackets, minimum and maximum. The last column is ' +
      "Modelgate's figure divided by that of the bare relay in the same round. On a busy machine, " +
      'compare ratios and CPU, not times.',
    ...run.summaries.map((summary) => renderMeasure(summary, run.subjects)),
    METHOD,
    '',
  ].join('\n\n');
}

const METHOD = [
  '## Method',
  '- `direct` has no gateway. `bare relay` (`bench/bare-relay.ts`) only forwards, on the same runtime. ' +
    'The peers are the npm package `@portkey-ai/gateway` on Node and the Python package `litellm`.',
  '- Each round starts every subject and the mock upstream, and ends them afterwards. Within a round, ' +
    'each measure runs on one subject after another. Each round starts with a different subject.',
  '- After `rest` and `slow-reader`, each subject is warmed with 20,000 short requests and 6,000 streams ' +
    '(times the scale; peers for at most 30 s each), because cold windows show the compiler instead.',
  '- The mock upstream and the load generator are separate processes that use raw sockets and prepared ' +
    'answers. The status and the number of events of every answer are checked.',
  '- In `offered`, requests arrive at random times of a fixed schedule, whether or not earlier ones have ' +
    'been answered. Latency counts from the scheduled time, so it includes every queue. The load ' +
    'generator itself is up to a millisecond late, as `direct` shows.',
  '- In `many-streams`, each event carries its number and the time of its write, from a clock that the ' +
    'processes share. All streams start together. The mock keeps its interval even if the reader is ' +
    'slow, so the delay from write to read includes all waiting.',
  '- CPU is the kernel time of all threads of the subject and its children, from the first measured ' +
    'request to 60 ms after the last answer, which includes deferred work. Memory is the peak of ' +
    'resident memory.',
  '- All traffic stays on the loopback. `npm run bench` prints the raw rows as JSON lines.',
].join('\n');

function renderMachine({ machine, rounds, scale }: Run): string {
  const windows = scale === 1 ? '' : `, windows and warm-up at ${scale} of their full length`;
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

function renderBudget({ results, subjects }: Run): string {
  const peers = subjects.filter(isPeer);
  const rows = results.map((result) => {
    const { measure, figure, limit, reached } = result;
    const shown = (subject: SubjectName): string => {
      const values = reached.get(subject);
      return values === undefined ? '' : marked(limit, cell(values));
    };
    const label = `${measure.name}: ${figure.label}`;
    return [
      label,
      limitText(limit, figure),
      shown('modelgate'),
      metText(result),
      ...peers.map(shown),
    ];
  });
  return table([
    ['Figure', 'Budget', 'Reached', 'Met', ...peers.map((peer) => TITLES[peer])],
    ...rows,
  ]);
}

/** Marks a ratio with `x` and a difference with `+`; a plain figure has no mark. */
const marked = ({ kind }: Limit, text: string): string =>
  kind === 'times' ? `x ${text}` : kind === 'above' ? `+ ${text}` : text;

function limitText(limit: Limit, { unit }: Figure): string {
  switch (limit.kind) {
    case 'most':
      return `at most ${limit.value} ${unit}`;
    case 'least':
      return `at least ${limit.value.toLocaleString('en')} ${unit}`;
    case 'times':
      return `${TITLES[limit.of]} x ${limit.value}`;
    case 'above':
      return `${TITLES[limit.of]} + ${limit.value} ${unit}`;
  }
}

function metText({ limit, met, reached }: BudgetResult): string {
  const own = reached.get('modelgate');
  if (met === null || own === undefined) return 'not measured';
  if (met) return 'yes';
  return limit.value === 0
    ? '**no**'
    : `**no**, ${digits(own.median / limit.value)} times the budget`;
}

function renderHistory({ history, results }: Run): string {
  const newest = history.slice(-HISTORY_COLUMNS).reverse();
  const heads = newest.map(({ commit, date, scale }) =>
    [commit, date, ...(scale === 1 ? [] : [`scale ${scale}`])].join('<br>'),
  );
  const rows = results.map((result) => {
    const { measure, figure, limit } = result;
    const unit = limit.kind === 'times' ? '' : `, ${figure.unit}`;
    const cells = newest.map(({ reached }) => {
      const value = reached[entryKey(result)];
      return value === undefined ? '' : marked(limit, digits(value));
    });
    return [`${measure.name}: ${figure.label}${unit}`, ...cells];
  });
  return table([['Figure', ...heads], ...rows]);
}

function renderMeasure(summary: MeasureSummary, subjects: readonly SubjectName[]): string {
  const { measure, failures } = summary;
  const rows = measure.figures.map((figure) => [
    `${figure.label}, ${figure.unit}`,
    ...subjects.map((subject) => optional(valuesOf(summary, figure, subject))),
    optional(ratioOf(summary, figure, 'modelgate', 'bare-relay')),
  ]);
  const heads = ['Figure', ...subjects.map((subject) => TITLES[subject]), 'Ratio to the relay'];
  return [
    `### ${measure.name}`,
    `**${measure.question}**`,
    `Expected: ${measure.sketch}`,
    table([heads, ...rows]),
    ...(failures.length === 0
      ? []
      : [failures.map((failure) => `- Failed: ${oneLine(failure)}`).join('\n')]),
  ].join('\n\n');
}

const table = ([heads = [], ...rows]: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const optional = (values: Spread | null): string => (values === null ? '' : cell(values));

const cell = ({ median, least, most }: Spread): string =>
  `${digits(median)} (${digits(least)} to ${digits(most)})`;

/** Returns three significant digits, or the integer part if that is longer. */
function digits(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 300);
