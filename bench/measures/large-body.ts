import { modelName } from '../behaviour.ts';
import { MAX_REQUESTS, type Measure, shortAsk } from './measure.ts';

const MODEL = modelName({ kind: 'json' });
/** About a million tokens of text: the whole context window of the models. */
const PROMPT_BYTES = 4_000_000;

export const largeBody: Measure = {
  name: 'large-body',
  question: 'What does a 4 MB question cost, and how long does it hold up a short one beside it?',
  sketch:
    'Reading and writing 4 MB through the kernel is 2 to 3 ms; one scan of the bytes is 1 to 3 ms, while ' +
    'parsing and writing them as JSON would be 19 ms in one piece. The wait seen beside it has the load ' +
    'generator and the mock upstream in it too, so `direct` is the floor.',
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
      label: 'longest wait of a short request beside it',
      unit: 'ms',
      better: 'lower',
      atMost: 10,
    },
    {
      key: 'besideP50Ms',
      label: 'wait of a short request beside it p50',
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
