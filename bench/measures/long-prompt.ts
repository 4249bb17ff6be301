import { modelName } from '../behavior.ts';
import { closedLoop, type Measure, streamAsk } from './measure.ts';

const EVENTS = 100;
const BURST = modelName({ kind: 'sse', events: EVENTS, everyMs: 0 });
const IDLE = modelName({ kind: 'idle' });
/** A long conversation of a coding agent, of more than 100,000 tokens. */
const PROMPT_BYTES = 500_000;
const CALLERS = 8;
/** Together, the prompts of these streams are far more than the heap varies by. */
const OPEN_STREAMS = 400;

export const longPrompt: Measure = {
  name: 'long-prompt',
  question: 'What does a stream cost whose prompt has 500 kB, and does it keep the prompt?',
  sketch:
    'Reading and writing 500 kB takes 0.4 ms, scanning and counting them 0.7, and the answer of a hundred ' +
    'events 0.6. While the stream is open, the prompt is no longer needed, so a stream takes as much memory ' +
    'as one with a short prompt: 0.03 MB, and what the heap has grown by.',
  models: [BURST, IDLE],
  figures: [
    { key: 'cpuMs', label: 'CPU per request', unit: 'ms', better: 'lower', of: 'cpu' },
    {
      key: 'perStreamMb',
      label: 'memory per open stream',
      unit: 'MB',
      better: 'lower',
      of: 'memory',
    },
  ],
  run: async (trial) => {
    const { target, model, load, scaledMs } = trial;
    const burst = { ...streamAsk(model(BURST), EVENTS), promptBytes: PROMPT_BYTES };
    const { cpuUsPerRequest } = await load(closedLoop(trial, burst, CALLERS, 3_000));
    // These streams end when the caller disconnects, so no event count is expected.
    const idle = { ...streamAsk(model(IDLE), 0), promptBytes: PROMPT_BYTES };
    const held = await load({
      ...{ kind: 'open-streams', target, ask: idle, count: OPEN_STREAMS },
      holdMs: scaledMs(2_000),
    });
    const perStreamMb = (held.rssAfterMb - held.rssBeforeMb) / OPEN_STREAMS;
    return { cpuMs: cpuUsPerRequest / 1000, perStreamMb };
  },
};
