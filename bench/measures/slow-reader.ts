import { modelName } from '../behaviour.ts';
import { MAX_REQUESTS, type Measure, streamAsk } from './measure.ts';

const MODEL = modelName({ kind: 'flood' });
const WARM_UP_EVENTS = 100;
const WARM_UP_MODEL = modelName({ kind: 'sse', events: WARM_UP_EVENTS, everyMs: 0 });
/** Several, so that one process's page more or less does not decide. */
const READERS = 8;

export const slowReader: Measure = {
  name: 'slow-reader',
  question: 'What memory does a caller cost that has stopped reading, while 48 MB are sent to it?',
  sketch:
    'Where back-pressure reaches the upstream, a few buffers of 16 to 256 kB on each side: well under ' +
    '2 MB. Where it does not, most of the 48 MB. The kernel takes about 10 MB for each reader before ' +
    'anything is held up, so the most seen has the garbage of those in it.',
  models: [MODEL, WARM_UP_MODEL],
  figures: [
    {
      key: 'perReaderMb',
      label: 'memory per slow reader, after two seconds',
      unit: 'MB',
      better: 'lower',
      ofProcess: true,
      atMost: 2,
    },
    {
      key: 'peakMb',
      label: 'memory per slow reader, the most seen',
      unit: 'MB',
      better: 'lower',
      ofProcess: true,
    },
  ],
  run: async ({ target, model, load, scaledMs }) => {
    // A process that has streamed nothing yet would show its first code and heap as the reader's.
    await load({
      kind: 'closed-loop',
      target,
      ask: streamAsk(model(WARM_UP_MODEL), WARM_UP_EVENTS),
      connections: READERS,
      warmUpMs: 0,
      measureMs: scaledMs(2_000),
      maxRequests: MAX_REQUESTS,
    });
    const held = await load({
      kind: 'slow-readers',
      target,
      // They are left before their end, so no number of events is awaited.
      ask: streamAsk(model(MODEL), 0),
      count: READERS,
      holdMs: scaledMs(2_000),
    });
    return {
      perReaderMb: (held.rssAfterMb - held.rssBeforeMb) / READERS,
      peakMb: (held.rssPeakMb - held.rssBeforeMb) / READERS,
    };
  },
};
