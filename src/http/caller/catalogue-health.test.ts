import { describe, expect, test } from 'bun:test';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { manualClock } from '../../clock.fixture.ts';
import { loadConfig } from '../../config/config.ts';
import { SMALL_FILE, settingsOf } from '../../config/file.fixture.ts';
import type { ChannelHealth } from '../../routing/channel-health.ts';
import { MODEL_LIST } from './catalogue-doc.ts';
import { serving } from './catalogue-room.fixture.ts';
import type { HealthOf } from './channel-health-body.ts';

type Json = Readonly<Record<string, unknown>>;

const small = (): Catalogue => loadCatalogue(settingsOf(SMALL_FILE), 0);

const SHIPPED = loadCatalogue(loadConfig({ path: null, env: {} }), 0);
const HEALTH: ChannelHealth = {
  status: 'healthy',
  lastDay: { successRatio: 1, firstTokenMs: { p50: 12, p95: 340 }, tokensPerSecond: 81.23 },
  last90Days: { successRatio: 0.9987, firstTokenMs: null, tokensPerSecond: null },
};

test('models match their schema', async () => {
  const get = serving(
    () => SHIPPED,
    true,
    () => HEALTH,
  );
  const page = MODEL_LIST().parse(await (await get('/v1/models')).json());
  expect(page.data.map(({ kind }) => kind)).toContain('image');
});

describe('channel health', () => {
  test('is shown per channel without naming providers', async () => {
    const get = serving(small, true, (model, { name, routes }) => {
      expect([model.name, name, routes.length]).toEqual([model.id, 'direct', 1]);
      return { ...HEALTH, status: 'degraded' };
    });
    const text = await (await get('/v2/models')).text();
    const page: { data: { channels: Json[] }[] } = JSON.parse(text);
    expect(page.data).not.toBeEmpty();
    for (const { channels } of page.data) {
      expect(channels[0]?.['health']).toEqual({
        status: 'degraded',
        success_rate: 1,
        uptime_90d: 0.999,
        first_byte_ms: { p50: 12, p95: 340 },
        tokens_per_second: 81.2,
      });
    }
    expect(text).not.toContain('builtin');
  });

  test('is refreshed every ten seconds, and changes the entity tag', async () => {
    const clock = manualClock();
    const current = small();
    let status: 'healthy' | 'down' = 'healthy';
    const health = () => ({ ...HEALTH, status });
    const get = serving(() => current, true, health, clock);
    const etag = (await get('/v1/models')).headers.get('etag') ?? '';
    status = 'down';
    clock.advance(9_999);
    expect((await get('/v1/models')).headers.get('etag')).toBe(etag);
    clock.advance(1);
    const changed = await get('/v1/models', { 'if-none-match': etag });
    expect(await changed.text()).toContain('"health":{"status":"down"');
  });

  test('is judged model by model in slices, once for all who ask meanwhile', async () => {
    const all = small();
    const clock = { nowMs: 0, turns: 0 };
    const judged: string[] = [];
    const health: HealthOf = (model) => {
      judged.push(model.id);
      // Simulates that judging a model takes longer than a time slice, so that other requests get a
      // turn after each model.
      clock.nowMs += 5;
      return HEALTH;
    };
    const sliced = {
      ...manualClock(),
      monotonicMs: () => clock.nowMs,
      sleep: async () => {
        clock.turns += 1;
      },
    };
    const get = serving(() => all, true, health, sliced);
    const [one, two] = await Promise.all([get('/v1/models'), get('/v1/models')]);
    expect(judged).toEqual(['gen-x', 'img-x']);
    expect(clock.turns).toBe(2);
    expect(await one.text()).toBe(await two.text());
  });
});

test('the list is made for Codex only once while it does not change', async () => {
  let reads = 0;
  const catalogue: Catalogue = {
    ...SHIPPED,
    get models() {
      reads += 1;
      return SHIPPED.models;
    },
  };
  const serve = serving(() => catalogue);
  const text = async () => await (await serve('/v1/models?client_version=0.169.0')).text();
  const first = await text();
  const before = reads;
  expect([await text(), reads]).toEqual([first, before]);
});

test('shows the settlement rate of a model that settles in another currency', async () => {
  const page = MODEL_LIST().parse(await (await serving(() => SHIPPED)('/v1/models')).json());
  const rates = page.data.map(({ settlement, settlement_rate: rate }) => [settlement, rate?.rate]);
  expect(rates).toContainEqual(['CNY', '7.10']);
  expect(rates).toContainEqual(['USD', undefined]);
});
