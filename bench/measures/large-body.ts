import { modelName } from '../behavior.ts';
import { MAX_REQUESTS, type Measure, shortAsk } from './measure.ts';

const MODEL = modelName({ kind: 'json' });
/** About a million tokens of text: the full context window of the models. */
const PROMPT_BYTES = 4_000_000;

export const largeBody: Measure = {
  name: 'large-body',
  question: 'What does a 4 MB request cost, and how long does it delay a concurrent short one?',
  sketch:
    'Reading and writing 4 MB through the kernel takes 2 to 3 ms, and one scan of the bytes 1 to 3 ms. ' +
    'Parsing and writing them as JSON would block for 19 ms. The delay of the short request includes ' +
    'the load generator and the mock upstream, so `direct` is the lower bound.',
  models: [MODEL],
  figures: [
    {
      key: 'cpuMs',
      label: 'CPU per 4 MB request',
      unit: 'ms',
      better: 'lower',
      ofProcess: true,
      atMost: 10,
    },
    {
      key: 'longestMs',
      label: 'longest latency of a concurrent short request',
      unit: 'ms',
      better: 'lower',
      atMost: 10,
    },
    {
      key: 'besideP50Ms',
      label: 'latency of a concurrent short request p50',
      unit: 'ms',
      better: 'lower',
    },
  ],
  run: async ({ target, model, load, scaledMs }) => {
    const small = shortAsk(model(MODEL));
    const large = { ...small, promptBytes: PROMPT_BYTES };
    const alone = await load({
      kind: 'closed-loop',
      target,
      ask: large,
      connections: 1,
      warmUpMs: scaledMs(500),
      measureMs: scaledMs(2_000),
      maxRequests: MAX_REQUESTS,
    });
    const beside = await load({
      kind: 'large-beside-small',
      target,
      large,
      small,
      measureMs: scaledMs(2_000),
    });
    return {
      cpuMs: alone.cpuUsPerRequest / 1000,
      longestMs: beside.smallLongestMs,
      besideP50Ms: beside.smallP50Ms,
    };
  },
};
