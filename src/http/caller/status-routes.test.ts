import { expect, test } from 'bun:test';
import { NO_LIMITS } from '../../accounts/limits/limits.ts';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { manualClock } from '../../clock.fixture.ts';
import { SMALL_FILE, settingsOf } from '../../config/file.fixture.ts';
import { GatewayError } from '../../errors.ts';
import type { Person } from '../../people/person.ts';
import { type AttemptResult, RouteHealthBook } from '../../routing/route-health.ts';
import { edgeOf } from '../edge/edge.fixture.ts';
import { STATUS, statusRoutes } from './status-routes.ts';

const HOUR_MS = 3_600_000;
const PERSON: Person = {
  id: 'usr_1',
  email: 'a@b.example',
  name: 'A',
  role: 'read_only',
  accountId: 'acc',
};
const FAILURE: AttemptResult = { kind: 'failure', code: 'upstream_failed', cause: null };

function bench(isPublic = true) {
  const clock = manualClock();
  const catalogue = loadCatalogue(settingsOf(SMALL_FILE), 0);
  const health = new RouteHealthBook({ clock, onChange: () => {}, isProbed: () => false });
  const routes = statusRoutes({ catalogue: () => catalogue, health, clock, isPublic });
  const caller = { accountId: 'acc', keyId: 'key', keyName: 'key', allowExchange: true };
  const edge = edgeOf(routes, {
    authenticate: async (headers) => {
      if (!headers.has('authorization')) throw new GatewayError('invalid_api_key', 'No.');
      return { ...caller, limits: { key: NO_LIMITS, account: NO_LIMITS } };
    },
    signedIn: async (headers) => (headers.get('cookie') === 'signed-in' ? PERSON : null),
  });
  const exchanges = (times: number, verdict: AttemptResult): void => {
    for (let i = 0; i < times; i++) health.begin('builtin/x', 'whole').end(verdict);
  };
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await edge.fetch(new Request(`http://gate${path}`, { headers }));
  const text = async () => await (await get('/status.json')).text();
  return { clock, exchanges, get, text, body: async () => STATUS.parse(JSON.parse(await text())) };
}

test('is operational without hours right after the start', async () => {
  const { body } = bench();
  const { status, models } = await body();
  expect(status).toBe('healthy');
  expect(models[0]?.channels[0]).toMatchObject({
    channel: 'direct',
    default: true,
    status: 'healthy',
    success_rate: null,
    first_byte_ms: null,
    hours: Array.from({ length: 24 }, () => null),
  });
});

test('a failing channel is down, and so is a model without another one', async () => {
  const { exchanges, body } = bench();
  exchanges(5, FAILURE);
  const { status, models } = await body();
  expect([status, models[0]?.status, models[0]?.channels[0]?.status]).toEqual([
    'down',
    'down',
    'down',
  ]);
});

test('shows figures per channel without naming providers', async () => {
  const { exchanges, body, text } = bench();
  exchanges(15, { kind: 'success' });
  exchanges(5, FAILURE);
  const [model] = (await body()).models;
  expect(model?.channels[0]).toMatchObject({ status: 'healthy', success_rate: 0.75 });
  expect(model?.channels[0]?.hours.at(-1)).toBe(0.75);
  expect(await text()).not.toContain('builtin');
});

test('hours_from is the start of the oldest hour', async () => {
  const { clock, body } = bench();
  clock.advance(HOUR_MS / 2);
  const { at, hours_from, models } = await body();
  const hours = models[0]?.channels[0]?.hours ?? [];
  const elapsedMs = Date.parse(at) - Date.parse(hours_from);
  expect(Math.floor(elapsedMs / HOUR_MS)).toBe(hours.length - 1);
});

test('requires a key if it is not public; signed-in people need none', async () => {
  const closed = bench(false);
  expect((await closed.get('/status.json')).status).toBe(401);
  expect((await closed.get('/status.json', { authorization: 'Bearer right' })).status).toBe(200);
  const inside = await closed.get('/console/api/status', { cookie: 'signed-in' });
  expect(STATUS.parse(await inside.json()).status).toBe('healthy');
  expect((await bench().get('/console/api/status')).status).toBe(401);
});
