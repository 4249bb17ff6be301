/**
 * What every brush is given, and the SVG they all write. Lengths are in units: the short side of the
 * picture is 1000 of them, whatever its size in pixels.
 */
import { seededRandom as drawsOf, fingerprint } from '../seeded-random.ts';
import type { Color } from './color.ts';
import type { Palette } from './palette.ts';

export const SHORT_SIDE = 1000;

/** Chance that repeats: the same seed gives the same picture, on every machine. */
export type Random = {
  /** At least `low`, below `high`. */
  readonly between: (low: number, high: number) => number;
  /** An integer, both ends included. */
  readonly integer: (low: number, high: number) => number;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
  /** True this often, 0 to 1. */
  readonly chance: (share: number) => boolean;
};

export function seededRandom(seed: string): Random {
  const { below } = drawsOf(fingerprint(seed));
  const next = (): number => below(2 ** 32) / 2 ** 32;
  const between = (low: number, high: number): number => low + (high - low) * next();
  const integer = (low: number, high: number): number => Math.floor(between(low, high + 1));
  return {
    between,
    integer,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    chance: (share) => next() < share,
  };
}

export type Canvas = {
  readonly width: number;
  readonly height: number;
  readonly random: Random;
  readonly palette: Palette;
  /** `hd`: more of everything small. */
  readonly fine: boolean;
  /** An id that no other definition in this picture has. */
  readonly newId: () => string;
};

export type Point = readonly [x: number, y: number];

/** A coordinate, to a tenth of a unit: finer cannot be seen and only makes the SVG longer. */
export const at = (value: number): string => `${Math.round(value * 10) / 10}`;

export const polygon = (points: readonly Point[], fill: string, opacity = 1): string =>
  `<polygon points="${points.map(([x, y]) => `${at(x)},${at(y)}`).join(' ')}" fill="${fill}"${faded(opacity)}/>`;

export const circle = (x: number, y: number, r: number, fill: string, opacity = 1): string =>
  `<circle cx="${at(x)}" cy="${at(y)}" r="${at(r)}" fill="${fill}"${faded(opacity)}/>`;

export const ellipse = ([x, y]: Point, [rx, ry]: Point, fill: string, opacity = 1): string =>
  `<ellipse cx="${at(x)}" cy="${at(y)}" rx="${at(rx)}" ry="${at(ry)}" fill="${fill}"${faded(opacity)}/>`;

export const rect = (
  [x, y]: Point,
  [width, height]: Point,
  fill: string,
  { opacity = 1, radius = 0 } = {},
): string =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="${fill}"` +
  `${radius === 0 ? '' : ` rx="${at(radius)}"`}${faded(opacity)}/>`;

export const path = (d: string, fill: string, opacity = 1): string =>
  `<path d="${d}" fill="${fill}"${faded(opacity)}/>`;

export const stroke = (d: string, color: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${at(width)}" stroke-linecap="round" stroke-linejoin="round"${faded(opacity)}/>`;

export const group = (transform: string, content: string): string =>
  `<g transform="${transform}">${content}</g>`;

const faded = (opacity: number): string =>
  opacity === 1 ? '' : ` opacity="${Math.round(opacity * 100) / 100}"`;

export type Stop = readonly [offset: number, color: Color, opacity?: number];

const stopsOf = (stops: readonly Stop[]): string =>
  stops
    .map(
      ([offset, color, opacity = 1]) =>
        `<stop offset="${offset}" stop-color="${color}"${opacity === 1 ? '' : ` stop-opacity="${opacity}"`}/>`,
    )
    .join('');

/** A paint that runs from top to bottom (or `across`), with its definition, to stand before its use. */
export function linear(
  canvas: Canvas,
  stops: readonly Stop[],
  across = false,
): { readonly def: string; readonly fill: string } {
  const id = canvas.newId();
  const end = across ? 'x2="1" y2="0"' : 'x2="0" y2="1"';
  return {
    def: `<linearGradient id="${id}" x1="0" y1="0" ${end}>${stopsOf(stops)}</linearGradient>`,
    fill: `url(#${id})`,
  };
}

/** A paint that runs from a centre outward; the centre is a share of the painted shape's box. */
export function radial(
  canvas: Canvas,
  stops: readonly Stop[],
  [cx, cy]: Point = [0.5, 0.5],
): { readonly def: string; readonly fill: string } {
  const id = canvas.newId();
  return {
    def: `<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="${cx === 0.5 ? 0.5 : 0.75}">${stopsOf(stops)}</radialGradient>`,
    fill: `url(#${id})`,
  };
}

/** A soft ball of light. */
export function glow(
  canvas: Canvas,
  [x, y]: Point,
  radius: number,
  color: Color,
  strength: number,
): string {
  const { def, fill } = radial(canvas, [
    [0, color, strength],
    [0.35, color, strength * 0.45],
    [1, color, 0],
  ]);
  return def + circle(x, y, radius, fill);
}

/** A closed shape under a line of points, down to `bottom`. */
export function under(points: readonly Point[], bottom: number, fill: string, opacity = 1): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  return polygon([...points, [last[0], bottom], [first[0], bottom]], fill, opacity);
}

/** A jagged line across the picture by halving: mountains, far and near. `rough` 0 (smooth) to 1. */
export function jaggedLine(canvas: Canvas, baseY: number, rise: number, rough: number): Point[] {
  const { random, width, fine } = canvas;
  const levels = fine ? 8 : 7;
  let heights = [random.between(0.2, 0.7), random.between(0.4, 1), random.between(0.2, 0.7)];
  let spread = 0.42;
  for (let level = 0; level < levels; level++) {
    const halved: number[] = [];
    heights.forEach((height, index) => {
      if (index > 0) {
        const before = heights[index - 1] ?? height;
        halved.push((before + height) / 2 + random.between(-spread, spread));
      }
      halved.push(height);
    });
    heights = halved;
    spread *= 0.35 + rough * 0.22;
  }
  const step = width / (heights.length - 1);
  return heights.map((height, index) => [index * step, baseY - height * rise]);
}

/** A gently rolling line across the picture: hills, dunes, snow. */
export function rollingLine(canvas: Canvas, baseY: number, rise: number, waves: number): Point[] {
  const { random, width } = canvas;
  const phases = [random.between(0, 6.3), random.between(0, 6.3)] as const;
  return Array.from({ length: 61 }, (_, index) => {
    const x = index / 60;
    const wave =
      Math.sin(x * waves * 6.283 + phases[0]) * 0.65 +
      Math.sin(x * waves * 14.1 + phases[1]) * 0.25;
    return [x * width, baseY - (wave + 0.9) * 0.5 * rise] as const;
  });
}
