/** The options of `npm run bench -- ...`. */
import { parseArgs } from 'node:util';
import { failover } from './measures/failover.ts';
import { firstToken } from './measures/first-token.ts';
import { largeBody } from './measures/large-body.ts';
import { BUDGET_LIVE_STREAMS, manyStreams } from './measures/many-streams.ts';
import type { Measure } from './measures/measure.ts';
import { oneCaller } from './measures/one-caller.ts';
import { BUDGET_STREAMS, openStreams } from './measures/open-streams.ts';
import { shortJson } from './measures/short-json.ts';
import { slowReader } from './measures/slow-reader.ts';
import { streamBurst } from './measures/stream-burst.ts';
import { streamPaced } from './measures/stream-paced.ts';
import { SUBJECTS, type SubjectName } from './subjects.ts';

const DEFAULT_ROUNDS = 5;
const MAX_ROUNDS = 100;
const DEFAULT_STREAMS = 1_000;
const MAX_STREAMS = 20_000;
const DEFAULT_SCALE = 1;
/** Open files of a gateway besides its streams: database, logs, libraries, other connections. */
const OTHER_FILES = 1_000;

export const USAGE = `npm run bench -- [options]
npm run bench -- ledger [--rate N] [--accounts N] [--postgres [--url URL]]   the ledger alone
npm run bench -- translation   the cost of a translated request above one that passes unchanged

  --peers             also measure the Portkey gateway; installs it in bench/.peers first
  --rounds N          rounds, each with newly started subjects (default ${DEFAULT_ROUNDS})
  --streams N         streams in the memory measure (default ${DEFAULT_STREAMS}; the budget is for ${BUDGET_STREAMS})
  --live-streams N    streams of 50 events a second (default ${BUDGET_LIVE_STREAMS}, the size of the budget)
  --measures a,b      only these; see the list below
  --subjects a,b      only these of ${SUBJECTS.join(', ')}
  --scale F           multiplies every measured time; 0.1 for a quick look (default 1)
  --write             also writes docs/benchmarks.md and bench/results/DATE.jsonl

measures: ${measuresWith({
  streams: DEFAULT_STREAMS,
  liveStreams: BUDGET_LIVE_STREAMS,
  scale: DEFAULT_SCALE,
})
  .map(({ name }) => name)
  .join(', ')}`;

export type Options = {
  readonly rounds: number;
  readonly scale: number;
  readonly subjects: readonly SubjectName[];
  readonly measures: readonly Measure[];
  readonly streams: number;
  readonly liveStreams: number;
  readonly write: boolean;
};

type Sizes = Pick<Options, 'streams' | 'liveStreams' | 'scale'>;

/** @throws Error that names the option and its valid values. */
export function parseOptions(argv: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      peers: { type: 'boolean', default: false },
      rounds: { type: 'string', default: String(DEFAULT_ROUNDS) },
      streams: { type: 'string', default: String(DEFAULT_STREAMS) },
      'live-streams': { type: 'string', default: String(BUDGET_LIVE_STREAMS) },
      measures: { type: 'string' },
      subjects: { type: 'string' },
      scale: { type: 'string', default: String(DEFAULT_SCALE) },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const own = SUBJECTS.filter((name) => name !== 'portkey' || values.peers);
  const streams = wholeNumber('--streams', values.streams, MAX_STREAMS);
  const liveStreams = wholeNumber('--live-streams', values['live-streams'], MAX_STREAMS);
  const scale = scaleOf(values.scale);
  const measures = measuresWith({ streams, liveStreams, scale });
  return {
    rounds: wholeNumber('--rounds', values.rounds, MAX_ROUNDS),
    scale,
    subjects: chosen('--subjects', values.subjects, own, (name) => name, SUBJECTS),
    measures: chosen('--measures', values.measures, measures, ({ name }) => name, measures),
    streams,
    liveStreams,
    write: values.write,
  };
}

/**
 * In the order of a round: memory growth before the loads that grow the heap, many streams after
 * measures that they would slow down, and last the measure that may leave streams behind.
 */
function measuresWith({ streams, liveStreams, scale }: Sizes): readonly Measure[] {
  return [
    slowReader,
    shortJson,
    oneCaller,
    failover,
    firstToken,
    streamPaced,
    streamBurst,
    largeBody,
    manyStreams(liveStreams, scale),
    openStreams(streams),
  ];
}

/** @throws Error when the limit of open files is too low for this many streams. */
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
  throw new Error(`${option} does not know ${JSON.stringify(unknown)}; it takes ${known}`);
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
