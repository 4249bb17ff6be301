import { modelName } from '../behavior.ts';
import { MAX_REQUESTS, type Measure, shortAsk } from './measure.ts';

const MODEL = modelName({ kind: 'json' });
const CONNECTIONS = 32;

export const shortJson: Measure = {
  name: 'short-json',
  question: 'How much CPU does a short chat request take, with 32 concurrent callers?',
  sketch:
    'Parsing, key check and headers take tens of microseconds in addition to the relay (45 µs). Hold and ' +
    'settlement share commits and add about 50 µs. So 110 to 150 µs, and 6,000 to 9,000 a second on a core.',
  models: [MODEL],
  figures: [
    {
      key: 'cpuUs',
      label: 'CPU per request',
      unit: 'µs',
      better: 'lower',
      ofProcess: true,
      atMost: 150,
    },
    { key: 'perSecond', label: 'requests a second', unit: 'req/s', better: 'higher' },
    { key: 'p50Ms', label: 'latency p50', unit: 'ms', better: 'lower' },
    { key: 'p99Ms', label: 'latency p99', unit: 'ms', better: 'lower' },
    { key: 'rssMb', label: 'memory under this load', unit: 'MB', better: 'lower', ofProcess: true },
  ],
  run: async ({ target, model, load, scaledMs }) => {
    const result = await load({
      kind: 'closed-loop',
      target,
      ask: shortAsk(model(MODEL)),
      connections: CONNECTIONS,
      warmUpMs: scaledMs(2_000),
      measureMs: scaledMs(4_000),
      maxRequests: MAX_REQUESTS,
    });
    return {
      cpuUs: result.cpuUsPerRequest,
      perSecond: result.perSecond,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      rssMb: result.peakRssMb,
    };
  },
};
