import { describe, expect, test } from 'bun:test';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { manualClock } from '../clock.ts';
import { SMALL_FILE, settingsOf } from '../config/file.fixture.ts';
import { MODEL_SCHEMA } from './catalogue-doc.ts';
import { serving } from './catalogue-room.fixture.ts';

type Json = Readonly<Record<string, unknown>>;

const small = (): Catalogue => loadCatalogue(settingsOf(SMALL_FILE), 0);

test('what a model says is what its description says', async () => {
  const page: { data: Json[] } = await (await serving(small)('/v1/models')).json();
  const [model] = page.data;
  const described = Object.keys(MODEL_SCHEMA.properties);
  expect(described.filter((name) => !(name in (model ?? {})))).toEqual([]);
  const channel = Object(model?.['channels'])[0];
  const { properties } = MODEL_SCHEMA.properties.channels.items;
  expect(Object.keys(properties)).toEqual(Object.keys(channel));
  expect(Object.keys(properties.price.properties)).toEqual(Object.keys(channel.price));
});

describe('the health of a channel', () => {
  test('is told of each, with nothing of who stands behind it', async () => {
    const get = serving(small, true, ({ name, routes }) => {
      expect([name, routes.length]).toEqual(['direct', 1]);
      return { status: 'degraded', successRatio: 2 / 3, firstByteMs: { p50: 310, p95: 2_400 } };
    });
    const text = await (await get('/v2/models')).text();
    const page: { data: { channels: Json[] }[] } = JSON.parse(text);
    for (const { channels } of page.data) {
      expect(channels[0]?.['health']).toEqual({
        status: 'degraded',
        success_rate: 0.667,
        first_byte_ms: { p50: 310, p95: 2_400 },
      });
    }
    expect(text).not.toContain('builtin');
  });

  test('is looked at every ten seconds, and its change is another version of the list', async () => {
    const clock = manualClock();
    const current = small();
    let status: 'healthy' | 'down' = 'healthy';
    const health = () => ({ status, successRatio: null, firstByteMs: null });
    const get = serving(() => current, true, health, clock);
    const etag = (await get('/v1/models')).headers.get('etag') ?? '';
    status = 'down';
    clock.advance(9_999);
    expect((await get('/v1/models')).headers.get('etag')).toBe(etag);
    clock.advance(1);
    const changed = await get('/v1/models', { 'if-none-match': etag });
    expect(await changed.text()).toContain('"health":{"status":"down"');
  });
});
