import { expect, test } from 'bun:test';
import { sharedRecordSteps } from './shared-records.ts';
import { finish } from './steps.ts';

const KNOWN = {
  fx: { 'USD/CNY': '7.1' },
  models: { a: { x: 1, y: [2] }, b: { x: 1 }, c: { x: 1, y: 2 } },
  price_lists: { l: { factor: '1', models: { a: { p: '1' }, b: { p: '2' } } } },
};

test('a document has the parts of the known one that are written the same', () => {
  const next = {
    fx: { 'USD/CNY': '7.1' },
    list: [1],
    models: { c: { y: 2, x: 1 }, a: { x: 1, y: [2] }, b: { x: 2 }, d: { x: 1 } },
    price_lists: { l: { factor: '1', models: { a: { p: '1' }, b: { p: '3' } } } },
  };
  const shared = finish(sharedRecordSteps(KNOWN, next));
  expect(JSON.stringify(shared)).toBe(JSON.stringify(next));
  const models = Object(shared['models']);
  expect(models.a).toBe(KNOWN.models.a);
  // Values with a different order of keys are not equal, because their YAML text differs.
  expect([models.b, models.c, models.d]).toEqual([{ x: 2 }, { y: 2, x: 1 }, { x: 1 }]);
  expect(models.c).toBe(next.models.c);
  expect(shared['fx']).toBe(KNOWN.fx);
  const listed = Object(shared['price_lists']).l.models;
  expect(listed.a).toBe(KNOWN.price_lists.l.models.a);
  expect(listed.b).toEqual({ p: '3' });
});

test('a document that is written the same is the known one, unless it has less or more', () => {
  expect(finish(sharedRecordSteps(KNOWN, structuredClone(KNOWN)))).toBe(KNOWN);
  const { fx: _, ...less } = structuredClone(KNOWN);
  expect(Object.keys(finish(sharedRecordSteps(KNOWN, less)))).toEqual(['models', 'price_lists']);
  const { c: _c, ...models } = structuredClone(KNOWN.models);
  const fewer = finish(sharedRecordSteps(KNOWN, { ...KNOWN, models }));
  expect(fewer['models']).toEqual(models);
});

test('one record is compared a step', () => {
  expect([...sharedRecordSteps(KNOWN, structuredClone(KNOWN))]).toHaveLength(4);
});
