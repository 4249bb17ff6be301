import { modelName } from '../behavior.ts';
import { MAX_REQUESTS, type Measure, streamAsk } from './measure.ts';

const EVENTS = 5;
const MODEL = modelName({ kind: 'sse', events: EVENTS, everyMs: 1 });

export const firstToken: Measure = {
  name: 'first-token',
  question: 'How much latency is added to the first event of a stream for a single caller?',
  sketch:
    'The path of a short answer without the settlement, which follows the first event: the relay and the ' +
    'hold, 0.5 to 0.7 ms. A peer that delays its first event by 25 ms shows that here.',
  models: [MODEL],
  figures: [
    {
      key: 'p50Ms',
      label: 'added time to first event p50',
      unit: 'ms',
      better: 'lower',
      above: 'direct',
      atMost: 1,
    },
    {
      key: 'p99Ms',
      label: 'added time to first event p99',
      unit: 'ms',
      better: 'lower',
      above: 'direct',
    },
  ],
  run: async ({ target, model, load, scaledMs }) => {
    const result = await load({
      kind: 'closed-loop',
      target,
      ask: streamAsk(model(MODEL), EVENTS),
      connections: 1,
      warmUpMs: scaledMs(1_000),
      measureMs: scaledMs(3_000),
      maxRequests: MAX_REQUESTS,
    });
    return { p50Ms: result.firstP50Ms, p99Ms: result.firstP99Ms };
  },
};
