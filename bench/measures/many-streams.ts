import { modelName } from '../behavior.ts';
import type { Dialect } from '../mock/mock-bytes.ts';
import type { ManyStreamsResult } from '../plan.ts';
import { type Figure, type Found, type Measure, streamAsk, type Trial } from './measure.ts';

const EVERY_MS = 20;
const FULL_EVENTS = 200;
/**
 * The minimum number of events per stream: one second of events. Fewer give no meaningful
 * percentile.
 */
const FEWEST_EVENTS = 50;
/** The fraction of each stream's events, counted from its start, whose delays are not recorded. */
const WARM_UP_SHARE = 0.2;

const VARIANTS = ['chat', 'messages', 'translated'] as const;
type Variant = (typeof VARIANTS)[number];

/** The callers' protocol. In `translated`, Messages callers reach a chat upstream. */
const CALLER: Readonly<Record<Variant, Dialect>> = {
  chat: 'chat',
  messages: 'messages',
  translated: 'messages',
};
const UPSTREAM: Readonly<Record<Variant, Dialect>> = {
  chat: 'chat',
  messages: 'messages',
  translated: 'chat',
};
const PATHS: Readonly<Record<Dialect, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
};

const WRONG = [
  { key: 'lost', label: 'lost events, of all three variants' },
  { key: 'doubled', label: 'duplicate events' },
  { key: 'outOfOrder', label: 'events out of order' },
] as const;

/**
 * Returns the measure with `count` concurrent streams. Each stream sends `scale` times the events
 * of a full run, but at least `FEWEST_EVENTS`.
 */
export function manyStreams(count: number, scale: number): Measure {
  const events = Math.max(FEWEST_EVENTS, Math.round(FULL_EVENTS * scale));
  const model = modelName({ kind: 'stamped', events, everyMs: EVERY_MS, streams: count });
  const counted = count.toLocaleString('en');
  const offered = (count * 1000) / EVERY_MS;
  return {
    name: 'many-streams',
    question: `With ${counted} streams of ${1000 / EVERY_MS} events a second at once, how much later does an event arrive, and is any lost?`,
    sketch: SKETCH,
    models: [model],
    figures: [
      ...WRONG.map((what): Figure => ({ ...what, unit: 'events', better: 'lower' })),
      ...VARIANTS.flatMap((variant) => figuresOf(variant, offered)),
    ],
    run: async (trial) => {
      const results = new Map<Variant, ManyStreamsResult>();
      for (const variant of variantsOf(trial)) {
        const result = await trial.load({
          kind: 'many-streams',
          target: { ...trial.target, path: PATHS[CALLER[variant]] },
          // Translation may merge events, so stamps are counted instead of events.
          ask: { ...streamAsk(trial.model(model, UPSTREAM[variant]), 0), expectEvents: null },
          streams: count,
          events,
          warmUpEvents: Math.round(events * WARM_UP_SHARE),
        });
        results.set(variant, result);
      }
      return found(results, trial);
    },
  };
}

const SKETCH =
  'Each process reads and writes an event separately: 11 µs in the mock and 11 µs in the load generator, ' +
  'mostly in the kernel. The two share a core, so alone they carry about 45,000 events a second. A gateway ' +
  'that takes 60 µs an event saturates its core at 16,000, about 330 streams. Beyond that, waiting events ' +
  'are read and written together: each costs less, down to 20 µs, but arrives later. Beyond the capacity at ' +
  '20 µs, the delay grows for as long as the load lasts. So no event is ever lost, and the delay stays below ' +
  '25 ms up to about 200 streams per core of the gateway. The 100,000 events a second of 2,000 streams also ' +
  'need separate cores for the mock and the generator. If fewer events arrive than offered, the run takes ' +
  'longer and still counts every event.';

function figuresOf(variant: Variant, offered: number): readonly Figure[] {
  const received = `events received, of ${offered.toLocaleString('en')} a second offered`;
  return [
    {
      key: `${variant}P50Ms`,
      label: `${variant}: delay of an event p50`,
      unit: 'ms',
      better: 'lower',
    },
    {
      key: `${variant}P99Ms`,
      label: `${variant}: delay of an event p99`,
      unit: 'ms',
      better: 'lower',
    },
    {
      key: `${variant}PerSecond`,
      label: `${variant}: ${received}`,
      unit: 'per s',
      better: 'higher',
    },
    {
      key: `${variant}CpuUs`,
      label: `${variant}: CPU per event`,
      unit: 'µs',
      better: 'lower',
      of: 'cpu',
    },
  ];
}

/**
 * Returns the variants that a subject can run. `direct` and the bare relay cannot translate. Other
 * vendors' gateways are measured only with chat.
 */
function variantsOf({ subject }: Trial): readonly Variant[] {
  switch (subject.name) {
    case 'modelgate':
    case 'base':
      return VARIANTS;
    case 'direct':
    case 'bare-relay':
      return ['chat', 'messages'];
    case 'portkey':
    case 'litellm':
      return ['chat'];
  }
}

function found(results: ReadonlyMap<Variant, ManyStreamsResult>, { subject }: Trial): Found {
  const all = [...results.values()];
  const figures: Record<string, number> = {};
  for (const { key } of WRONG) figures[key] = all.reduce((sum, result) => sum + result[key], 0);
  for (const variant of VARIANTS) {
    // `direct` has no gateway and cannot translate, so it was not measured with translated streams.
    // Its figures for Messages callers are reported instead, as the baseline of translated streams.
    const like = subject.name === 'direct' && variant === 'translated' ? CALLER[variant] : variant;
    const result = results.get(like);
    if (result === undefined) continue;
    figures[`${variant}P50Ms`] = result.p50Ms;
    figures[`${variant}P99Ms`] = result.p99Ms;
    figures[`${variant}PerSecond`] = result.eventsPerSecond;
    figures[`${variant}CpuUs`] = result.cpuUsPerEvent;
  }
  return figures;
}
