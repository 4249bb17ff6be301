import { expect, test } from 'bun:test';
import { haveTermsChanged, linesOf, type PriceCard, versionsOf } from './card-changes.ts';

const card = (id: string, change: Partial<PriceCard>): PriceCard => ({
  id,
  model: 'gen-x',
  channel: 'direct',
  price_list: null,
  currency: 'USD',
  published_at: '2026-11-21T12:00:00Z',
  in_force: true,
  effective_from: null,
  per_1m_tokens: null,
  price_terms: null,
  ...{ source: null, review: null, review_due: false },
  per_image: { '1x1': '0.04', '2x2': '0.08' },
  ...change,
});

test('each card is compared with the previous version for its model and channel', () => {
  const cards = [card('c', {}), card('other', { channel: 'stable' }), card('b', {}), card('a', {})];
  const previous = (isWhole: boolean) =>
    versionsOf(cards, isWhole).map((version) =>
      typeof version.previous === 'string' ? version.previous : version.previous.id,
    );
  expect(previous(true)).toEqual(['b', 'first', 'a', 'first']);
  expect(previous(false)).toEqual(['b', 'unknown', 'a', 'unknown']);
});

test('changed, added and removed prices come first', () => {
  const before = card('a', {
    per_image: { same: '1.00', cheap: '2.00', dear: '3.00', old: '4.00' },
  });
  const now = card('b', {
    per_image: { same: '1', cheap: '1.5', dear: '3.000000001', fresh: '9' },
  });
  expect(
    linesOf({ card: now, previous: before }).map(({ name, direction }) => [name, direction]),
  ).toEqual([
    ['cheap', 'down'],
    ['dear', 'up'],
    ['fresh', 'new'],
    ['old', 'removed'],
    ['same', 'same'],
  ]);
});

test('the first version has no changes', () => {
  expect(linesOf({ card: card('a', {}), previous: 'first' }).map((it) => it.direction)).toEqual([
    'same',
    'same',
  ]);
});

test('a version with other conditions but equal prices is recognized', () => {
  const terms = {
    ...{ rows: [], times: [], fees: [{ unit: 'web_search' as const, fee: '0.01' }] },
    ...{ accepts: { tier: [], speed: [], geo: [], tools: [] }, time_zone: 'UTC' },
    offers: { tier: ['default'], speed: ['standard'], geo: ['global'], size: [], quality: [] },
  };
  const [before, now] = [card('a', { price_terms: terms }), card('b', { price_terms: null })];
  expect(haveTermsChanged({ card: now, previous: before })).toBe(true);
  expect(haveTermsChanged({ card: before, previous: { ...before } })).toBe(false);
  expect(haveTermsChanged({ card: now, previous: 'first' })).toBe(false);
});
