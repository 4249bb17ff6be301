import { modelName } from '../behavior.ts';
import type { OpenLoopResult } from '../plan.ts';
import { closedLoop, type Figure, type Measure, shortAsk } from './measure.ts';

const MODEL = modelName({ kind: 'json' });
const FIXED_PER_SECOND = 1_000;
/** The number of callers with which the capacity is measured. */
const CAPACITY_CALLERS = 32;

/**
 * Sends requests on a schedule. In a closed loop, a slow gateway would receive fewer requests,
 * which would hide its delays.
 */
export const offered: Measure = {
  name: 'offered',
  question:
    'What do short requests cost that arrive on a schedule: 1,000 a second, and half of the capacity?',
  sketch:
    'At 1,000 a second most requests arrive alone and wake each thread: the relay takes 200 µs of CPU, ' +
    'the gateway 500 to 600 µs, and the gateway answers 1 ms later. At half of the capacity requests share wake-ups, so ' +
    'CPU is near that of a closed loop, and a queue is short: p99 under 10 ms.',
  models: [MODEL],
  // Other vendors' gateways are left out, because they cannot answer 1,000 requests a second on one
  // core. Requests would queue, and the latency would only reflect the length of the run.
  subjects: ['direct', 'bare-relay', 'modelgate', 'base'],
  figures: [
    ...figuresOf('fixed', `at ${FIXED_PER_SECOND.toLocaleString('en')} a second`),
    {
      key: 'halfOffered',
      label: 'half of the capacity, as offered',
      unit: 'per s',
      better: 'higher',
    },
    ...figuresOf('half', 'at half of the capacity'),
  ],
  run: async (trial) => {
    const { target, model, load, scaledMs } = trial;
    const ask = shortAsk(model(MODEL));
    const offer = (perSecond: number): Promise<OpenLoopResult> =>
      load({ kind: 'open-loop', target, ask, perSecond, measureMs: scaledMs(4_000) });
    const fixed = await offer(FIXED_PER_SECOND);
    const { perSecond } = await load(closedLoop(trial, ask, CAPACITY_CALLERS, 2_000));
    const half = await offer(perSecond / 2);
    return { halfOffered: perSecond / 2, ...foundOf('fixed', fixed), ...foundOf('half', half) };
  },
};

function figuresOf(load: string, when: string): readonly Figure[] {
  return [
    {
      key: `${load}CpuUs`,
      label: `CPU per request ${when}`,
      unit: 'µs',
      better: 'lower',
      of: 'cpu',
    },
    { key: `${load}P50Ms`, label: `latency ${when} p50`, unit: 'ms', better: 'lower' },
    { key: `${load}P99Ms`, label: `latency ${when} p99`, unit: 'ms', better: 'lower' },
  ];
}

const foundOf = (load: string, { cpuUsPerRequest, p50Ms, p99Ms }: OpenLoopResult) => ({
  [`${load}CpuUs`]: cpuUsPerRequest,
  [`${load}P50Ms`]: p50Ms,
  [`${load}P99Ms`]: p99Ms,
});
