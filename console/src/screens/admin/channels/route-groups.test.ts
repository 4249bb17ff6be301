import { expect, test } from 'bun:test';
import {
  byModel,
  byUpstream,
  matching,
  type RouteHealth,
  share,
  standingCounts,
  testedGroups,
} from './route-groups.ts';

const route = (change: Partial<RouteHealth>): RouteHealth => ({
  model: 'gen-x',
  channel: 'direct',
  upstream: 'one',
  upstream_model: 'x',
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
  ...change,
});
const out = { standing: 'open', retry_in_ms: 900 } as const;

test('a channel is down when none of its routes is available', () => {
  const states = (...routes: readonly RouteHealth[]) =>
    byModel(routes).map(({ channels }) => channels.map(({ state }) => state));
  expect(states(route({}), route({ upstream: 'two' }))).toEqual([['well']]);
  expect(states(route(out), route({ upstream: 'two' }))).toEqual([['partly']]);
  expect(states(route(out), route({ standing: 'cooling', retry_in_ms: 1 }))).toEqual([['out']]);
  expect(states(route({ standing: 'open', retry_in_ms: 0 }))).toEqual([['partly']]);
  expect(states(route(out), route({ channel: 'stable' }), route({ model: 'b' }))).toEqual([
    ['out', 'well'],
    ['well'],
  ]);
});

test('a drained route does not make a channel unhealthy, unless it is the last one', () => {
  const drained = route({
    upstream: 'two',
    out_of_service: {
      ...{ state: 'drained', whole_upstream: false, return_at: null, reason: '' },
      ...{ at: '2026-11-20T12:00:00Z', by: 'admin', by_name: null },
    },
  });
  const stateOf = (...routes: readonly RouteHealth[]) => byModel(routes)[0]?.channels[0]?.state;
  expect([stateOf(route({}), drained), stateOf(drained), stateOf(route(out), drained)]).toEqual([
    'well',
    'out',
    'out',
  ]);
  expect(standingCounts([route({}), route(out), drained])).toEqual({ well: 1, bad: 1, out: 1 });
});

test("weights divide a channel's requests", () => {
  const routes = [route({ weight: 3 }), route({ weight: 1 })];
  expect(routes.map((it) => share(it, routes))).toEqual([0.75, 0.25]);
});

test('a standby route has a share only while no better one is available', () => {
  const [better, standby] = [route({}), route({ upstream: 'two', priority: 2, weight: 9 })];
  const shares = (...routes: readonly RouteHealth[]) => routes.map((it) => share(it, routes));
  expect(shares(better, standby)).toEqual([1, 0]);
  expect(shares({ ...better, ...out }, standby)).toEqual([0, 1]);
  expect(shares({ ...better, ...out }, { ...standby, ...out })).toEqual([1, 0]);
});

test('the share of a route that is out goes to the others of its priority', () => {
  const routes = [route(out), route({ upstream: 'two', weight: 3 }), route({ upstream: 'three' })];
  expect(routes.map((it) => share(it, routes))).toEqual([0, 0.75, 0.25]);
});

test('routes are found by model, channel or upstream, and by state', () => {
  const routes = [route({}), route({ upstream: 'Azure', ...out })];
  expect(matching(routes, 'azu', false)).toHaveLength(1);
  expect(matching(routes, ' GEN ', false)).toHaveLength(2);
  expect(matching(routes, '', true)).toEqual([routes[1] ?? route({})]);
});

test("an upstream's models have no duplicates", () => {
  const [one] = byUpstream([route({}), route({ channel: 'stable' })]);
  expect(one?.models).toEqual(['x']);
});

test('an upstream without a route is listed after those with routes', () => {
  const listed = byUpstream([route({})], ['spare', 'one']);
  expect(listed.map(({ upstream, routes }) => [upstream, routes.length])).toEqual([
    ['one', 1],
    ['spare', 0],
  ]);
});

test('all routes of a model are tested together, or those of a channel that has only some of them', () => {
  const one = route({});
  const two = route({ upstream: 'two' });
  const stable = route({ channel: 'stable' });
  const of = (...routes: readonly RouteHealth[]) =>
    testedGroups([...routes, route({ model: 'other' })], 'gen-x').map(
      ({ channel, routes: own }) => [channel, own.map(({ upstream }) => upstream)],
    );
  expect(of(one, two, stable)).toEqual([
    [null, ['one', 'two']],
    ['stable', ['one']],
  ]);
  expect(of(one, stable)).toEqual([[null, ['one']]]);
});
