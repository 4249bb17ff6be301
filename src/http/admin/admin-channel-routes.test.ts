import { expect, test } from 'bun:test';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { manualClock } from '../../clock.fixture.ts';
import { changedFile, SMALL_FILE, settingsOf } from '../../config/file.fixture.ts';
import { perPrice } from '../../money/usage.ts';
import { unreadJournal } from '../../telemetry/request-journal.fixture.ts';
import { edgeOf } from '../edge/edge.fixture.ts';
import { adminChannelRoutes } from './admin-channel-routes.ts';

async function offers(file: string) {
  const catalogue = loadCatalogue(settingsOf(file), 0);
  const clock = { nowMs: () => Date.parse('2026-11-23T12:00:00Z') };
  const routes = adminChannelRoutes({ catalogue: () => catalogue, clock });
  const edge = edgeOf(routes, { journal: unreadJournal(manualClock(0)) });
  const headers = { authorization: 'Bearer admin' };
  const request = new Request('http://gate/admin/v1/channels', { headers });
  return (await (await edge.fetch(request)).json()).data;
}

test('shows a channel with its price and the configured cost', async () => {
  const price = 'price: { input: "5.00", output: "25.00" }';
  const file = changedFile(
    price,
    `${price}\n        cost: { input: "4.00", output: "20.00", cache_read: "0.40" }`,
  );
  const [chat, image] = await offers(file);
  const nothing = { ...perPrice(() => null), per_image: null };
  expect(chat).toMatchObject({
    model: 'gen-x',
    channel: 'direct',
    default: true,
    example: false,
    settlement: 'USD',
    price: { ...nothing, currency: 'USD', unit: '1M tokens', input: '5.00', output: '25.00' },
    cost: { ...nothing, unit: '1M tokens', input: '4.00', output: '20.00', cache_read: '0.40' },
  });
  expect(image).toMatchObject({ model: 'img-x', kind: 'image', cost: null });
});

test('shows where a price is from, and whether it should be read again', async () => {
  const price = 'price: { input: "5.00", output: "25.00"';
  const noted = async (review: string) => {
    const notes = `, source: "a page", review: "${review}" }`;
    const [{ source, review: by, review_due: isDue }] = await offers(
      changedFile(`${price} }`, `${price}${notes}`),
    );
    return [source, by, isDue];
  };
  expect(await noted('2026-11-23')).toEqual(['a page', '2026-11-23', false]);
  expect(await noted('2026-11-22')).toEqual(['a page', '2026-11-22', true]);
  const [plain] = await offers(SMALL_FILE);
  expect([plain.source, plain.review, plain.review_due]).toEqual([null, null, false]);
});

test('shows the cost of an image by size and quality', async () => {
  const routes = 'routes: [{ upstream: builtin, model: x }]\n';
  const at = SMALL_FILE.lastIndexOf(routes);
  const file = `${SMALL_FILE.slice(0, at)}cost: { per_image: { 512x512: "0.005" } }\n        ${routes}`;
  const [, image] = await offers(file);
  expect(image.cost).toMatchObject({
    unit: 'image',
    per_image: { '512x512': '0.005' },
    input: null,
  });
});
