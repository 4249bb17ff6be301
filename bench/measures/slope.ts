import { systemClock } from '../../src/clock.ts';
import { modelName } from '../behavior.ts';
import { processTree, readRssBytes } from '../process-cost.ts';
import { type Point, slopeOf } from '../spread.ts';
import { closedLoop, type Measure, shortAsk, streamAsk, type Trial } from './measure.ts';

const JSON_MODEL = modelName({ kind: 'json' });
const EVENTS = 100;
const STREAM_MODEL = modelName({ kind: 'sse', events: EVENTS, everyMs: 0 });
/**
 * The size of the prompt of a long conversation. The gateway scans such a body in several turns of
 * the event loop.
 */
const LONG_PROMPT_BYTES = 400_000;

const MINUTE_MS = 60_000;
const SAMPLE_EVERY_MS = 1_000;
/** The duration of one load process, well below its time limit. */
const LOAD_MS = 30_000;
/**
 * The fraction of the run, from its start, that is not evaluated, because the heap first grows to
 * its normal size.
 */
const WARM_UP_SHARE = 0.25;
const MB = 1024 * 1024;

/** The measure of memory growth over `minutes` minutes. It runs only if `--measures` names it. */
export const slope = (minutes: number): Measure => ({
  name: 'slope',
  question: `Does memory grow while the same mixed load runs for ${minutes} minutes?`,
  sketch:
    'A heap reaches its size within some minutes. From then on it rises and falls with collections, ' +
    'by some megabytes. At 1,000 requests a second, a leak of 20 bytes a request is 1 MB a minute.',
  models: [JSON_MODEL, STREAM_MODEL],
  isOnRequest: true,
  figures: [
    {
      key: 'perMinuteMb',
      label: 'growth of memory per minute',
      unit: 'MB',
      better: 'lower',
      of: 'memory',
    },
    { key: 'endMb', label: 'memory at the end', unit: 'MB', better: 'lower', of: 'memory' },
  ],
  subjects: ['bare-relay', 'modelgate', 'base'],
  run: async (trial) => {
    const samples: Point[] = [];
    const { child } = trial.subject;
    if (child === null) throw new Error('slope measures a process');
    const pids = processTree(child.pid);
    const startMs = systemClock.monotonicMs();
    const elapsedMs = (): number => systemClock.monotonicMs() - startMs;
    const sampler = systemClock.every(SAMPLE_EVERY_MS, () => {
      samples.push({ x: elapsedMs() / MINUTE_MS, y: readRssBytes(pids) / MB });
    });
    try {
      while (elapsedMs() < minutes * MINUTE_MS) await mixedLoad(trial);
    } finally {
      sampler.cancel();
    }
    const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
    return { perMinuteMb: slopeOf(warm), endMb: warm.at(-1)?.y ?? 0 };
  },
});

/** Sends short answers, streams, translated streams and long bodies at once. */
async function mixedLoad(trial: Trial): Promise<void> {
  const translated = trial.subject.name !== 'bare-relay';
  const short = shortAsk(trial.model(JSON_MODEL));
  const stream = streamAsk(trial.model(STREAM_MODEL), EVENTS);
  // Translation may merge events, so their number is unknown.
  const toMessages = { ...stream, expectEvents: null };
  const loads = [
    { trial, ask: short, callers: 8 },
    { trial, ask: stream, callers: 2 },
    { trial: translated ? inMessages(trial) : trial, ask: toMessages, callers: 2 },
    { trial, ask: { ...short, promptBytes: LONG_PROMPT_BYTES }, callers: 1 },
  ];
  await Promise.all(
    loads.map(({ trial: of, ask, callers }) =>
      of.load({ ...closedLoop(of, ask, callers, 0), measureMs: LOAD_MS }),
    ),
  );
}

const inMessages = (trial: Trial): Trial => ({
  ...trial,
  target: { ...trial.target, path: '/v1/messages' },
});
