/** Mountains, forest, hills, dunes: what stands on the horizon or lies in front of it. */
import {
  at,
  type Canvas,
  glow,
  jaggedLine,
  linear,
  type Point,
  polygon,
  rect,
  rollingLine,
  stroke,
  under,
} from './canvas.ts';
import { type Color, darker, lighter, mix } from './color.ts';

/** A veil that thickens towards its foot: what makes one ridge stand behind another. */
function mist(canvas: Canvas, top: number, bottom: number, strength: number): string {
  const { haze } = canvas.palette;
  const { def, fill } = linear(canvas, [
    [0, haze, 0],
    [1, haze, strength],
  ]);
  return def + rect([0, top], [canvas.width, bottom - top], fill);
}

export function paintMountains(canvas: Canvas, horizon: number, color: Color | null): string {
  const { palette, fine } = canvas;
  const rock = color === null ? palette.rock : mix(color, palette.ambient, palette.ambience);
  let range = '';
  const ridges = fine ? 4 : 2;
  for (let ridge = 0; ridge < ridges; ridge++) {
    const nearness = ridge / ridges;
    const points = jaggedLine(canvas, horizon, 330 - nearness * 110, 0.35 + nearness * 0.2);
    range += under(points, horizon + 4, mix(palette.haze, rock, 0.25 + nearness * 0.3));
    range += mist(canvas, horizon - 200, horizon, 0.4);
  }
  for (const share of [0.16, 0.84, 0.5]) {
    range += peak(canvas, share * canvas.width, horizon, rock, share === 0.5 ? 1 : 0.72);
  }
  return range + mist(canvas, horizon - 170, horizon + 4, 0.5);
}

/** One great peak: a lit flank, a flank in shade, snow on both. */
function peak(canvas: Canvas, x: number, foot: number, rock: Color, size: number): string {
  const { random, palette } = canvas;
  const tall = random.between(360, 440) * size;
  const half = tall * random.between(0.85, 1.05);
  const top: Point = [x + random.between(-30, 30), foot - tall];
  const left = flank(canvas, top, [x - half, foot + 4]);
  const right = flank(canvas, top, [x + half, foot + 4]);
  const spine = flank(canvas, top, [x + half * 0.16, foot + 4]);
  const sunny = mix(rock, palette.light, 0.32);
  const shady = darker(rock, 0.3);
  const snowAt = foot - tall * 0.6;
  const snow = (edge: readonly Point[], fill: Color): string => {
    const upper = edge.filter(([, y]) => y <= snowAt);
    const inner = spine.filter(([, y]) => y <= snowAt);
    return polygon(
      [...upper, ...snowHem(canvas, upper.at(-1) ?? top, inner.at(-1) ?? top), ...inner.reverse()],
      fill,
    );
  };
  return (
    polygon([...left, ...[...spine].reverse()], sunny) +
    polygon([...right, ...[...spine].reverse()], shady) +
    snow(left, lighter(palette.snow, 0.2)) +
    snow(right, mix(palette.snow, palette.skyMiddle, 0.42))
  );
}

/** A broken line from the summit down. */
function flank(canvas: Canvas, [topX, topY]: Point, [footX, footY]: Point): Point[] {
  const steps = canvas.fine ? 26 : 15;
  const jitter = Math.abs(footY - topY) * 0.028;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const share = step / steps;
    const wobble = step === 0 || step === steps ? 0 : canvas.random.between(-jitter, jitter);
    return [topX + (footX - topX) * share + wobble, topY + (footY - topY) * share] as const;
  });
}

/** The lower edge of a snow field: tongues of unequal length. */
function snowHem(canvas: Canvas, [fromX, fromY]: Point, [toX, toY]: Point): Point[] {
  const { random } = canvas;
  const tongues = 9;
  return Array.from({ length: tongues }, (_, index) => {
    const share = (index + random.between(0.7, 1.3)) / (tongues + 1);
    const drop = index % 2 === 0 ? random.between(4, 52) : random.between(-24, 6);
    return [fromX + (toX - fromX) * share, fromY + (toY - fromY) * share + drop] as const;
  });
}

/** Rolling ground from the horizon to the bottom edge, each swell nearer and deeper in colour. */
export function paintGround(canvas: Canvas, horizon: number, color: Color): string {
  const { palette, height, fine } = canvas;
  const swells = fine ? 6 : 4;
  const far = mix(color, palette.haze, 0.45);
  const near = darker(color, 0.22);
  let ground = rect([0, horizon - 1], [canvas.width, height - horizon + 2], far);
  for (let swell = 0; swell < swells; swell++) {
    const share = swell / (swells - 1);
    const top = horizon + (height - horizon) * share * 0.72;
    const line = rollingLine(canvas, top + 18, 30 + 34 * share, 1.1 - share * 0.5);
    const body = mix(far, near, share * 0.85);
    const { def, fill } = linear(canvas, [
      [0, mix(body, palette.light, 0.2)],
      [0.5, body],
    ]);
    ground += def + under(line, height, fill);
  }
  return ground;
}

export function paintGrass(canvas: Canvas, top: number, color: Color): string {
  const { random, width, height, fine } = canvas;
  const shades = [lighter(color, 0.22), color, darker(color, 0.28)] as const;
  return shades
    .map((shade) => {
      let d = '';
      for (let blade = 0; blade < (fine ? 420 : 130); blade++) {
        const y = random.between(top, height + 10);
        const tall = 10 + ((y - top) / (height - top)) * 34;
        d += `M${at(random.between(0, width))} ${at(y)}q${at(random.between(-5, 5))} ${at(-tall * 0.6)} ${at(random.between(-11, 11))} ${at(-tall)}`;
      }
      return stroke(d, shade, 2.4, 0.65);
    })
    .join('');
}

export function paintMeadowFlowers(
  canvas: Canvas,
  top: number,
  colors: readonly [Color, ...Color[]],
): string {
  const { random, width, height, fine } = canvas;
  let flowers = '';
  for (let flower = 0; flower < (fine ? 150 : 60); flower++) {
    const y = random.between(top, height);
    const r = 2.5 + ((y - top) / (height - top)) * 7;
    const x = random.between(0, width);
    flowers +=
      `<circle cx="${at(x)}" cy="${at(y)}" r="${at(r)}" fill="${random.pick(colors)}"/>` +
      `<circle cx="${at(x)}" cy="${at(y)}" r="${at(r * 0.38)}" fill="#fff3b0"/>`;
  }
  return flowers;
}

export function paintDunes(canvas: Canvas, horizon: number, color: Color): string {
  const { palette, height, width, random, fine } = canvas;
  let dunes = rect([0, horizon - 1], [width, height - horizon + 2], mix(color, palette.haze, 0.4));
  const count = fine ? 6 : 5;
  for (let dune = 0; dune < count; dune++) {
    const share = dune / (count - 1);
    const top = horizon + (height - horizon) * share * 0.68 - 6;
    const line = rollingLine(canvas, top + 30, 50 + share * 50, 0.9 - share * 0.35);
    const { def, fill } = linear(
      canvas,
      [
        [0, mix(color, palette.light, 0.38)],
        [random.between(0.35, 0.65), mix(color, '#c07a3a', 0.1 + share * 0.12)],
        [1, darker(color, 0.28)],
      ],
      true,
    );
    dunes += def + under(line, height, fill);
    if (fine) dunes += ripples(canvas, top + 60, share);
  }
  return dunes;
}

function ripples(canvas: Canvas, top: number, nearness: number): string {
  const { random, width } = canvas;
  let d = '';
  for (let ripple = 0; ripple < 26; ripple++) {
    const length = random.between(40, 130);
    d += `M${at(random.between(0, width))} ${at(top + random.between(0, 110))}q${at(length / 2)} ${at(random.between(-8, 8))} ${at(length)} 0`;
  }
  return stroke(d, '#7a4a1e', 1.6 + nearness, 0.2);
}

/** Rows of firs, the far ones paler, with mist between. `color` may be autumn. */
export function paintForest(
  canvas: Canvas,
  horizon: number,
  color: Color | null,
  snowy: boolean,
): string {
  const { palette, height, random, width, fine } = canvas;
  const leaves = color === null ? palette.leaves : mix(color, palette.ambient, palette.ambience);
  const rows = fine ? 5 : 4;
  let forest = '';
  for (let row = 0; row < rows; row++) {
    const share = row / (rows - 1);
    const foot = horizon + 10 + (height - horizon) * share * 0.34;
    const tall = 110 + share * 190;
    const shade = mix(mix(palette.haze, leaves, 0.4), darker(leaves, 0.42), share);
    const gap = tall * 0.3;
    for (let x = -gap; x < width + gap; x += gap * random.between(0.7, 1.25)) {
      // The nearest row leaves a clearing in the middle, where what the picture is about stands.
      if (share === 1 && Math.abs(x - width / 2) < width * 0.27) continue;
      forest += fir(
        canvas,
        [x, foot + random.between(0, 14)],
        tall * random.between(0.72, 1.2),
        shade,
        snowy,
      );
    }
    forest += mist(canvas, foot - tall * 0.5, foot + 20, 0.42 * (1 - share));
  }
  return forest;
}

function fir(canvas: Canvas, [x, foot]: Point, tall: number, shade: Color, snowy: boolean): string {
  const tiers = canvas.fine ? 6 : 4;
  const right: Point[] = [];
  const left: Point[] = [];
  for (let tier = 0; tier < tiers; tier++) {
    const y = foot - tall + (tall * 0.92 * (tier + 1)) / tiers;
    const reach = (tall * 0.24 * (tier + 1)) / tiers;
    right.push([x + reach, y], [x + reach * 0.52, y - tall * 0.03]);
    left.unshift([x - reach * 0.52, y - tall * 0.03], [x - reach, y]);
  }
  const top: Point = [x, foot - tall];
  const trunk = rect(
    [x - tall * 0.022, foot - tall * 0.1],
    [tall * 0.044, tall * 0.1],
    darker(shade, 0.4),
  );
  const lightSide = polygon(
    [top, ...right.slice(0, -1), [x, foot - tall * 0.1]],
    lighter(shade, 0.09),
  );
  const cap: Point[] = [
    top,
    [x + tall * 0.075, foot - tall * 0.74],
    [x, foot - tall * 0.79],
    [x - tall * 0.075, foot - tall * 0.74],
  ];
  return (
    trunk +
    polygon([top, ...right, ...left], shade) +
    lightSide +
    (snowy ? polygon(cap, canvas.palette.snow, 0.9) : '')
  );
}

/** Light that falls along the ground under a low sun or moon. */
export const groundLight = (canvas: Canvas, [x, y]: Point): string =>
  `<g transform="translate(0 ${at(y)}) scale(1 0.22)">${glow(canvas, [x, 0], 620, canvas.palette.light, 0.3)}</g>`;
