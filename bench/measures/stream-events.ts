import { modelName } from '../behavior.ts';
import { closedLoop, type Measure, streamAsk } from './measure.ts';

const EVENTS = 100;

/** 32 streams give 4,000 events per second together, which every subject sustains on one core. */
export const streamPaced = measureOf({
  name: 'stream-paced',
  question:
    'How much CPU does a stream event take when events arrive one at a time, as from a model?',
  sketch:
    'A relay reads and writes once per event, which takes 20 to 40 µs, mostly in the kernel. Passing a chunk ' +
    'through JavaScript costs 6 to 12 µs more, and its inspection with a hundredth of the request 6 µs. So ' +
    'the gateway takes twice as much as the relay.',
  everyMs: 8,
  streams: 32,
  fullMs: 5_000,
});

export const streamBurst = measureOf({
  name: 'stream-burst',
  question: 'How much CPU does a stream event take when a hundred arrive at once?',
  sketch:
    'The hundred events share reads and writes. What remains is the scan of the bytes and a hundredth of the ' +
    'request (1.5 µs). So an event takes 1.5 to 2 µs in a relay and 3 to 5 µs in the gateway.',
  everyMs: 0,
  streams: 16,
  fullMs: 3_000,
});

type Pace = Pick<Measure, 'name' | 'question' | 'sketch'> & {
  /** The interval between events; 0 sends all events at once. */
  readonly everyMs: number;
  readonly streams: number;
  readonly fullMs: number;
};

function measureOf({ everyMs, streams, fullMs, ...stated }: Pace): Measure {
  const upstreamModel = modelName({ kind: 'sse', events: EVENTS, everyMs });
  return {
    ...stated,
    models: [upstreamModel],
    figures: [{ key: 'cpuUs', label: 'CPU per event', unit: 'µs', better: 'lower', of: 'cpu' }],
    run: async (trial) => {
      const ask = streamAsk(trial.model(upstreamModel), EVENTS);
      const { cpuUsPerRequest } = await trial.load(closedLoop(trial, ask, streams, fullMs));
      return { cpuUs: cpuUsPerRequest / EVENTS };
    },
  };
}
