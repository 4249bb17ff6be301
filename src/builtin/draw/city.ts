/** A skyline: blocks behind blocks, with lights when it is dark. */
import {
  at,
  type Canvas,
  ellipse,
  glow,
  linear,
  type Point,
  path,
  polygon,
  rect,
  stroke,
} from './canvas.ts';
import { type Color, darker, lighter, mix } from './color.ts';

const WINDOW_LIGHTS: readonly [Color, ...Color[]] = ['#ffd97a', '#ffe9b0', '#ffc04d', '#bfe3ff'];

export function paintCity(canvas: Canvas, foot: number, color: Color | null): string {
  const { palette, fine } = canvas;
  const base = color ?? (palette.isNight ? '#1a2550' : '#5f7391');
  const wall = mix(base, palette.ambient, palette.ambience);
  const rows = fine ? 4 : 3;
  let city = '';
  for (let row = 0; row < rows; row++) {
    const nearness = row / (rows - 1);
    const shade = mix(mix(wall, palette.haze, 0.62), darker(wall, 0.38), nearness);
    city += blockRow(canvas, foot, shade, nearness);
  }
  return city;
}

function blockRow(canvas: Canvas, foot: number, shade: Color, nearness: number): string {
  const { random, width } = canvas;
  let row = '';
  let x = random.between(-60, 0);
  while (x < width) {
    const wide = random.between(62, 128) * (0.75 + nearness * 0.35);
    // Towers gather towards the middle of each row, as they do in a real centre.
    const centre = 1 - Math.abs(x + wide / 2 - width / 2) / width;
    const tall = random.between(110, 300) * (0.55 + centre * 0.85) * (1.25 - nearness * 0.5);
    row += block(
      canvas,
      [x, foot - tall],
      [wide, tall + 6],
      mix(shade, '#ffffff', random.between(0, 0.07)),
    );
    x += wide + random.between(-6, 14);
  }
  return row;
}

function block(canvas: Canvas, [x, y]: Point, [wide, tall]: Point, shade: Color): string {
  const { random, palette } = canvas;
  const front = linear(
    canvas,
    [
      [0, mix(shade, palette.light, palette.isNight ? 0.04 : 0.22)],
      [1, darker(shade, 0.16)],
    ],
    true,
  );
  return (
    front.def +
    roof(canvas, [x, y], wide, shade) +
    rect([x, y], [wide, tall], front.fill) +
    windows(canvas, [x, y], [wide, tall], shade, random.between(0.3, 0.6))
  );
}

function roof(canvas: Canvas, [x, y]: Point, wide: number, shade: Color): string {
  const { random } = canvas;
  const middle = x + wide / 2;
  const dark = darker(shade, 0.1);
  switch (random.integer(0, 5)) {
    case 0: {
      const spike = random.between(40, 90);
      return (
        polygon(
          [
            [x, y + 1],
            [middle, y - wide * 0.5],
            [x + wide, y + 1],
          ],
          dark,
        ) + rect([middle - 1.5, y - wide * 0.5 - spike], [3, spike + 6], dark)
      );
    }
    case 1:
      return (
        rect([x + wide * 0.2, y - 26], [wide * 0.6, 28], dark) +
        rect([middle - 2, y - 66], [4, 42], dark)
      );
    case 2:
      return polygon(
        [
          [x, y + 1],
          [x, y - wide * 0.4],
          [x + wide, y + 1],
        ],
        dark,
      );
    default:
      return '';
  }
}

function windows(
  canvas: Canvas,
  [x, y]: Point,
  [wide, tall]: Point,
  shade: Color,
  litShare: number,
): string {
  const { random, palette, fine } = canvas;
  const step = fine ? 15 : 20;
  const [paneWide, paneTall]: Point = fine ? [7, 9] : [10, 12];
  const outline = `h${paneWide}v${paneTall}h${-paneWide}Z`;
  const glass = palette.isNight
    ? darker(shade, 0.35)
    : mix(lighter(shade, 0.4), palette.skyMiddle, 0.35);
  const share = palette.isNight ? litShare : palette.ambience > 0.25 ? litShare * 0.7 : 0;
  const columns = Math.floor((wide - 10) / step);
  const margin = (wide - columns * step + (step - paneWide)) / 2;
  const panes = new Map<Color, string>();
  for (let top = y + 14; top < y + tall - 16; top += step + 3) {
    for (let column = 0; column < columns; column++) {
      const color = random.chance(share) ? random.pick(WINDOW_LIGHTS) : glass;
      const pane = `M${at(x + margin + column * step)} ${at(top)}${outline}`;
      panes.set(color, (panes.get(color) ?? '') + pane);
    }
  }
  // One path a colour: a thousand single panes would take longer to draw than all the rest.
  return [...panes].map(([color, d]) => path(d, color, color === glass ? 0.5 : 0.95)).join('');
}

/** A road that runs to the horizon, between two pavements with lamps. */
export function paintStreet(canvas: Canvas, top: number): string {
  const { palette, width, height } = canvas;
  const stone = mix(palette.isNight ? '#2a3560' : '#a3a9b3', palette.ambient, palette.ambience);
  const asphalt = mix(palette.isNight ? '#141b38' : '#565d6b', palette.ambient, palette.ambience);
  const pavement = linear(canvas, [
    [0, lighter(stone, 0.1)],
    [1, darker(stone, 0.3)],
  ]);
  const middle = width / 2;
  const edge = (side: number, offset: number): readonly Point[] => [
    [middle + side * (16 + offset * 0.06), top],
    [middle + side * (width * 0.43 + offset), height],
  ];
  const strip = (side: number, from: number, to: number, fill: Color): string =>
    polygon([...edge(side, from), ...[...edge(side, to)].reverse()], fill);
  const road = polygon([...edge(-1, 0), ...[...edge(1, 0)].reverse()], asphalt);
  const kerbs = [-1, 1].map((side) => strip(side, 0, 22, lighter(stone, 0.35))).join('');
  let dashes = '';
  for (let dash = 0; dash < 9; dash++) {
    const [near, far] = [((dash + 0.55) / 9) ** 2.2, (dash / 9) ** 2.2];
    const [y1, y2] = [top + far * (height - top), top + near * (height - top)];
    const [w1, w2] = [1 + far * 9, 1 + near * 9];
    dashes += polygon(
      [
        [middle - w1, y1],
        [middle + w1, y1],
        [middle + w2, y2],
        [middle - w2, y2],
      ],
      '#f4efe0',
      0.75,
    );
  }
  return (
    pavement.def +
    rect([0, top], [width, height - top], pavement.fill) +
    road +
    kerbs +
    dashes +
    paintLamps(canvas, top)
  );
}

function paintLamps(canvas: Canvas, top: number): string {
  const { palette, width, height } = canvas;
  const isLit = palette.isNight || palette.ambience > 0.25;
  let lamps = '';
  for (const share of [0.12, 0.34, 0.68]) {
    const foot = top + share * (height - top) * 0.8;
    const tall = 90 + share * 330;
    for (const side of [-1, 1]) {
      const x = width / 2 + side * (40 + share * width * 0.43 + share * 60);
      const head: Point = [x - side * tall * 0.14, foot - tall];
      lamps += stroke(
        `M${at(x)} ${at(foot)}V${at(foot - tall * 0.9)}Q${at(x)} ${at(foot - tall)} ${at(head[0])} ${at(head[1])}`,
        darker('#2b3147', palette.ambience),
        3 + share * 5,
      );
      if (isLit) lamps += glow(canvas, head, tall * 0.5, '#ffd98a', 0.7);
      lamps += ellipse(head, [tall * 0.05, tall * 0.022], isLit ? '#fff3c9' : '#e3e8ee');
    }
  }
  return lamps;
}
