import { expect, test } from 'bun:test';

// The texts ask for the language that the person chose; a browser would know.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { formatsOf } = await import('./formats.ts');

test('a duration is told in the unit that it fills, also where it is rounded up to the next', () => {
  const { duration } = formatsOf('en');
  const shown = [0.4, 850, 999.6, 1_240, 59_994, 59_999, 119_700, 125_000].map(duration);
  expect(shown).toEqual('0 ms|850 ms|1 s|1.24 s|59.99 s|1 min 0 s|2 min 0 s|2 min 5 s'.split('|'));
});
