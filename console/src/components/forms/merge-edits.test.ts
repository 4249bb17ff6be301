import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { mergeEdits, valueAt, withFields } from './merge-edits.ts';

const OPENED = { name: 'ci', limits: { day: '5', month: '', models: ['a'] } };
const withLimits = (limits: Partial<(typeof OPENED)['limits']>, name = OPENED.name) => ({
  name,
  limits: { ...OPENED.limits, ...limits },
});

describe('mergeEdits', () => {
  test('keeps both changes of different fields', () => {
    const merged = mergeEdits(OPENED, withLimits({ day: '9' }), withLimits({ month: '20' }));
    expect(merged).toEqual({
      values: withLimits({ day: '9', month: '20' }),
      clashes: [],
      kept: ['limits.day'],
    });
  });

  test('reports a field that both changed, and keeps what the person entered', () => {
    const theirs = withLimits({ day: '9', models: ['a', 'b'] }, 'build');
    const mine = withLimits({ day: '7', models: ['c'] });
    expect(mergeEdits(OPENED, theirs, mine)).toEqual({
      values: withLimits({ day: '7', models: ['c'] }, 'build'),
      clashes: ['limits.day', 'limits.models'],
      kept: ['name'],
    });
  });

  test('the same change of both is no conflict', () => {
    const same = withLimits({ day: '9' });
    expect(mergeEdits(OPENED, same, same)).toEqual({ values: same, clashes: [], kept: [] });
  });

  test('a value that was saved in another spelling is no conflict', () => {
    const theirs = withLimits({ day: '1300.00' }, 'build');
    const mine = withLimits({ day: '1,300' }, ' build ');
    expect(mergeEdits(OPENED, theirs, mine)).toMatchObject({ clashes: [], kept: [] });
    expect(mergeEdits(OPENED, theirs, withLimits({ day: '1301' }, 'Build')).clashes).toEqual([
      'name',
      'limits.day',
    ]);
  });

  test('takes chosen fields from other values', () => {
    const other = withLimits({ day: '9', month: '20', models: ['b'] }, 'build');
    expect(withFields(OPENED, other, ['limits.day', 'limits.models'])).toEqual(
      withLimits({ day: '9', models: ['b'] }),
    );
    expect(withFields(OPENED, other, [])).toEqual(OPENED);
  });

  test('loses no change of either person', () => {
    const values = fc.record({ a: fc.nat(2), b: fc.record({ c: fc.nat(2), d: fc.nat(2) }) });
    const paths = ['a', 'b.c', 'b.d'];
    fc.assert(
      fc.property(values, values, values, (opened, theirs, mine) => {
        const { values: merged, clashes, kept } = mergeEdits(opened, theirs, mine);
        for (const path of paths) {
          const [was, is, own] = [opened, theirs, mine].map((each) => valueAt(each, path));
          expect(valueAt(merged, path)).toEqual(own === was ? is : own);
          expect(clashes.includes(path)).toBe(own !== was && is !== was && own !== is);
          expect(kept.includes(path)).toBe(own === was && is !== was);
        }
      }),
    );
  });
});
