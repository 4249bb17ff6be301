import { expect, test } from 'bun:test';
import { filtersOf, MAX_VIEWS, viewsOf, withView } from './saved-views.ts';
import { choiceOf, NO_CHOICE } from './table-choice.ts';

test('a view has the filters, but not the open request or the page', () => {
  expect(filtersOf('?status=failed&id=req_1&after=abc&model=gen-x')).toBe(
    'model=gen-x&status=failed',
  );
  expect(filtersOf('?new=true')).toBe('');
});

test('a list keeps a bounded number of views, each with its own name', () => {
  const many = Array.from({ length: MAX_VIEWS + 5 }, (_, at) => ({ name: `v${at}`, query: 'a=1' }));
  const kept = many.reduce(withView, viewsOf('[]'));
  expect(kept).toHaveLength(MAX_VIEWS);
  expect(withView(kept.slice(0, 2), { name: 'v0', query: 'b=2' })).toEqual([
    { name: 'v1', query: 'a=1' },
    { name: 'v0', query: 'b=2' },
  ]);
});

test('invalid text in the browser storage counts as no view and no choice', () => {
  expect(viewsOf(undefined)).toEqual([]);
  expect(viewsOf('{"name":1}')).toEqual([]);
  expect(viewsOf('[null, 7, {"name":"a"}, {"name":"b","query":"c=1"}]')).toEqual([
    { name: 'b', query: 'c=1' },
  ]);
  expect(choiceOf('nonsense')).toEqual(NO_CHOICE);
  expect(choiceOf('{"shown":{"cost":false,"x":1},"sort":{"column":"cost"}}')).toEqual({
    shown: { cost: false },
    sort: null,
  });
});
