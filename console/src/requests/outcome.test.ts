import { expect, test } from 'bun:test';

// The imported module reads the saved language from browser storage, which tests do not have.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { OUTCOMES } = await import('#api/outcomes.ts');
const { outcomesOf, REQUEST_STATES } = await import('./outcome.ts');

test('the filter by each state finds every outcome of the API exactly once', () => {
  const found = REQUEST_STATES.flatMap((state) => outcomesOf(state).split(','));
  expect(found.toSorted()).toEqual(OUTCOMES.toSorted());
  expect(outcomesOf('provider_error')).toBe('upstream_error,upstream_truncated');
});
