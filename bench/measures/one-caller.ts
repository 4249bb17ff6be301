import { modelName } from '../behavior.ts';
import { closedLoop, type Measure, shortAsk } from './measure.ts';

const MODEL = modelName({ kind: 'json' });

export const oneCaller: Measure = {
  name: 'one-caller',
  question: 'How long does a single caller wait for a short answer?',
  sketch:
    'A relay takes 0.2 to 0.3 ms. A single caller shares no commit: the settlement waits for the disk, ' +
    'which takes 0.25 ms, and two threads are woken. So the gateway takes 0.4 to 0.6 ms more than the relay.',
  models: [MODEL],
  figures: [
    { key: 'p50Ms', label: 'latency p50', unit: 'ms', better: 'lower' },
    { key: 'p99Ms', label: 'latency p99', unit: 'ms', better: 'lower' },
  ],
  run: async (trial) => {
    const ask = shortAsk(trial.model(MODEL));
    const { p50Ms, p99Ms } = await trial.load(closedLoop(trial, ask, 1, 3_000));
    return { p50Ms, p99Ms };
  },
};
