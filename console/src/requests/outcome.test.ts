import { expect, test } from 'bun:test';

// The imported module reads the saved language from browser storage, which tests do not have.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { outcomesOf, REQUEST_STATES, STATE_OF } = await import('./outcome.ts');

test('the filter by each state finds every outcome of the API exactly once', () => {
  const found = REQUEST_STATES.flatMap((state) => outcomesOf(state).split(','));
  expect(found.toSorted()).toEqual(Object.keys(STATE_OF).toSorted());
  expect(outcomesOf('provider_error')).toBe('upstream_error,upstream_truncated');
});
