import { expect, test } from 'bun:test';
import { changedFile, NOW_MS, SMALL_FILE, settingsOf } from '../config/file.fixture.ts';
import { belowCost, belowCostSteps } from './below-cost.ts';
import { loadCatalogue } from './load-catalogue.ts';

const PRICE = '        price: { input: "5.00", output: "25.00" }\n';
const IMAGES = '{ per_image: { 512x512: "0.01", 512x512/hd: "0.02"';

/** Returns the items that are sold below cost, each with its price and its cost in pico-units. */
function found(file: string) {
  const { models } = loadCatalogue(settingsOf(file), NOW_MS);
  return [...models.values()].flatMap((model) =>
    belowCost(model, NOW_MS).map(({ item, why, pricePico, costPico }) => [
      item,
      why,
      pricePico,
      costPico,
    ]),
  );
}
const sold = (price: string, cost: string): string =>
  changedFile(PRICE, `        price: ${price}\n        cost: ${cost}\n`);

test('a price of at least its cost is fine, and so is a channel without a cost', () => {
  expect(found(SMALL_FILE)).toEqual([]);
  expect(found(sold('{ input: "5", output: "25" }', '{ input: "5", output: "25" }'))).toEqual([]);
});

test('names each bucket whose price is below its cost, also where only the cost lists it', () => {
  const cost = '{ input: "4", output: "26", cache_write: "6" }';
  expect(found(sold('{ input: "5", output: "25" }', cost))).toEqual([
    ['cache_write_5m', '', 5_000_000n, 6_000_000n],
    ['output', '', 25_000_000n, 26_000_000n],
  ]);
});

test('compares each row: a long prompt and a tier that the card admits', () => {
  const long = '{ input: "5", output: "25", rows: [{ when: { prompt_over: 200 }, scale: "2" }] }';
  expect(found(sold('{ input: "5", output: "25" }', long)).slice(0, 1)).toEqual([
    ['input', 'prompt_over: 200', 5_000_000n, 10_000_000n],
  ]);
  expect(found(sold(long, long))).toEqual([]);
  const tier = (scale: string, admit = ', admit: { tier: [priority] }'): string =>
    `{ input: "5", output: "25", rows: [{ when: { tier: priority }, scale: "${scale}" }]${admit} }`;
  expect(found(sold(tier('2'), tier('2.5', ''))).slice(0, 1)).toEqual([
    ['input', 'tier: priority', 10_000_000n, 12_500_000n],
  ]);
  // Callers cannot request this tier, because the price does not list it in `admit`. The cost of
  // the tier is therefore ignored.
  expect(found(sold(tier('2', ''), tier('2.5', '')))).toEqual([]);
});

test('finds hours of the week in which the cost is higher', () => {
  const peak =
    '{ input: "5", output: "25", clock: { zone: Asia/Shanghai, at: start }, rows: [{ when: { days: [tue], hours: ["09:00-09:30"] }, scale: "2" }] }';
  const [first] = found(sold('{ input: "5", output: "25" }', peak));
  expect(first?.slice(2)).toEqual([5_000_000n, 10_000_000n]);
  expect(first?.[1]).toContain('tue');
});

test('prices each state of the conditions on time once, and not each half hour of the week', () => {
  const peak =
    '{ input: "5", output: "25", rows: [{ when: { hours: ["09:00-12:00"] }, scale: "2" }] }';
  const { models } = loadCatalogue(settingsOf(sold(peak, peak)), NOW_MS);
  const model = models.get('gen-x');
  if (model?.kind !== 'chat') throw new Error('gen-x is a chat model');
  const channel = model.channels.get('direct');
  if (channel === undefined) throw new Error('gen-x has this channel');
  let reads = 0;
  const terms = new Proxy(channel.card.terms, {
    get: (of, name) => {
      if (name === 'fees') reads += 1;
      return Reflect.get(of, name);
    },
  });
  const counted = { ...channel, card: { ...channel.card, terms } };
  belowCost({ ...model, channels: new Map(model.channels).set('direct', counted) }, NOW_MS);
  expect(reads).toBeGreaterThan(1);
  expect(reads).toBeLessThan(50);
});

test('lets other requests run between the combinations of conditions', () => {
  const tiers =
    '{ input: "5", output: "25", rows: [{ when: { tier: flex }, scale: "2" }], admit: { tier: [flex] } }';
  const model = loadCatalogue(settingsOf(sold(tiers, tiers)), NOW_MS).models.get('gen-x');
  if (model === undefined) throw new Error('gen-x is sold');
  let pauses = 0;
  const steps = belowCostSteps(model, NOW_MS);
  for (let step = steps.next(); step.done !== true; step = steps.next()) pauses += 1;
  expect(pauses).toBeGreaterThan(3);
});

test('finds what is sold below cost once a discount on the cost has ended', () => {
  const discount =
    '{ input: "7", output: "25", rows: [{ when: { until: 2099-01-01T00:00:00Z }, input: "4", output: "25" }] }';
  const [first] = found(sold('{ input: "5", output: "25" }', discount));
  expect(first).toEqual(['input', '', 5_000_000n, 7_000_000n]);
});

test('compares fees', () => {
  const fee = (price: string): string =>
    `{ input: "5", output: "25", fees: { request: "${price}" } }`;
  expect(found(sold(fee('0.01'), fee('0.02')))).toEqual([
    ['request', '', 10_000_000_000n, 20_000_000_000n],
  ]);
  expect(found(sold('{ input: "5", output: "25" }', fee('0.02')))).toEqual([
    ['request', '', 0n, 20_000_000_000n],
  ]);
});

test('compares each size and quality of images, which a cost may list for the size alone', () => {
  const head = SMALL_FILE.slice(0, SMALL_FILE.indexOf('  img-x'));
  const routes = '        routes: [{ upstream: builtin, model: x }]\n';
  const images = (cost: string) =>
    head +
    changedFile(
      routes,
      `        cost: { per_image: { ${cost} } }\n${routes}`,
      SMALL_FILE.slice(SMALL_FILE.indexOf('  img-x')),
    );
  const standard = ['512x512', '', 10_000_000_000n, 11_000_000_000n];
  expect(images('512x512: "0.011"')).toContain(IMAGES);
  expect(found(images('512x512: "0.011", 512x512/hd: "0.02"'))).toEqual([standard]);
  expect(found(images('512x512/standard: "0.011"'))).toEqual([standard]);
  expect(found(images('512x512: "0.021"'))).toEqual([
    ['512x512', '', 10_000_000_000n, 21_000_000_000n],
    ['512x512/hd', '', 20_000_000_000n, 21_000_000_000n],
  ]);
});

test('compares images by the token in each size and quality, also where only the cost has rows', () => {
  const whole = /price: \{ per_image: .*\n/.exec(SMALL_FILE)?.[0] ?? '';
  const images = (price: string, cost: string): string =>
    changedFile(whole, `price: ${price}\n        cost: ${cost}\n`).replace(
      '    qualities:',
      '    image_tokens: { 512x512: 100, 1024x1024: 200 }\n    qualities:',
    );
  const flat = (output: string) => `{ input: "5", image_output: "${output}" }`;
  const hd = '{ when: { quality: hd }, input: "5", image_output: "40" }';
  const byQuality = `{ input: "5", image_output: "30", rows: [${hd}] }`;
  expect(found(images(flat('40'), byQuality))).toEqual([]);
  expect(found(images(byQuality, byQuality))).toEqual([]);
  expect(found(images(flat('36'), byQuality))).toEqual([
    ['image_output', 'quality: hd', 36_000_000n, 40_000_000n],
  ]);
});
