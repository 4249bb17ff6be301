import { expect, test } from 'bun:test';
import { type RoutePlace, rankPatch, shareWith } from './route-weight.ts';

const PLACE: RoutePlace = {
  ...{ model: 'm', channel: 'direct', upstream: 'a', upstream_model: 'x' },
  ...{ priority: 1, weight: 1, out_of_service: null, standing: 'closed', since: null },
  ...{ retry_in_ms: 0, in_flight: 0, ended: 0, success_rate: null, first_byte_ms: null },
  last_failure: null,
};
const ROUTES = [
  { upstream: 'a', model: 'x', drop: ['seed'] },
  { upstream: 'b', model: 'x', weight: 3, priority: 2 },
];
const DOCUMENT = { models: { m: { channels: { direct: { price: {}, routes: ROUTES } } } } };
const patchTo = (...routes: readonly object[]) => ({
  models: { m: { channels: { direct: { routes } } } },
});

test('a change keeps the other routes and settings of the list', () => {
  expect(rankPatch(DOCUMENT, PLACE, { priority: 1, weight: 5 })).toEqual(
    patchTo({ ...ROUTES[0], weight: 5 }, { ...ROUTES[1] }),
  );
  expect(rankPatch(DOCUMENT, { ...PLACE, upstream: 'b' }, { priority: 1, weight: 3 })).toEqual(
    patchTo({ ...ROUTES[0] }, { ...ROUTES[1], priority: 1 }),
  );
});

test('a route that the configuration does not have cannot be changed', () => {
  expect(rankPatch(DOCUMENT, { ...PLACE, upstream: 'c' }, PLACE)).toBeNull();
  expect(rankPatch({}, PLACE, PLACE)).toBeNull();
});

test('the share follows the weights of the same channel and priority', () => {
  const all: readonly RoutePlace[] = [
    PLACE,
    { ...PLACE, upstream: 'b', weight: 3 },
    { ...PLACE, channel: 'stable', weight: 100 },
  ];
  expect(shareWith(PLACE, all, { priority: 1, weight: 1 })).toBe(0.25);
  expect(shareWith(PLACE, all, { priority: 1, weight: 9 })).toBe(0.75);
  expect(shareWith(PLACE, all, { priority: 2, weight: 9 })).toBe(0);
  const paused = { ...PLACE, standing: 'open' as const, retry_in_ms: 5_000 };
  expect(shareWith(paused, all, { priority: 1, weight: 9 })).toBe(0.75);
});
