import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Route } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import type { Upstream, WireFormat } from '../upstreams/upstream.ts';
import { orderDestinations } from './pick.ts';

const upstream = (name: string, ...formats: WireFormat[]): Upstream => ({
  name,
  formats: new Set(formats),
  quirks: NO_QUIRKS,
  hidden: [],
  send: () => Promise.reject(new Error('not called')),
});
const upstreams = new Map([
  ['a', upstream('a', 'chat')],
  ['b', upstream('b', 'chat')],
  ['m', upstream('m', 'messages')],
]);
const route = (name: string, weight: number): Route => ({
  upstream: name,
  model: 'x',
  weight,
  drop: [],
});

test('the first route is chosen by weight, the others follow as fallbacks', () => {
  const routes = [route('a', 3), route('b', 1)];
  const order = (draw: number) =>
    orderDestinations(routes, upstreams, 'chat', draw).map((d) => d.upstream.name);
  expect(order(0)).toEqual(['a', 'b']);
  expect(order(0.74)).toEqual(['a', 'b']);
  expect(order(0.75)).toEqual(['b', 'a']);
  expect(order(0.999)).toEqual(['b', 'a']);
});

test('whatever the draw, every able route is there exactly once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (weights, draw) => {
        const routes = weights.map((weight, i) => ({
          upstream: 'a',
          model: `m${i}`,
          weight,
          drop: [],
        }));
        const models = orderDestinations(routes, upstreams, 'chat', draw).map((d) => d.route.model);
        expect(models.toSorted()).toEqual(routes.map((r) => r.model).toSorted());
      },
    ),
  );
});

test('a route that speaks another dialect is passed over, and none at all is told', () => {
  const routes = [route('m', 1), route('a', 1)];
  expect(orderDestinations(routes, upstreams, 'chat', 0).map((d) => d.upstream.name)).toEqual([
    'a',
  ]);
  expect(() => orderDestinations([route('m', 1)], upstreams, 'chat', 0)).toThrow(GatewayError);
});
