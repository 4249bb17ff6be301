import { systemClock } from '../../src/clock.ts';
import { modelName } from '../behavior.ts';
import { type Measure, streamAsk, type Trial } from './measure.ts';

const MODEL = modelName({ kind: 'idle' });
/**
 * Upstream streams that are still open this long after the callers disconnected count as left open.
 * The time is lenient: a gateway should abort them within a tenth of it.
 */
const LEFT_OPEN_AFTER_MS = 1_000;
const LOOK_EVERY_MS = 20;

export function openStreams(count: number): Measure {
  const counted = count.toLocaleString('en');
  return {
    name: 'open-streams',
    question: `How much memory does the process use with ${counted} silent streams open?`,
    sketch:
      'A stream is two sockets, a request with its abort signal, and a hold in memory: 20 to 50 kB. So a ' +
      'thousand streams take 20 to 50 MB, in addition to the runtime and the code. When the callers disconnect, ' +
      'their upstream requests are aborted within 100 ms.',
    models: [MODEL],
    figures: [
      {
        key: 'heldMb',
        label: `memory with ${counted} open streams`,
        unit: 'MB',
        better: 'lower',
        of: 'memory',
      },
      {
        key: 'cpuMsPerSecond',
        label: 'CPU per second of holding them',
        unit: 'ms',
        better: 'lower',
        of: 'cpu',
      },
      {
        key: 'leftOpen',
        label: `upstream streams still open ${LEFT_OPEN_AFTER_MS} ms after all callers left`,
        unit: 'streams',
        better: 'lower',
      },
    ],
    run: async (trial) => {
      const { target, model, load, scaledMs } = trial;
      // An earlier subject may have left streams open, which must not count for this subject.
      const before = await trial.upstreamStreams();
      // These streams end when the caller disconnects, so no event count is expected.
      const ask = streamAsk(model(MODEL), 0);
      const holdMs = scaledMs(3_000);
      const held = await load({ kind: 'open-streams', target, ask, count, holdMs });
      return {
        heldMb: held.rssPeakMb,
        cpuMsPerSecond: held.cpuMsPerSecondHeld,
        leftOpen: await streamsLeftOpen(trial, before),
      };
    },
  };
}

async function streamsLeftOpen(trial: Trial, before: number): Promise<number> {
  const untilMs = systemClock.monotonicMs() + LEFT_OPEN_AFTER_MS;
  for (;;) {
    const open = Math.max(0, (await trial.upstreamStreams()) - before);
    if (open === 0 || systemClock.monotonicMs() > untilMs) return open;
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}
