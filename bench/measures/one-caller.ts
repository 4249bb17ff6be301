import { modelName } from '../behavior.ts';
import { MAX_REQUESTS, type Measure, shortAsk } from './measure.ts';

const MODEL = modelName({ kind: 'json' });

export const oneCaller: Measure = {
  name: 'one-caller',
  question: 'How much latency is added to a short answer for a single caller?',
  sketch:
    'A relay adds 0.3 ms. A single caller shares no commit, so the hold and the settlement each wait for ' +
    'the disk: together 0.3 to 0.5 ms on a local disk. So 0.6 to 0.8 ms.',
  models: [MODEL],
  figures: [
    {
      key: 'p50Ms',
      label: 'added latency p50',
      unit: 'ms',
      better: 'lower',
      above: 'direct',
      atMost: 0.8,
    },
    {
      key: 'p99Ms',
      label: 'added latency p99',
      unit: 'ms',
      better: 'lower',
      above: 'direct',
      atMost: 2.5,
    },
  ],
  run: async ({ target, model, load, scaledMs }) => {
    const { p50Ms, p99Ms } = await load({
      kind: 'closed-loop',
      target,
      ask: shortAsk(model(MODEL)),
      connections: 1,
      warmUpMs: scaledMs(1_000),
      measureMs: scaledMs(3_000),
      maxRequests: MAX_REQUESTS,
    });
    return { p50Ms, p99Ms };
  },
};
