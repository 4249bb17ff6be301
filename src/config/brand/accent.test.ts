import { expect, test } from 'bun:test';
import { ACCENT, DARK, GRAY } from '../../../console/src/theme/palette.ts';
import {
  accentStyle,
  contrastOf,
  DARK_CARD,
  DARK_SURFACE,
  darkProblem,
  LIGHT_SURFACE,
  lightProblem,
} from './accent.ts';

test('the surfaces are those of the console, whose own accent passes', () => {
  expect<(string | undefined)[]>([LIGHT_SURFACE, DARK_SURFACE, DARK_CARD]).toEqual([
    ...[GRAY[1], DARK[5], DARK[7]],
  ]);
  expect([lightProblem(ACCENT[6]), darkProblem(ACCENT[6])]).toEqual([null, null]);
});

test('contrasts are those of the standard', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
  expect(contrastOf('#123456', '#123456')).toBe(1);
});

test('a color that cannot be read is refused with what was measured', () => {
  expect(lightProblem('#ffcc00')).toStartWith(
    'has a contrast of 1.5:1 with the white text on buttons',
  );
  expect(lightProblem('#777777')).toStartWith('has a contrast of 4.4:1');
  expect(lightProblem('#202020')).toBeNull();
  expect(darkProblem('#202020')).toStartWith(
    'has a contrast of 1.1:1 with the background of cards',
  );
  expect(darkProblem('#ffcc00')).toStartWith(
    'has a contrast of 1.5:1 with the white text on buttons',
  );
});

test('colored text can be read in both themes, whatever the accent', () => {
  for (const accent of ['#3b5bdb', '#15803d', '#b91c1c', '#7c3aed', '#0f766e', '#000000']) {
    const [light = '', dark = ''] = [
      ...accentStyle(accent, accent).matchAll(/brand-text:(#[\da-f]{6})/g),
    ].map(([, tone]) => tone);
    expect({ accent, is: contrastOf(light, LIGHT_SURFACE) >= 4.5 }).toEqual({ accent, is: true });
    expect({ accent, is: contrastOf(dark, DARK_SURFACE) >= 4.5 }).toEqual({ accent, is: true });
  }
});
