import { expect, test } from 'bun:test';
import { built, freeSchemas } from './on-demand.ts';

test('a value is made when it is first needed, once, and again after it was freed', () => {
  let count = 0;
  const made = built(() => {
    count += 1;
    return { count };
  });
  expect(count).toBe(0);
  expect([made(), made()].map((each) => each.count)).toEqual([1, 1]);
  freeSchemas();
  freeSchemas();
  expect(made().count).toBe(2);
});
