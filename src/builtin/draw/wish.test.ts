import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readWish } from './wish.ts';

/** `red cube, cat` */
const subjectsOf = (prompt: string): string =>
  readWish(prompt)
    .subjects.map(({ kind, color }) => (color === null ? kind : `${color} ${kind}`))
    .join(', ');

describe('what a prompt wishes to see', () => {
  test('a colour goes to the thing it stands before', () => {
    expect(subjectsOf('A red cube and a blue sphere')).toBe('#e02f2f cube, #2b6fe3 sphere');
    expect(subjectsOf('a cat beside a red cube')).toBe('cat, #e02f2f cube');
    const wish = readWish('a boat under a purple sky on the green sea');
    expect([wish.skies.get('sky'), wish.places.get('sea')]).toEqual(['#8a3fd1', '#2f9e4f']);
  });

  test('a colour before nothing is kept apart', () => {
    expect(readWish('dreams in gold and green').looseColors).toEqual(['#e3b23c', '#2f9e4f']);
  });

  test('number words and plurals count', () => {
    expect(subjectsOf('two dogs and a bird')).toBe('dog, dog, bird');
    expect(subjectsOf('butterflies')).toBe('butterfly, butterfly, butterfly');
    expect(subjectsOf('five cats and four dogs')).toBe('cat, cat, cat, cat, cat, dog');
  });

  test('one thing named twice is one thing', () => {
    expect(subjectsOf('a cup of coffee')).toBe('cup');
    expect(subjectsOf('balloons: three balloons')).toBe('balloon, balloon, balloon');
    expect(subjectsOf('a red cube and a blue cube')).toBe('#e02f2f cube, #2b6fe3 cube');
  });

  test('other languages, with and without spaces between words', () => {
    expect(subjectsOf('红色的猫和两只狗')).toBe('#e02f2f cat, dog, dog');
    expect(subjectsOf('ein roter Würfel')).toBe('#e02f2f cube');
    expect([...readWish('le soleil et la mer').places.keys()]).toEqual(['sea']);
    expect(readWish('海上的日落').time).toBe('sunset');
  });

  test('any text at all is read, and quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (prompt) => {
        expect(readWish(prompt).subjects.length).toBeLessThanOrEqual(6);
      }),
      { seed: 20261121 },
    );
    for (const prompt of ['cats '.repeat(6400), '猫'.repeat(32_000), 'x'.repeat(32_000)]) {
      expect(readWish(prompt).subjects.length).toBeLessThanOrEqual(6);
    }
  });
});
