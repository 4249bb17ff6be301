import { expect, test } from 'bun:test';
import {
  type ChannelDraft,
  channelPatch,
  draftOf,
  draftProblems,
  mayBeListed,
} from './channel-draft.ts';

const PRICE = { input: '1', output: '2', example: true, fees: { web_search: '0.01' } };
const MODEL = {
  default_channel: 'direct',
  channels: {
    direct: {
      price: PRICE,
      cost: { input: '0.5', output: '1', source: 'a list' },
      routes: [{ upstream: 'a', model: 'x', weight: 3, drop: ['top_k'] }],
    },
  },
};
const NEW = { model: MODEL, channel: null } as const;
const DIRECT = { model: MODEL, channel: 'direct' } as const;
const patch = (opened: typeof NEW | typeof DIRECT, changed: Partial<ChannelDraft>): unknown =>
  Object(channelPatch('m', opened, { ...draftOf(opened), ...changed })['models']).m.channels;

test('a new channel begins with the price of the default channel, fees included', () => {
  const draft = draftOf(NEW);
  expect(draft).toMatchObject({ channel: 'stable', prices: ['1', '2', '0.01'], costs: ['', ''] });
  const routes = [{ upstream: 'a', model: ' y ', priority: '2', weight: '1', drop: [] }];
  expect(patch(NEW, { prices: ['1.5', '2', '0.01'], routes })).toEqual({
    stable: {
      price: { input: '1.5', output: '2', fees: { web_search: '0.01' } },
      routes: [{ upstream: 'a', model: 'y', priority: 2 }],
    },
  });
});

test('an existing channel keeps its price and the unchanged settings of its routes', () => {
  expect(patch(DIRECT, {})).toEqual({
    direct: { routes: [{ upstream: 'a', model: 'x', weight: 3, drop: ['top_k'] }] },
  });
});

test('a changed cost loses the note of its source, and an empty cost is removed', () => {
  expect(patch(DIRECT, { costs: ['0.6', '1'] })).toMatchObject({
    direct: { cost: { input: '0.6', output: '1', source: null } },
  });
  expect(patch(DIRECT, { costs: ['', ''] })).toMatchObject({ direct: { cost: null } });
});

test('a channel other than the default one can be sold only on price lists', () => {
  expect([mayBeListed(DIRECT), mayBeListed(NEW)]).toEqual([false, true]);
  expect(patch(NEW, { onlyOn: ['staff'] })).toMatchObject({ stable: { only_on: ['staff'] } });
  const { direct } = MODEL.channels;
  const model = { ...MODEL, channels: { direct, stable: { ...direct, only_on: ['staff'] } } };
  const opened = { model, channel: 'stable' } as const;
  expect(draftOf(opened).onlyOn).toEqual(['staff']);
  const patched = (onlyOn: string[]) =>
    Object(channelPatch('m', opened, { ...draftOf(opened), onlyOn })['models']).m.channels.stable;
  expect(patched(['staff'])).not.toHaveProperty('only_on');
  expect(patched(['staff', 'partners']).only_on).toEqual(['staff', 'partners']);
  expect(patched([]).only_on).toBeNull();
});

test('a channel needs routes with a valid priority and weight, and valid prices', () => {
  const route = { upstream: '', model: ' ', priority: '101', weight: '0', drop: [] };
  const problems = (changed: Partial<ChannelDraft>, opened: typeof NEW | typeof DIRECT = NEW) =>
    draftProblems({ ...draftOf(opened), ...changed }, opened);
  expect(problems({ routes: [] })).toEqual({ routes: 'noRoute' });
  expect(problems({ routes: [route] })).toEqual({
    'routes.0.upstream': 'noUpstream',
    'routes.0.model': 'noName',
    'routes.0.priority': 'noPriority',
    'routes.0.weight': 'noWeight',
  });
  const routes = [{ ...route, upstream: 'a', model: 'x', priority: '1', weight: '2' }];
  expect(problems({ routes, prices: ['1', '0.0000001', 'x'] })).toEqual({
    'prices.1': 'notPrice',
    'prices.2': 'notPrice',
  });
  expect(problems({ costs: ['', 'x'] }, DIRECT)).toEqual({ 'costs.1': 'notPrice' });
});
