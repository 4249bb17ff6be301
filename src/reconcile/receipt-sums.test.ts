import { expect, test } from 'bun:test';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { changedFile, NOW_MS, settingsOf } from '../config/file.fixture.ts';
import { receipt } from '../ledger/conformance/ledger.fixture.ts';
import type { Receipt } from '../ledger/ledger.ts';
import { PLAIN_FACTS } from '../money/price-of.ts';
import { factsJson } from '../money/terms-json.ts';
import { NO_USAGE } from '../money/usage.ts';
import { ReceiptTotals } from './receipt-sums.ts';

const PRICE = '        price: { input: "5.00", output: "25.00" }\n';
const costing = (cost: string) =>
  loadCatalogue(settingsOf(changedFile(PRICE, `${PRICE}        cost: ${cost}\n`)), NOW_MS);

function sumsOf(given: Partial<Receipt>, cost = '{ input: "2", output: "10" }') {
  const totals = new ReceiptTotals(costing(cost), 'USD');
  totals.add({
    ...receipt('r1', 0n, { model: 'gen-x', upstreamModel: 'main', ...given }),
    settledAtMs: NOW_MS,
  });
  return [...totals.groups.values()].map(({ model, sums }) => [
    model,
    sums.requests,
    sums.prompt,
    sums.output,
    sums.cost,
  ]);
}
const usage = { ...NO_USAGE, input: 100, output: 50 };
const rounds = [{ model: 'advisor', usage: { ...NO_USAGE, input: 40, output: 20 } }];
const factsWith = (given: Partial<typeof PLAIN_FACTS>): string =>
  factsJson({ ...PLAIN_FACTS, sentModel: 'main', ...given }, { assumed: [], unpriced: [] });

test('counts under the model that was served, or else that was requested', () => {
  expect(sumsOf({ usage })).toEqual([['main', 1n, 100n, 50n, 700_000_000n]]);
  expect(sumsOf({ usage, facts: factsWith({ model: 'other' }) })[0]?.[0]).toBe('other');
});

test('counts the rounds of another model, and what they cost, under that model', () => {
  const cost = '{ input: "2", output: "10", models: { advisor: { input: "4", output: "30" } } }';
  const [main, advisor] = [
    ['main', 1n, 60n, 30n, 420_000_000n],
    ['advisor', 0n, 40n, 20n, 760_000_000n],
  ];
  expect(sumsOf({ usage, facts: factsWith({ rounds }) }, cost)).toEqual([main, advisor]);
  // The 10 estimated tokens are fewer than the tokens of the rounds, which are extra runs of other
  // models. Therefore the request is not split by model.
  const few = { ...NO_USAGE, input: 10 };
  expect(sumsOf({ usage: few, facts: factsWith({ rounds }) }, cost)).toHaveLength(1);
});

test('takes the price that the provider reported only where no cost is configured', () => {
  const reported = { usage, reportedCostPico: 5n };
  expect(sumsOf(reported)[0]?.[4]).toBe(700_000_000n);
  expect(sumsOf({ ...reported, model: 'not-sold' })[0]?.[4]).toBe(5n);
  expect(sumsOf({ ...reported, model: 'not-sold', reportedCostPico: null })[0]?.[4]).toBeNull();
});

test('counts images, and the requests whose usage is estimated', () => {
  const totals = new ReceiptTotals(costing('{ input: "2", output: "10" }'), 'USD');
  const sold = { model: 'gen-x', upstreamModel: 'main', usage };
  const drawn = { usage: NO_USAGE, images: { count: 3, priceKey: '1024x1024' } };
  const given = [{ estimated: true }, { estimated: true }, { estimated: false, ...drawn }];
  for (const each of given)
    totals.add({ ...receipt('r1', 0n, { ...sold, ...each }), settledAtMs: NOW_MS });
  const [group, ...others] = [...totals.groups.values()];
  expect(others).toEqual([]);
  expect([group?.estimated, group?.sums.requests, group?.sums.images]).toEqual([2, 3n, 3n]);
});
