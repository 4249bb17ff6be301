import { expect, test } from 'bun:test';
import { sharedRecordSteps } from './shared-records.ts';
import { finish } from './steps.ts';

const KNOWN = {
  fx: { 'USD/CNY': '7.1' },
  models: { a: { x: 1, y: [2] }, b: { x: 1 }, c: { x: 1, y: 2 } },
};

test('a document has the records of the known one that are written the same', () => {
  const next = {
    fx: { 'USD/CNY': '7.1' },
    list: [1],
    models: { c: { y: 2, x: 1 }, a: { x: 1, y: [2] }, b: { x: 2 }, d: { x: 1 } },
  };
  const shared = finish(sharedRecordSteps(KNOWN, next));
  expect(JSON.stringify(shared)).toBe(JSON.stringify(next));
  const models = Object(shared['models']);
  expect(models.a).toBe(KNOWN.models.a);
  // Another order of keys is another text.
  expect([models.b, models.c, models.d]).toEqual([{ x: 2 }, { y: 2, x: 1 }, { x: 1 }]);
  expect(models.c).toBe(next.models.c);
});

test('one record is compared a step', () => {
  expect([...sharedRecordSteps(KNOWN, KNOWN)]).toHaveLength(4);
});
