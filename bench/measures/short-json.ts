import { modelName } from '../behavior.ts';
import { closedLoop, type Measure, shortAsk } from './measure.ts';

const MODEL = modelName({ kind: 'json' });
const CALLERS = 32;
const MANY_CALLERS = 256;

export const shortJson = measureOf(
  'short-json',
  CALLERS,
  'A relay takes 35 to 50 µs, half of it the HTTP client. Reading, checking and pricing take 50 µs of ' +
    'calls into the runtime, and the settlement shares its commit: 15 µs. So the gateway takes ' +
    '100 to 150 µs, three times as much as the relay, and serves 7,000 to 10,000 requests a second on a core.',
);

export const manyCallers = measureOf(
  'many-callers',
  MANY_CALLERS,
  'With more requests per turn of the event loop and per commit, fixed costs are shared: the gateway ' +
    'falls to 90 to 130 µs. The relay rises to 60 µs. So the gateway takes twice as much.',
);

function measureOf(name: string, callers: number, sketch: string): Measure {
  return {
    name,
    question: `How much CPU and memory does a short chat request take, with ${callers} concurrent callers?`,
    sketch,
    models: [MODEL],
    figures: [
      { key: 'cpuUs', label: 'CPU per request', unit: 'µs', better: 'lower', of: 'cpu' },
      { key: 'perSecond', label: 'requests', unit: 'per s', better: 'higher' },
      { key: 'p50Ms', label: 'latency p50', unit: 'ms', better: 'lower' },
      { key: 'p99Ms', label: 'latency p99', unit: 'ms', better: 'lower' },
      { key: 'rssMb', label: 'memory under this load', unit: 'MB', better: 'lower', of: 'memory' },
    ],
    run: async (trial) => {
      const ask = shortAsk(trial.model(MODEL));
      const result = await trial.load(closedLoop(trial, ask, callers, 4_000));
      return {
        cpuUs: result.cpuUsPerRequest,
        perSecond: result.perSecond,
        p50Ms: result.p50Ms,
        p99Ms: result.p99Ms,
        rssMb: result.peakRssMb,
      };
    },
  };
}
