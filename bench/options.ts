/** The options of `npm run bench -- ...`. */
import { parseArgs } from 'node:util';
import { LIVE, LONG, type Sizes } from './budgets.ts';
import { FEWEST_ROUNDS } from './compare.ts';
import { failover } from './measures/failover.ts';
import { firstToken } from './measures/first-token.ts';
import { largeBody } from './measures/large-body.ts';
import { ledgerPostgres, ledgerSqlite } from './measures/ledger.ts';
import { longPrompt } from './measures/long-prompt.ts';
import { manyStreams } from './measures/many-streams.ts';
import type { Measure } from './measures/measure.ts';
import { offered } from './measures/offered.ts';
import { oneCaller } from './measures/one-caller.ts';
import { openStreams } from './measures/open-streams.ts';
import { rest } from './measures/rest.ts';
import { manyCallers, shortJson } from './measures/short-json.ts';
import { slope } from './measures/slope.ts';
import { slowReader } from './measures/slow-reader.ts';
import { streamBurst, streamPaced } from './measures/stream-events.ts';
import { isPeer } from './peers.ts';
import { supports } from './round.ts';
import { SUBJECTS, type SubjectName } from './subjects.ts';

const DEFAULT_ROUNDS = 5;
const MAX_ROUNDS = 100;
const DEFAULT_STREAMS = 1_000;
const MAX_STREAMS = 20_000;
const MAX_MINUTES = 24 * 60;
const DEFAULT_SCALE = 1;
const DEFAULT_SIZES = { streams: DEFAULT_STREAMS, liveStreams: LIVE.count, minutes: LONG.count };
/**
 * The number of files that a gateway opens in addition to its streams: database, logs, libraries,
 * connections.
 */
const OTHER_FILES = 1_000;

export const USAGE = `npm run bench -- [options]
npm run bench -- ledger [--rate N] [--accounts N] [--postgres [--exact] [--url URL | --nodes N]]   the ledger
npm run bench -- nodes [--counts 1,2,4] [--rounds N] [--scale F]   several gateways on one PostgreSQL
npm run bench -- translation   the cost of translation, and of Messages and Responses above chat
npm run bench -- config-change [--way patch|put|import|restore|file] [--changes N] [--postgres [--follow]]   requests during a change of a price

  --compare COMMIT    measure Modelgate of this checkout beside that of a commit; exit with 1 if CPU
                      is worse by 10 % or more, beyond the spread of the rounds
  --peers             also measure Portkey and LiteLLM, after installing them in bench/.peers
  --rounds N          rounds, each with newly started subjects (default ${DEFAULT_ROUNDS})
  --streams N         streams in the memory measure (default ${DEFAULT_STREAMS}; the budget is for 9500)
  --live-streams N    streams of 50 events a second (default ${LIVE.count}, the size of the budget)
  --measures a,b      run only these measures; see the list below
  --minutes N         minutes of \`slope\` for each subject (default ${LONG.count}, as in the budget)
  --subjects a,b      measure only these of ${SUBJECTS.join(', ')}
  --scale F           multiply every measured time and the warm-up; 0.1 for a quick look (default 1)
  --write             also write docs/benchmarks.md and add the commit to bench/history.json

measures: ${measuresWith(DEFAULT_SIZES, DEFAULT_SCALE)
  .map(({ name, isOnRequest }) => (isOnRequest ? `${name} (only if named)` : name))
  .join(', ')}`;

export type Options = Sizes & {
  readonly rounds: number;
  readonly scale: number;
  readonly subjects: readonly SubjectName[];
  readonly measures: readonly Measure[];
  readonly write: boolean;
  /** The commit to compare this checkout with. */
  readonly compare: string | null;
};

/** @throws Error that names the option and its valid values. */
export function parseOptions(argv: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      compare: { type: 'string' },
      peers: { type: 'boolean', default: false },
      rounds: { type: 'string', default: String(DEFAULT_ROUNDS) },
      streams: { type: 'string', default: String(DEFAULT_STREAMS) },
      'live-streams': { type: 'string', default: String(LIVE.count) },
      minutes: { type: 'string', default: String(LONG.count) },
      measures: { type: 'string' },
      subjects: { type: 'string' },
      scale: { type: 'string', default: String(DEFAULT_SCALE) },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const compare = values.compare ?? null;
  if (compare !== null && (values.write || values.peers || values.subjects !== undefined)) {
    throw new Error('--compare cannot be combined with --write, --peers or --subjects');
  }
  const rounds = wholeNumber('--rounds', values.rounds, MAX_ROUNDS);
  if (compare !== null && rounds < FEWEST_ROUNDS) {
    throw new Error(`--compare needs at least ${FEWEST_ROUNDS} rounds, not ${rounds}`);
  }
  const streams = wholeNumber('--streams', values.streams, MAX_STREAMS);
  const liveStreams = wholeNumber('--live-streams', values['live-streams'], MAX_STREAMS);
  const scale = scaleOf(values.scale);
  const minutes = wholeNumber('--minutes', values.minutes, MAX_MINUTES);
  const all = measuresWith({ streams, liveStreams, minutes }, scale).filter(
    (measure) => compare === null || supports(measure, 'base'),
  );
  const usual = all.filter(({ isOnRequest }) => isOnRequest !== true);
  const own = SUBJECTS.filter((name) => !isPeer(name) || values.peers);
  const subjects = chosen('--subjects', values.subjects, own, (name) => name, SUBJECTS);
  return {
    rounds,
    scale,
    subjects: compare === null ? subjects : ['bare-relay', 'base', 'modelgate'],
    measures: chosen('--measures', values.measures, usual, ({ name }) => name, all),
    minutes,
    streams,
    liveStreams,
    write: values.write,
    compare,
  };
}

/**
 * Returns the measures in the order of a round. Measures of memory come before loads that grow the
 * heap. Measures of many streams come late, because they slow down later measures. `openStreams`
 * may leave streams open, so it is the last measure of a gateway. The ledger's measures run in
 * their own processes.
 */
function measuresWith({ streams, liveStreams, minutes }: Sizes, scale: number): readonly Measure[] {
  return [
    rest,
    slowReader,
    shortJson,
    manyCallers,
    offered,
    oneCaller,
    failover,
    firstToken,
    streamPaced,
    streamBurst,
    largeBody,
    longPrompt,
    manyStreams(liveStreams, scale),
    slope(minutes),
    openStreams(streams),
    ledgerSqlite,
    ledgerPostgres,
  ];
}

/** @throws Error when the open-file limit is too low for this many streams. */
export function checkStreams(
  option: '--streams' | '--live-streams',
  streams: number,
  openFiles: number,
): void {
  const most = Math.floor((openFiles - OTHER_FILES) / 2);
  if (streams <= most) return;
  throw new Error(
    `${option} ${streams} needs ${2 * streams + OTHER_FILES} open files in one process, and the ` +
      `system allows ${openFiles}: ask for at most ${most}, or raise the hard limit (ulimit -Hn)`,
  );
}

function chosen<Item>(
  option: string,
  text: string | undefined,
  usual: readonly Item[],
  nameOf: (item: Item) => string,
  all: readonly Item[],
): readonly Item[] {
  if (text === undefined) return usual;
  const names = text.split(',');
  const unknown = names.find((name) => !all.some((item) => nameOf(item) === name));
  if (unknown === undefined) return all.filter((item) => names.includes(nameOf(item)));
  const known = all.map(nameOf).join(', ');
  throw new Error(`${option} has the unknown value ${JSON.stringify(unknown)}; valid are ${known}`);
}

function wholeNumber(option: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`${option} takes a whole number from 1 to ${most}, not ${JSON.stringify(text)}`);
}

function scaleOf(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 10) return value;
  throw new Error(`--scale takes a number above 0 and up to 10, not ${JSON.stringify(text)}`);
}
