import { expect, test } from 'bun:test';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { manualClock } from '../../clock.fixture.ts';
import { changedFile, settingsOf } from '../../config/file.fixture.ts';
import { type AttemptResult, RouteHealthBook } from '../../routing/route-health.ts';
import { unreadJournal } from '../../telemetry/request-journal.fixture.ts';
import { edgeOf } from '../edge/edge.fixture.ts';
import { adminHealthRoutes } from './admin-health-routes.ts';

const FILE = changedFile('[{ upstream: builtin, model: x }]', '[{ upstream: builtin, model: y }]');

function room() {
  const clock = manualClock(Date.parse('2026-11-21T12:00:00Z'));
  const health = new RouteHealthBook({ clock, onChange: () => {}, isProbed: () => false });
  const catalogue = loadCatalogue(settingsOf(FILE), 0);
  const edge = edgeOf(
    adminHealthRoutes({ catalogue: () => catalogue, health, states: { of: () => null }, clock }),
    {
      journal: unreadJournal(clock),
    },
  );
  const routes = async () => {
    const headers = { authorization: 'Bearer admin' };
    const request = new Request('http://gate/admin/v1/routes', { headers });
    return (await (await edge.fetch(request)).json()).data;
  };
  const exchange = (verdict: AttemptResult, firstByteMs: number): void => {
    const trial = health.begin('builtin/y', 'stream');
    clock.advance(firstByteMs);
    trial.firstByte();
    trial.end(verdict);
  };
  return { clock, health, routes, exchange };
}

test('lists every route of every channel before its first request', async () => {
  const untried = {
    channel: 'direct',
    upstream: 'builtin',
    weight: 1,
    priority: 1,
    out_of_service: null,
    standing: 'closed',
    since: null,
    retry_in_ms: 0,
    in_flight: 0,
    ended: 0,
    success_rate: null,
    first_byte_ms: null,
    last_failure: null,
  };
  expect(await room().routes()).toEqual([
    { ...untried, model: 'gen-x', upstream_model: 'y' },
    { ...untried, model: 'img-x', upstream_model: 'x' },
  ]);
});

test('shows since when and why a route fails, and when it is retried', async () => {
  const { clock, health, routes, exchange } = room();
  health.begin('builtin/y', 'stream');
  exchange({ kind: 'success' }, 200);
  exchange({ kind: 'unknown' }, 200);
  for (let i = 0; i < 5; i++) {
    exchange({ kind: 'failure', code: 'upstream_refused_us', cause: 'it refused our key' }, 0);
  }
  clock.advance(1_500);
  const [route] = await routes();
  expect(route).toMatchObject({
    standing: 'open',
    since: '2026-11-21T12:00:00.400Z',
    retry_in_ms: 3_500,
    in_flight: 1,
    ended: 6,
    success_rate: 0.167,
    last_failure: {
      code: 'upstream_refused_us',
      cause: 'it refused our key',
      at: '2026-11-21T12:00:00.400Z',
    },
  });
});
