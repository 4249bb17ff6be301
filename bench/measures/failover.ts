import { modelName } from '../behavior.ts';
import { type Measure, shortAsk } from './measure.ts';

/**
 * Every third request fails. The circuit breaker stays closed, because no two failures are
 * consecutive and fewer than half of the requests fail.
 */
const FAIL_EVERY = 3;
const MODEL = modelName({ kind: 'flaky', failEvery: FAIL_EVERY });

export const failover: Measure = {
  name: 'failover',
  question:
    'How much latency does failover add for a single caller when the first route returns a 500 at once?',
  sketch:
    'Reading the failed answer and sending a second request take 0.2 to 0.4 ms, of which the mock takes 0.1. ' +
    'There is no pause between the two and no second hold. A third of the requests of a loop fail over; they ' +
    'are compared with the other two thirds.',
  models: [MODEL],
  subjects: ['modelgate', 'base'],
  figures: [
    {
      key: 'addedP50Ms',
      label: 'latency that failover adds p50',
      unit: 'ms',
      better: 'lower',
    },
    {
      key: 'addedP99Ms',
      label: 'p99 after a failover above p99 without',
      unit: 'ms',
      better: 'lower',
    },
    { key: 'straightP50Ms', label: 'latency without failover p50', unit: 'ms', better: 'lower' },
  ],
  run: async ({ target, model, load, scaledMs }) => {
    const found = await load({
      kind: 'failover',
      target,
      ask: shortAsk(model(MODEL)),
      measureMs: scaledMs(4_000),
    });
    return {
      addedP50Ms: found.failoverP50Ms - found.straightP50Ms,
      addedP99Ms: found.failoverP99Ms - found.straightP99Ms,
      straightP50Ms: found.straightP50Ms,
    };
  },
};
