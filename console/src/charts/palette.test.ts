import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { colorOf, SLOTS, slotsOf } from './palette.ts';

const CSS = readFileSync(join(import.meta.dir, 'palette.css'), 'utf8');
const COLORS = [...CSS.matchAll(/--chart-(\w+): light-dark\((#\w+), (#\w+)\)/g)].map(
  ([, name = '', light = '', dark = '']) => ({ name, light, dark }),
);
/** The background colors of charts in each theme, from the darkest to the lightest. */
const SURFACES = { light: ['#f7f8fa', '#ffffff'], dark: ['#0d0f13', '#14171d', '#242424'] };

type Rgb = readonly [number, number, number];
const linear = (hex: string): Rgb => {
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
};
const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
function contrast(a: string, b: string): number {
  const [x, y] = [luminance(linear(a)), luminance(linear(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

type Matrix = readonly [Rgb, Rgb, Rgb];
function times(matrix: Matrix, [r, g, b]: Rgb): Rgb {
  const row = ([x, y, z]: Rgb): number => x * r + y * g + z * b;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

/**
 * The matrices that simulate color blindness, by the missing kind of cone (Machado et al. 2009).
 */
const VISION: Readonly<Record<string, Matrix>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Converts a color to OKLab, in which distances match perceived differences. */
function lab(rgb: Rgb): Rgb {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(cones[0]), Math.cbrt(cones[1]), Math.cbrt(cones[2])],
  );
}
const seen = (hex: string, matrix: Matrix): Rgb => {
  const [r, g, b] = times(matrix, linear(hex));
  const within = (value: number): number => Math.min(1, Math.max(0, value));
  return lab([within(r), within(g), within(b)]);
};

/** Minimum distance between adjacent colors, about four times the just noticeable difference. */
const LEAST_DISTANCE = 0.07;

describe.each(['light', 'dark'] as const)('the %s palette', (theme) => {
  test('has a contrast of 3:1 on each surface', () => {
    expect(COLORS.map(({ name }) => name)).toHaveLength(SLOTS + 3);
    const weak = COLORS.flatMap((color) =>
      SURFACES[theme].filter((surface) => contrast(color[theme], surface) < 3),
    );
    expect(weak).toEqual([]);
  });

  test.each(Object.keys(VISION))('are distinct with %s vision', (vision) => {
    const matrix = VISION[vision] ?? [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ];
    const places = COLORS.slice(0, SLOTS).map((color) => seen(color[theme], matrix));
    const close = places.flatMap((a, at) =>
      places
        .slice(at + 1)
        .map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))
        .filter((distance) => distance < LEAST_DISTANCE),
    );
    expect(close).toEqual([]);
  });
});

const catalog = (count: number) => Array.from({ length: count }, (_, at) => `m${at}`);

describe('the slots', () => {
  test('follow the catalog, whatever is used', () => {
    const slots = slotsOf(catalog(9), ['m5', 'm2']);
    expect(catalog(9).map((model) => slots.get(model))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(colorOf(slots, 'm2')).toBe('var(--chart-3)');
    expect(colorOf(slots, 'elsewhere')).toBe('var(--chart-other)');
  });

  test('go to the most used of many models, each at its own place if it is free', () => {
    const used = ['m12', 'm41', 'm2', 'm30', 'm7', 'm8', 'm9', 'm14', 'm15', 'm16', 'm0'];
    const slots = slotsOf(catalog(50), used);
    expect([...slots.keys()].toSorted()).toEqual(used.slice(0, SLOTS).toSorted());
    expect(new Set(slots.values()).size).toBe(SLOTS);
    expect([slots.get('m2'), slots.get('m12')]).toEqual([2, 3]);
  });

  test('a model that is not sold anymore takes no slot from one that is', () => {
    const slots = slotsOf(catalog(3), ['gone', 'm0']);
    expect([slots.get('m0'), slots.get('m1'), slots.get('m2'), slots.get('gone')]).toEqual([
      0, 1, 2, 3,
    ]);
  });
});
