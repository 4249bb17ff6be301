import { modelName } from '../behavior.ts';
import { closedLoop, type Measure, streamAsk } from './measure.ts';

const MODEL = modelName({ kind: 'flood' });
const WARM_UP_EVENTS = 100;
const WARM_UP_MODEL = modelName({ kind: 'sse', events: WARM_UP_EVENTS, everyMs: 0 });
/**
 * The number of readers: several, because memory is counted in whole pages and would be imprecise
 * for one reader.
 */
const READERS = 8;

export const slowReader: Measure = {
  name: 'slow-reader',
  question: 'How much memory does a caller need that stops reading while 48 MB are sent to it?',
  sketch:
    'With back-pressure up to the upstream, a reader takes a few buffers of 16 to 256 kB on each side: well ' +
    'under 2 MB. Without back-pressure, it takes most of the 48 MB. The kernel accepts about 10 MB for each ' +
    'reader before the stream blocks, so the peak includes the garbage of these 10 MB.',
  models: [MODEL, WARM_UP_MODEL],
  figures: [
    {
      key: 'perReaderMb',
      label: 'memory per slow reader, after two seconds',
      unit: 'MB',
      better: 'lower',
      of: 'memory',
    },
    {
      key: 'peakMb',
      label: 'peak memory per slow reader',
      unit: 'MB',
      better: 'lower',
      of: 'memory',
    },
  ],
  // LiteLLM is left out, because it keeps reading for minutes after its callers have left, which
  // would slow later measures.
  subjects: ['direct', 'bare-relay', 'modelgate', 'base', 'portkey'],
  isCold: true,
  run: async (trial) => {
    const { target, model, load, scaledMs } = trial;
    // Without a warm-up, compiled code and heap growth would count as the readers' memory.
    const stream = streamAsk(model(WARM_UP_MODEL), WARM_UP_EVENTS);
    await load(closedLoop(trial, stream, READERS, 2_000));
    const held = await load({
      kind: 'slow-readers',
      target,
      // These streams are abandoned before their end, so no event count is expected.
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
