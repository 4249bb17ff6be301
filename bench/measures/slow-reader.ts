import { modelName } from '../behaviour.ts';
import { MAX_REQUESTS, type Measure, shortAsk, streamAsk } from './measure.ts';

const MODEL = modelName({ kind: 'flood' });
const WARM_UP_MODEL = modelName({ kind: 'json' });
/** Several, so that one process's page more or less does not decide. */
const READERS = 8;

export const slowReader: Measure = {
  name: 'slow-reader',
  question: 'What memory does a caller cost that has stopped reading, while 48 MB are sent to it?',
  sketch:
    'Where back-pressure reaches the upstream, a few buffers of 16 to 256 kB on each side: well under ' +
    '2 MB. Where it does not, most of the 48 MB.',
  models: [MODEL, WARM_UP_MODEL],
  figures: [
    {
      key: 'perReaderMb',
      label: 'memory per slow reader',
      unit: 'MB',
      better: 'lower',
      ofProcess: true,
      atMost: 2,
    },
  ],
  run: async ({ target, model, load, scaledMs }) => {
    // A process that has never answered would show its first code and heap as the reader's.
    await load({
      kind: 'closed-loop',
      target,
      ask: shortAsk(model(WARM_UP_MODEL)),
      connections: 1,
      warmUpMs: 0,
      measureMs: scaledMs(1_000),
      maxRequests: MAX_REQUESTS,
    });
    const held = await load({
      kind: 'slow-readers',
      target,
      ask: streamAsk(model(MODEL), 0),
      count: READERS,
      holdMs: scaledMs(2_000),
    });
    return { perReaderMb: (held.rssHeldMb - held.rssBeforeMb) / READERS };
  },
};
