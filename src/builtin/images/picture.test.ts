import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Picture, pictureSvg } from './picture.ts';
import { titleOf } from './title.ts';

const svgOf = (more: Partial<Picture> = {}): string =>
  pictureSvg({
    model: 'img-3',
    prompt: 'a forest',
    index: 0,
    width: 1024,
    height: 1024,
    style: 'vivid',
    fine: false,
    ...more,
  });

describe('pictures', () => {
  test('has no missing number and defines every paint once, whatever the seed', () => {
    for (let index = 0; index < 24; index += 1) {
      const svg = svgOf({ index, fine: index % 2 === 0, width: 512 + index * 60 });
      expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
      const defined = [...svg.matchAll(/ id="(\w+)"/g)].map((match) => match[1] ?? '');
      const used = new Set([...svg.matchAll(/url\(#(\w+)\)/g)].map((match) => match[1] ?? ''));
      expect(new Set(defined).size).toBe(defined.length);
      expect([...used].filter((id) => !defined.includes(id))).toEqual([]);
    }
  });

  test('is the same for the same request', () => {
    expect(svgOf()).toBe(svgOf());
  });

  test.each<Partial<Picture>>([
    { model: 'img-4' },
    { prompt: 'a desert' },
    { index: 1 },
    { style: 'natural' },
    { fine: true },
  ])('differs with %j', (change) => {
    expect(svgOf(change)).not.toBe(svgOf());
  });

  test('carries the words of the prompt, escaped', () => {
    expect(svgOf({ prompt: '灯塔 & <sea>' })).toContain('>灯塔 &amp; &lt;sea&gt;</tspan>');
    expect(svgOf({ prompt: 'a "/><script>alert(1)</script>' })).not.toContain('<script');
  });

  test('is XML without forbidden characters for any prompt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (prompt) => {
        const svg = svgOf({ prompt });
        expect(svg.isWellFormed()).toBe(true);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids exactly these.
        expect(svg).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]/);
      }),
      { seed: 20261121, numRuns: 300 },
    );
  });
});

describe('titles', () => {
  test('a short prompt is one line in large letters', () => {
    expect(titleOf('  A cat\n ', 872)).toEqual({ fontSize: 104, lines: ['A cat'] });
  });

  test('a longer prompt is wrapped between words, in smaller letters', () => {
    const { fontSize, lines } = titleOf(
      'A lighthouse on a cliff at sunset, in the style of a woodcut with many birds around it',
      872,
    );
    expect(fontSize).toBeLessThan(104);
    expect(lines.length).toBeWithin(3, 5);
    expect(lines.join(' ')).toEndWith('with many birds around it');
  });

  test.each(['word '.repeat(6400), '猫'.repeat(32_000), 'x'.repeat(32_000)])(
    'a prompt of any length is cut to four lines (%.8s)',
    (prompt) => {
      const { lines } = titleOf(prompt, 872);
      expect(lines.length).toBe(4);
      expect(lines[3]).toEndWith('…');
    },
  );

  test('Chinese breaks between any two characters', () => {
    expect(titleOf('悬崖上的灯塔，日落时分', 872).lines).toEqual(['悬崖上的灯塔，日', '落时分']);
  });
});
