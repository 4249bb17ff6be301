import { expect, test } from 'bun:test';
import { chatModel } from '#catalogue/model.fixture.ts';
import { bestOf, differs, isKnown } from './comparison.tsx';

const model = (id: string, context: number | null) => chatModel(id, { context_length: context });
const property = {
  ...{ name: 'context', heading: 'Context', cell: () => null },
  value: ({ context_length: context }: ReturnType<typeof model>) => context,
};

test('the best value is the lowest or the highest, and several models may have it', () => {
  const models = [model('a', 1), model('b', 2), model('c', 2)];
  expect(bestOf({ ...property, best: 'least' }, models)).toEqual(['a']);
  expect(bestOf({ ...property, best: 'most' }, models)).toEqual(['b', 'c']);
  expect(bestOf(property, models)).toEqual([]);
});

test('no value is best if all are equal, or only one model has one', () => {
  expect(bestOf({ ...property, best: 'most' }, [model('a', 1), model('b', 1)])).toEqual([]);
  expect(bestOf({ ...property, best: 'most' }, [model('a', 1), model('b', null)])).toEqual([]);
});

test('models differ if one lacks what another has', () => {
  expect(differs(property, [model('a', 1), model('b', 1)])).toBe(false);
  expect(differs(property, [model('a', 1), model('b', null)])).toBe(true);
});

test('a property that no model has is not known', () => {
  expect(isKnown(property, [model('a', null), model('b', null)])).toBe(false);
  expect(isKnown(property, [model('a', null), model('b', 1)])).toBe(true);
});
