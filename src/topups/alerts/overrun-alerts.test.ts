import { beforeEach, expect, test } from 'bun:test';
import { nano } from '../../money/amount.ts';
import type { Alert } from './alert-outbox.ts';
import { type Overrun, OverrunAlerts } from './overrun-alerts.ts';

const DAY_MS = 86_400_000;
const OVERRUN: Overrun = {
  requestId: 'req_1',
  accountId: 'acc_1',
  model: 'gen-opus-4-8',
  currency: 'USD',
  held: nano(100_000_000n),
  price: nano(4_500_000_000n),
  loss: nano(3_500_000_000n),
};

let nowMs = 0;
let stored: Map<string, Alert>;
let isStoreAway = false;
let sent: string[];
let failures: unknown[];
const nodeOf = (): OverrunAlerts =>
  new OverrunAlerts({
    outbox: {
      add: async (alert) => {
        if (isStoreAway) throw new Error('store away');
        if (stored.has(alert.id)) return false;
        stored.set(alert.id, alert);
        return true;
      },
    },
    clock: { nowMs: () => nowMs },
    onAlert: ({ body }) => sent.push(body),
    onFailure: (thrown) => failures.push(thrown),
  });

beforeEach(() => {
  nowMs = 20_000 * DAY_MS;
  isStoreAway = false;
  [stored, sent, failures] = [new Map(), [], []];
});

async function seen(alerts: OverrunAlerts, overruns: readonly Overrun[]): Promise<void> {
  for (const overrun of overruns) alerts.observe(overrun);
  await alerts.settled();
}

test('an overrun is alerted with the request, its price and what was held', async () => {
  await seen(nodeOf(), [OVERRUN]);
  expect(sent.map((body) => JSON.parse(body))).toMatchObject([
    {
      type: 'request.overrun',
      account_id: 'acc_1',
      request_id: 'req_1',
      model: 'gen-opus-4-8',
      currency: 'USD',
      held: '0.100000000',
      price: '4.500000000',
      loss: '3.500000000',
    },
  ]);
});

test('a burst on two nodes makes one alert per account and day', async () => {
  const burst = Array.from({ length: 200 }, (_, at) => ({ ...OVERRUN, requestId: `req_${at}` }));
  const [one, two] = [nodeOf(), nodeOf()];
  await Promise.all([seen(one, burst), seen(two, burst)]);
  expect(sent).toHaveLength(1);
  await seen(one, [{ ...OVERRUN, accountId: 'acc_2' }]);
  nowMs += DAY_MS;
  await seen(one, [OVERRUN]);
  expect(sent).toHaveLength(3);
});

test('an alert that could not be stored is tried again with the next overrun', async () => {
  const alerts = nodeOf();
  isStoreAway = true;
  await seen(alerts, [OVERRUN]);
  isStoreAway = false;
  await seen(alerts, [OVERRUN]);
  expect([failures.length, sent.length]).toEqual([1, 1]);
});
