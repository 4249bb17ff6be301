import { expect, test } from 'bun:test';
import { withoutRoutes } from './without-routes.ts';

test('the next default channel is one that needs no price list, if there is one', () => {
  const routes = [{ upstream: 'b', model: 'x' }];
  const gone = { routes: [{ upstream: 'a', model: 'x' }] };
  const left = (channels: object): unknown => {
    const models = {
      'gen-x': { default_channel: 'direct', channels: { direct: gone, ...channels } },
    };
    return withoutRoutes({ models }, ({ upstream }) => upstream === 'a')['models'];
  };
  const stable = { only_on: ['partners'], routes };
  expect(left({ stable, economical: { routes } })).toMatchObject({
    'gen-x': { default_channel: 'economical' },
  });
  expect(left({ stable })).toMatchObject({ 'gen-x': { default_channel: 'stable' } });
});
