/** Checks that the console agrees with DESIGN.md. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { theme } from './theme.ts';

const SOURCE = join(import.meta.dir, '..');
const DESIGN = readFileSync(join(SOURCE, '../DESIGN.md'), 'utf8');
const REM_PX = 16;
const px = (rem: string | undefined): number => parseFloat(rem ?? '') * REM_PX;

/**
 * The files that may contain raw colors: palettes, the code block, and the QR code, which must be
 * black on white.
 */
const PALETTES = /^(?:theme\/palette|charts\/|code\/code-block|components\/sign-in\/qr-code)/;
const HEX = /[(:'"\s]#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b/i;

const files = [...new Bun.Glob('**/*.{css,tsx,ts}').scanSync(SOURCE)]
  .filter((path) => !/\.test\.tsx?$|\.gen\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(SOURCE, path), 'utf8') }));

const filesWith = (pattern: RegExp): readonly string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

test('raw colors stand only in palettes', () => {
  expect(filesWith(HEX).filter((path) => !PALETTES.test(path))).toEqual([]);
  expect(HEX.test("import { api } from '#api/client.ts';")).toBe(false);
  expect(HEX.test('color: #a51111;')).toBe(true);
});

test('nothing is written in capitals', () => {
  expect(filesWith(/text-transform:\s*uppercase|tt="uppercase"|textTransform/)).toEqual([]);
});

test('no transition is longer than 150 ms', () => {
  const durations = files.flatMap(({ path, text }) =>
    path.endsWith('.css')
      ? [...text.matchAll(/transition[^;]*?\b(\d+)ms/g)].map(([, ms]) => Number(ms))
      : [],
  );
  expect(durations.every((ms) => ms <= 150)).toBe(true);
  expect(durations.length).toBeGreaterThan(0);
  expect(filesWith(/transition[^;]*\d\s*s\b/).filter((path) => path.endsWith('.css'))).toEqual([]);
});

test('links of the router have the components of button-link.tsx', () => {
  expect(filesWith(/renderRoot/)).toEqual([]);
});

test('the type scale is the one of DESIGN.md', () => {
  const described = [...DESIGN.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)];
  expect(described.map(([, size, px]) => [size, Number(px)])).toEqual(
    Object.entries(theme.fontSizes ?? {}).map(([size, rem]) => [size, px(rem)]),
  );
});

test('the spacing scale is the one of DESIGN.md', () => {
  const scale = Object.entries(theme.spacing ?? {});
  const words = scale.map(([size, rem]) => `\`${size}\` ${px(rem)}`);
  expect(words).toHaveLength(5);
  expect(DESIGN).toContain(words.join(', '));
});

test('the height of rows and controls is the one of DESIGN.md', () => {
  const css = readFileSync(join(import.meta.dir, 'global.css'), 'utf8');
  expect(css).toContain('height: 38px');
  expect(DESIGN).toContain('have 38 px; controls 32 px, small ones 28 px, and 40 px');
  expect([...css.matchAll(/--control(?:-small)?: ([\d.]+)rem/g)].map(([, rem]) => px(rem))).toEqual(
    [32, 28, 40, 36],
  );
});
