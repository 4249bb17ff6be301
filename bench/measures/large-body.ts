import { modelName } from '../behavior.ts';
import { closedLoop, type Measure, shortAsk } from './measure.ts';

const MODEL = modelName({ kind: 'json' });
/** The prompt is about a million tokens of text: the full context window of the models. */
const PROMPT_BYTES = 4_000_000;

export const largeBody: Measure = {
  name: 'large-body',
  question: 'What does a 4 MB request cost, and how long does it delay a concurrent short one?',
  sketch:
    'Reading and writing 4 MB through the kernel takes 2 to 3 ms, and one scan of the bytes 1 to 3 ms. ' +
    'Parsing and writing them as JSON would block for 19 ms. The delay of the short request includes ' +
    'the load generator and the mock upstream, so the figure of `direct` is subtracted for the budget.',
  models: [MODEL],
  figures: [
    { key: 'cpuMs', label: 'CPU per 4 MB request', unit: 'ms', better: 'lower', of: 'cpu' },
    {
      key: 'longestMs',
      label: 'longest latency of a concurrent short request',
      unit: 'ms',
      better: 'lower',
    },
    {
      key: 'besideP50Ms',
      label: 'latency of a concurrent short request p50',
      unit: 'ms',
      better: 'lower',
    },
  ],
  // LiteLLM is left out, because even a few requests with bodies of this size exceed the load
  // generator's time limit.
  subjects: ['direct', 'bare-relay', 'modelgate', 'base', 'portkey'],
  run: async (trial) => {
    const { target, model, load, scaledMs } = trial;
    const small = shortAsk(model(MODEL));
    const large = { ...small, promptBytes: PROMPT_BYTES };
    const alone = await load(closedLoop(trial, large, 1, 2_000));
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
