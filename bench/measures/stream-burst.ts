import { modelName } from '../behavior.ts';
import { MAX_REQUESTS, type Measure, streamAsk } from './measure.ts';

const EVENTS = 100;
const MODEL = modelName({ kind: 'sse', events: EVENTS, everyMs: 0 });
const STREAMS = 16;

export const streamBurst: Measure = {
  name: 'stream-burst',
  question: 'How much CPU does a stream event take when a hundred arrive at once?',
  sketch:
    'The hundred events share reads and writes. Left are the scan of the bytes and a hundredth of the ' +
    'request (1.5 µs). So 2 µs an event for a relay, 4 to 6 µs for the gateway.',
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
      measureMs: scaledMs(3_000),
      maxRequests: MAX_REQUESTS,
    });
    const cpuUs = result.cpuUsPerRequest / EVENTS;
    return { cpuUs, aboveUs: cpuUs };
  },
};
