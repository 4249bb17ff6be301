import { modelName } from '../behaviour.ts';
import { type Measure, shortAsk } from './measure.ts';

/** Below the half at which a route is left alone, and never twice in a row. */
const FAIL_EVERY = 3;
const MODEL = modelName({ kind: 'flaky', failEvery: FAIL_EVERY });

export const failover: Measure = {
  name: 'failover',
  question:
    'How much later does a single caller get a short answer when the first route answers with a 500 at once?',
  sketch:
    'A second request to an upstream and the reading of the refused one, 0.2 to 0.4 ms, of which the mock ' +
    'takes 0.1; nothing waits between the two, and the hold is not made again. A third of the requests of ' +
    'one loop fail over, and are compared with the others of the same loop.',
  models: [MODEL],
  only: 'modelgate',
  figures: [
    {
      key: 'addedP50Ms',
      label: 'latency that failover adds p50',
      unit: 'ms',
      better: 'lower',
      atMost: 2,
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
      warmUpMs: scaledMs(1_000),
      measureMs: scaledMs(4_000),
    });
    return {
      addedP50Ms: found.failoverP50Ms - found.straightP50Ms,
      addedP99Ms: found.failoverP99Ms - found.straightP99Ms,
      straightP50Ms: found.straightP50Ms,
    };
  },
};
