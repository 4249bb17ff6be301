import { modelName } from '../behavior.ts';
import { closedLoop, type Measure, streamAsk } from './measure.ts';

const EVENTS = 5;
const MODEL = modelName({ kind: 'sse', events: EVENTS, everyMs: 1 });

export const firstToken: Measure = {
  name: 'first-token',
  question: 'How long does a single caller wait for the first event of a stream?',
  sketch:
    'The same work as for a short answer, but without the settlement, which follows the first event: 0.3 ' +
    'to 0.6 ms more than the relay. A peer that delays its first event by 25 ms shows this delay here.',
  models: [MODEL],
  figures: [
    { key: 'p50Ms', label: 'time to first event p50', unit: 'ms', better: 'lower' },
    { key: 'p99Ms', label: 'time to first event p99', unit: 'ms', better: 'lower' },
  ],
  run: async (trial) => {
    const ask = streamAsk(trial.model(MODEL), EVENTS);
    const { firstP50Ms, firstP99Ms } = await trial.load(closedLoop(trial, ask, 1, 3_000));
    return { p50Ms: firstP50Ms, p99Ms: firstP99Ms };
  },
};
