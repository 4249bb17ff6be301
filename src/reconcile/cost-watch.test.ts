import { expect, test } from 'bun:test';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { manualClock } from '../clock.fixture.ts';
import { changedFile, NOW_MS, settingsOf } from '../config/file.fixture.ts';
import { DAY_MS } from '../money/calendar.ts';
import type { Alert } from '../topups/alerts/alert-outbox.ts';
import { CostWatch } from './cost-watch.ts';

const costing = (input: string, lists = '') => {
  const price = '        price: { input: "5.00", output: "25.00" }\n';
  const cost = `        cost: { input: "${input}", output: "20" }\n`;
  return loadCatalogue(settingsOf(changedFile(price, price + cost) + lists), NOW_MS);
};

test('alerts once per channel and day, also after a reload, and again when storing failed', async () => {
  const clock = manualClock(NOW_MS);
  const stored = new Map<string, Alert>();
  let current = costing('5');
  let isStoreAway = false;
  let failures = 0;
  const alerts: string[] = [];
  const watch = new CostWatch({
    catalogue: () => current,
    outbox: {
      add: async (alert) => {
        if (isStoreAway) throw new Error('store away');
        if (stored.has(alert.id)) return false;
        stored.set(alert.id, alert);
        return true;
      },
    },
    clock,
    onAlert: ({ body }) => alerts.push(body),
    onReviewDue: () => undefined,
    onFailure: () => {
      failures += 1;
    },
  });
  await watch.look();
  expect(alerts).toEqual([]);
  current = costing('6');
  isStoreAway = true;
  await watch.look();
  isStoreAway = false;
  await watch.look();
  await watch.look();
  expect(failures).toBe(1);
  expect(alerts.map((body) => JSON.parse(body))).toMatchObject([
    {
      type: 'price.below_cost',
      model: 'gen-x',
      channel: 'direct',
      item: 'input',
      price: '0.000005000000',
      cost: '0.000006000000',
      items: '1',
    },
  ]);
  current = costing('7');
  await watch.look();
  expect(alerts).toHaveLength(1);
  clock.advance(DAY_MS);
  await watch.look();
  expect(alerts).toHaveLength(2);
  watch.stop();
});

test('alerts for each price list that sells below cost, and names it', async () => {
  const alerts: string[] = [];
  const watch = new CostWatch({
    catalogue: () => costing('4', 'price_lists: { a: { factor: "0.75" }, b: { factor: "0.9" } }\n'),
    outbox: { add: async () => true },
    clock: manualClock(NOW_MS),
    onAlert: ({ body }) => alerts.push(body),
    onReviewDue: () => undefined,
    onFailure: () => undefined,
  });
  await watch.look();
  watch.stop();
  expect(alerts.map((body) => JSON.parse(body))).toMatchObject([
    { model: 'gen-x', price_list: 'a', item: 'input', price: '0.000003750000' },
  ]);
});

test('names a price whose review is due once a day', async () => {
  const clock = manualClock(NOW_MS);
  const file = changedFile('output: "25.00" }', 'output: "25.00", review: 2020-01-31 }');
  const current = loadCatalogue(settingsOf(file), NOW_MS);
  const due: string[] = [];
  const watch = new CostWatch({
    catalogue: () => current,
    outbox: { add: async () => true },
    clock,
    onAlert: () => undefined,
    onReviewDue: ({ model, channel, review }) => due.push(`${model} ${channel} ${review}`),
    onFailure: () => undefined,
  });
  await watch.look();
  await watch.look();
  expect(due).toEqual(['gen-x direct 2020-01-31']);
  clock.advance(DAY_MS);
  await watch.look();
  expect(due).toHaveLength(2);
  watch.stop();
});
