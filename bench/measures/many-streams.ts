import { modelName } from '../behaviour.ts';
import type { Dialect } from '../mock/mock-bytes.ts';
import type { ManyStreamsResult } from '../plan.ts';
import { type Figure, type Found, type Measure, streamAsk, type Trial } from './measure.ts';

/** The load that the budget is stated for: so many streams, each of fifty events a second. */
export const BUDGET_LIVE_STREAMS = 2_000;
const EVERY_MS = 20;
const BUDGET_P99_MS = 25;
const FULL_EVENTS = 200;
/** A second of them: fewer have no percentile worth the name. */
const FEWEST_EVENTS = 50;
/** Of the events of each stream so many are let go by before their delay counts. */
const WARM_UP_SHARE = 0.2;

const WAYS = ['chat', 'messages', 'translated'] as const;
type Way = (typeof WAYS)[number];

/** What the caller speaks; `translated` is a Messages caller on an upstream that speaks chat. */
const CALLER: Readonly<Record<Way, Dialect>> = {
  chat: 'chat',
  messages: 'messages',
  translated: 'messages',
};
const UPSTREAM: Readonly<Record<Way, Dialect>> = {
  chat: 'chat',
  messages: 'messages',
  translated: 'chat',
};
const PATHS: Readonly<Record<Dialect, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
};

const WRONG = [
  { key: 'lost', label: 'events lost, of all three ways' },
  { key: 'doubled', label: 'events that came twice' },
  { key: 'outOfOrder', label: 'events out of order' },
] as const;

/** `count` streams, for `scale` of the full time; the budget of time is judged at its own size. */
export function manyStreams(count: number, scale: number): Measure {
  const events = Math.max(FEWEST_EVENTS, Math.round(FULL_EVENTS * scale));
  const model = modelName({ kind: 'stamped', events, everyMs: EVERY_MS, streams: count });
  const counted = count.toLocaleString('en');
  const offered = (count * 1000) / EVERY_MS;
  return {
    name: 'many-streams',
    question: `With ${counted} streams of ${1000 / EVERY_MS} events a second at once, how much later comes an event, and is any lost?`,
    sketch: SKETCH,
    models: [model],
    figures: [
      ...WRONG.map((what): Figure => ({ ...what, unit: 'events', better: 'lower', atMost: 0 })),
      ...WAYS.flatMap((way) => figuresOf(way, offered, count >= BUDGET_LIVE_STREAMS)),
    ],
    run: async (trial) => {
      const results = new Map<Way, ManyStreamsResult>();
      for (const way of waysOf(trial)) {
        const result = await trial.load({
          kind: 'many-streams',
          target: { ...trial.target, path: PATHS[CALLER[way]] },
          // Translation may make one event of two, so stamps are counted.
          ask: { ...streamAsk(trial.model(model, UPSTREAM[way]), 0), expectEvents: null },
          streams: count,
          events,
          warmUpEvents: Math.round(events * WARM_UP_SHARE),
        });
        results.set(way, result);
      }
      return found(results, trial);
    },
  };
}

const SKETCH =
  'An event is a read and a write of its own in each process it passes: 11 µs in the mock and 11 in the ' +
  'load generator, most of it the kernel, and they share a core, so by themselves they carry some 45,000 ' +
  'events a second. A gateway of 60 µs an event fills its core at 16,000, some 330 streams; beyond that ' +
  'events which wait together are read and written together, so that each costs less, down to 20 µs, and ' +
  'comes later, and when even that is not enough, later the longer it lasts. So nothing is ever lost, and ' +
  '25 ms are kept up to some 200 streams for each core of the gateway; the 100,000 a second of 2,000 ' +
  'streams want the mock and the generator on cores of their own too. ' +
  'Where fewer came than were offered, the run lasts longer, and nothing is left out.';

function figuresOf(way: Way, offered: number, judged: boolean): readonly Figure[] {
  const budget = judged ? { atMost: BUDGET_P99_MS } : {};
  return [
    {
      key: `${way}P50Ms`,
      label: `${way}: added delay of an event p50`,
      unit: 'ms',
      better: 'lower',
      above: 'direct',
    },
    {
      key: `${way}P99Ms`,
      label: `${way}: added delay of an event p99`,
      unit: 'ms',
      better: 'lower',
      above: 'direct',
      ...budget,
    },
    // The base of the one before, without which a figure above it says nothing.
    {
      key: `${way}WholeP99Ms`,
      label: `${way}: whole delay of an event p99`,
      unit: 'ms',
      better: 'lower',
    },
    {
      key: `${way}PerSecond`,
      label: `${way}: events a second that came, of ${offered.toLocaleString('en')} offered`,
      unit: 'events/s',
      better: 'higher',
    },
    {
      key: `${way}CpuUs`,
      label: `${way}: CPU per event`,
      unit: 'µs',
      better: 'lower',
      ofProcess: true,
    },
  ];
}

/** Without a gateway nothing is translated, the relay cannot, and the peer is compared by chat alone. */
function waysOf({ subject }: Trial): readonly Way[] {
  switch (subject.name) {
    case 'modelgate':
      return WAYS;
    case 'direct':
    case 'bare-relay':
      return ['chat', 'messages'];
    case 'portkey':
      return ['chat'];
  }
}

function found(results: ReadonlyMap<Way, ManyStreamsResult>, { subject }: Trial): Found {
  const all = [...results.values()];
  const figures: Record<string, number> = {};
  for (const { key } of WRONG) figures[key] = all.reduce((sum, result) => sum + result[key], 0);
  for (const way of WAYS) {
    // What a translated stream is compared with: the same caller, answered without a gateway.
    const like = subject.name === 'direct' && way === 'translated' ? CALLER[way] : way;
    const result = results.get(like);
    if (result === undefined) continue;
    figures[`${way}P50Ms`] = result.p50Ms;
    figures[`${way}P99Ms`] = result.p99Ms;
    figures[`${way}WholeP99Ms`] = result.p99Ms;
    figures[`${way}PerSecond`] = result.eventsPerSecond;
    figures[`${way}CpuUs`] = result.cpuUsPerEvent;
  }
  return figures;
}
