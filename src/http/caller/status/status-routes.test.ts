import { expect, test } from 'bun:test';
import { NO_LIMITS } from '../../../accounts/limits/limits.ts';
import { DEFAULT_SCOPES, scopeBits } from '../../../accounts/scopes.ts';
import { loadCatalogue } from '../../../catalogue/load-catalogue.ts';
import { manualClock } from '../../../clock.fixture.ts';
import { SMALL_FILE, settingsOf } from '../../../config/file.fixture.ts';
import { GatewayError } from '../../../errors.ts';
import type { Person } from '../../../people/person.ts';
import { type NewNotice, noticeOf } from '../../../reports/notices/notice.ts';
import { figuresOf } from '../../../routing/channel-figures.fixture.ts';
import { type Figures, NO_FIGURES, sumOf } from '../../../routing/channel-figures.ts';
import { channelHealth } from '../../../routing/channel-health.ts';
import { type AttemptResult, RouteHealthBook } from '../../../routing/route-health.ts';
import type { HistorySnapshot } from '../../../telemetry/channel-history.ts';
import { edgeOf } from '../../edge/edge.fixture.ts';
import { STATUS, STATUS_HISTORY, statusRoutes } from './status-routes.ts';

const PERSON: Person = {
  id: 'usr_1',
  email: 'a@b.example',
  name: 'A',
  role: 'read_only',
  accountId: 'acc',
};
const FAILURE: AttemptResult = { kind: 'failure', code: 'upstream_failed', cause: null };
const OK = figuresOf({ ok: true, firstTokenMs: 100, generated: { tokens: 50, tookMs: 500 } });
const FAILED = figuresOf({ ok: false, firstTokenMs: null, generated: null });
const QUARTER_FAILED = sumOf(Array.from({ length: 20 }, (_, at) => (at % 4 === 0 ? FAILED : OK)));
const NOTICE: NewNotice = {
  ...{ kind: 'incident', title: 'Slow <answers>', text: 'A & B.', affects: [], state: null },
  ...{ startsAtMs: null, endsAtMs: null },
};
const NOON = '2026-11-20T12:00:00.000Z';

/**
 * @param latest the numbers of requests and the latencies of every channel in the current hour
 *   and day.
 */
function bench({
  isPublic = true,
  latest = NO_FIGURES,
  incidents = ['gen-x'],
  notice = null as Partial<NewNotice> | null,
  file = SMALL_FILE,
} = {}) {
  const clock = manualClock(Date.parse(NOON));
  const catalogue = loadCatalogue(settingsOf(file), 0);
  const [model = ''] = catalogue.models.keys();
  const health = new RouteHealthBook({ clock, onChange: () => {}, isProbed: () => false });
  const series = (count: number): Figures[] => [
    ...Array.from({ length: count - 1 }, () => NO_FIGURES),
    latest,
  ];
  const counts = { hours: series(24), days: series(90) };
  const snapshot: HistorySnapshot = {
    of: () => counts,
    incidents: incidents.map((id) => ({
      model: id === 'sold' ? model : id,
      channel: 'direct',
      fromMs: clock.nowMs() - 7_200_000,
      untilMs: clock.nowMs(),
      isOngoing: true,
      successRatio: 0.4567,
    })),
    hoursFromMs: clock.nowMs() - 23 * 3_600_000,
    daysFromMs: clock.nowMs() - 89 * 86_400_000,
  };
  const routes = statusRoutes({
    catalogue: () => catalogue,
    history: async () => snapshot,
    healthOf: (history) => (sold, channel) =>
      channelHealth(health, channel, history.of(sold.id, channel.name)),
    notices: async () =>
      notice === null ? [] : [noticeOf('ntc_1', { ...NOTICE, ...notice }, clock.nowMs())],
    siteName: () => 'Modelgate',
    publicUrl: 'http://gate?a&b',
    clock,
    isPublic: () => isPublic,
  });
  const who = { accountId: 'acc', keyId: 'key', keyName: 'key' };
  const caller = { ...who, allowExchange: true, priceList: null };
  const edge = edgeOf(routes, {
    authenticate: async (headers) => {
      if (!headers.has('authorization')) throw new GatewayError('invalid_api_key', 'No.');
      return {
        ...caller,
        limits: { key: NO_LIMITS, account: NO_LIMITS },
        scopes: scopeBits(DEFAULT_SCOPES),
      };
    },
    signedIn: async (headers) => (headers.get('cookie') === 'signed-in' ? PERSON : null),
  });
  const fail = (times: number): void => {
    for (let i = 0; i < times; i++) health.begin('builtin/x', 'whole').end(FAILURE);
  };
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await edge.fetch(new Request(`http://gate${path}`, { headers }));
  const text = async () => await (await get('/status.json')).text();
  const days = async (query = '') =>
    STATUS_HISTORY.parse(await (await get(`/status/history.json${query}`)).json());
  const body = async () => STATUS.parse(JSON.parse(await text()));
  return { model, fail, get, text, body, days };
}

test('is unknown, not healthy, right after the start', async () => {
  const { body } = bench();
  const { status, hours_from: from, models } = await body();
  expect([status, models[0]?.status]).toEqual(['unknown', 'unknown']);
  expect(from).toBe('2026-11-19T13:00:00.000Z');
  expect(models[0]?.channels[0]).toMatchObject({
    channel: 'direct',
    default: true,
    status: 'unknown',
    success_rate: null,
    uptime_90d: null,
    first_byte_ms: null,
    hours: Array.from({ length: 24 }, () => null),
  });
});

test('a channel whose routes are all paused is down, and so is a model without another', async () => {
  const { fail, body } = bench();
  fail(5);
  const { status, models } = await body();
  expect([status, models[0]?.status, models[0]?.channels[0]?.status]).toEqual([
    'down',
    'down',
    'down',
  ]);
});

test('shows figures per channel without naming providers', async () => {
  const { body, text } = bench({ latest: QUARTER_FAILED });
  const { status, models } = await body();
  expect(status).toBe('degraded');
  expect(models[0]?.channels[0]).toMatchObject({
    status: 'degraded',
    success_rate: 0.75,
    uptime_90d: 0.75,
    tokens_per_second: 100,
  });
  expect(models[0]?.channels[0]?.hours.at(-1)).toBe(0.75);
  expect(await text()).not.toContain('builtin');
});

test('the history has 90 days per channel, with the speed of one model', async () => {
  const { days, model } = bench({ latest: QUARTER_FAILED });
  const all = await days();
  expect(all.days_from).toBe('2026-08-23T12:00:00.000Z');
  expect(all.models[0]?.channels[0]?.days.length).toBe(90);
  expect(all.models[0]?.channels[0]?.days.at(-1)).toBe(0.75);
  expect(all.models[0]?.channels[0]).not.toHaveProperty('first_token_ms');
  const one = await days(`?model=${model}`);
  expect(one.models.map(({ id }) => id)).toEqual([model]);
  expect(one.models[0]?.channels[0]?.first_token_ms?.at(-1)).toBe(103);
  expect(one.models[0]?.channels[0]?.tokens_per_second?.at(-1)).toBe(100);
  expect((await days('?model=none')).models).toEqual([]);
});

test('lists incidents of models that are sold, and feeds them to readers', async () => {
  const { days, get, model } = bench({ incidents: ['sold', 'no-longer-sold'] });
  const { incidents } = await days();
  expect(incidents).toEqual([
    {
      model,
      name: incidents[0]?.name ?? '',
      channel: 'direct',
      from: '2026-11-20T10:00:00.000Z',
      until: NOON,
      ongoing: true,
      success_rate: 0.457,
    },
  ]);
  const feed = await get('/status/incidents.atom');
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const text = await feed.text();
  expect(text.match(/<entry>/g)).toHaveLength(1);
  expect(text).toContain('on direct: 54.3 % of requests failed</title>');
  expect(text).toContain('<link rel="self" href="http://gate?a&amp;b/status/incidents.atom"/>');
});

test('an open incident that the operator wrote is shown and degrades the status', async () => {
  const { body, days, model } = bench({
    notice: { affects: [{ model: 'no-longer-sold', channel: null }] },
  });
  const { status, notices } = await body();
  expect(status).toBe('degraded');
  expect(notices).toMatchObject([
    {
      ...{ id: 'ntc_1', kind: 'incident', state: 'investigating', starts_at: NOON, ends_at: null },
      affects: [{ model: 'no-longer-sold', name: null, channel: null }],
      updates: [{ at: NOON, state: 'investigating', text: 'A & B.' }],
    },
  ]);
  expect((await days()).notices).toEqual(notices);
  expect((await days(`?model=${model}`)).notices).toEqual([]);
});

test('an incident never names what is sold only on price lists', async () => {
  const hidden = SMALL_FILE.replace('kind: image', 'only_on: [partners]\n    kind: image');
  const file = `${hidden}price_lists: { partners: {} }\n`;
  const [ofHidden, ofSold] = ['img-x', 'gen-x'].map((model) => ({ model, channel: null }));
  if (ofHidden === undefined || ofSold === undefined) throw new Error('no models');
  const both = bench({ file, notice: { affects: [ofHidden, ofSold] } });
  expect((await both.body()).notices[0]?.affects).toMatchObject([ofSold]);
  expect((await both.days('?model=img-x')).notices).toEqual([]);
  const one = bench({ file, incidents: ['img-x'], notice: { affects: [ofHidden] } });
  expect(await one.body()).toMatchObject({ status: 'unknown', notices: [] });
  expect(await one.days()).toMatchObject({ incidents: [], notices: [] });
  expect(await (await one.get('/status/incidents.atom')).text()).not.toContain('<entry>');
});

test('a resolved incident is history, and planned maintenance degrades nothing', async () => {
  const resolved = bench({ notice: { state: 'resolved' } });
  expect(await resolved.body()).toMatchObject({ status: 'unknown', notices: [] });
  expect((await resolved.days()).notices[0]?.state).toBe('resolved');
  const endsAtMs = Date.parse(NOON) + 3_600_000;
  const planned = await bench({ notice: { kind: 'maintenance', endsAtMs } }).body();
  expect([planned.status, planned.notices[0]?.state]).toEqual(['unknown', 'in_progress']);
});

test('the feed escapes what the operator wrote', async () => {
  const { get } = bench({ notice: { text: 'A & B.\u0007 </content>' } });
  const feed = await (await get('/status/incidents.atom')).text();
  expect(feed).toContain('<title>Slow &lt;answers&gt;</title>');
  expect(feed).toContain('<summary>Investigating. A &amp; B. &lt;/content&gt;</summary>');
  expect(feed).toContain('<id>http://gate?a&amp;b/console/status?notice=ntc_1</id>');
});

test('requires a key if it is not public; signed-in people need none', async () => {
  const closed = bench({ isPublic: false });
  const key = { authorization: 'Bearer right' };
  for (const path of ['/status.json', '/status/history.json', '/status/incidents.atom']) {
    expect((await closed.get(path)).status).toBe(401);
    const opened = await closed.get(path, key);
    expect([opened.status, opened.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await bench().get(path)).headers.get('cache-control')).toStartWith('public');
  }
  const inside = await closed.get('/console/api/status', { cookie: 'signed-in' });
  expect(STATUS.parse(await inside.json()).status).toBe('unknown');
  expect((await closed.get('/console/api/status/history', { cookie: 'signed-in' })).status).toBe(
    200,
  );
  expect((await bench().get('/console/api/status')).status).toBe(401);
});
