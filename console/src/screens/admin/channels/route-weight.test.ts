import { expect, test } from 'bun:test';
import { shareWith, weightPatch } from './route-weight.ts';

const PLACE = { model: 'm', channel: 'direct', upstream: 'a', upstream_model: 'x' } as const;
const ROUTES = [
  { upstream: 'a', model: 'x', drop: ['seed'] },
  { upstream: 'b', model: 'x', weight: 3 },
];
const DOCUMENT = { models: { m: { channels: { direct: { price: {}, routes: ROUTES } } } } };

test('a change of a weight keeps the other routes and settings of the list', () => {
  expect(weightPatch(DOCUMENT, { ...PLACE, weight: 1 }, 5)).toEqual({
    models: {
      m: { channels: { direct: { routes: [{ ...ROUTES[0], weight: 5 }, ROUTES[1]] } } },
    },
  });
});

test('a route that the configuration does not have cannot be changed', () => {
  expect(weightPatch(DOCUMENT, { ...PLACE, weight: 1, upstream: 'c' }, 5)).toBeNull();
  expect(weightPatch({}, { ...PLACE, weight: 1 }, 5)).toBeNull();
});

test('the share follows the weights of the same channel', () => {
  const all = [
    { ...PLACE, weight: 1 },
    { ...PLACE, upstream: 'b', weight: 3 },
    { ...PLACE, channel: 'stable', weight: 100 },
  ] as const;
  expect(shareWith(all[0], all, 1)).toBe(0.25);
  expect(shareWith(all[0], all, 9)).toBe(0.75);
});
