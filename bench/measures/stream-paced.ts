import { modelName } from '../behavior.ts';
import { MAX_REQUESTS, type Measure, streamAsk } from './measure.ts';

const EVENTS = 100;
/** With 32 streams this is 4,000 events a second, which every subject sustains on one core. */
const MODEL = modelName({ kind: 'sse', events: EVENTS, everyMs: 8 });
const STREAMS = 32;

export const streamPaced: Measure = {
  name: 'stream-paced',
  question:
    'How much CPU does a stream event take when events arrive one at a time, as from a model?',
  sketch:
    'A relay reads and writes once per event, 25 to 40 µs, mostly in the kernel. Finding the end of the event ' +
    'and its usage is a scan of 250 bytes: 2 to 5 µs more, plus a hundredth of the request.',
  models: [MODEL],
  figures: [
    { key: 'cpuUs', label: 'CPU per event', unit: 'µs', better: 'lower', ofProcess: true },
    {
      key: 'aboveUs',
      label: 'CPU per event above the bare relay',
      unit: 'µs',
      better: 'lower',
      ofProcess: true,
      above: 'bare-relay',
      atMost: 6,
    },
  ],
  run: async ({ target, model, load, scaledMs }) => {
    const result = await load({
      kind: 'closed-loop',
      target,
      ask: streamAsk(model(MODEL), EVENTS),
      connections: STREAMS,
      warmUpMs: scaledMs(1_000),
      measureMs: scaledMs(5_000),
      maxRequests: MAX_REQUESTS,
    });
    const cpuUs = result.cpuUsPerRequest / EVENTS;
    return { cpuUs, aboveUs: cpuUs };
  },
};
