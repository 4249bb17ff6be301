/** Everything above the horizon. */
import {
  at,
  type Canvas,
  circle,
  ellipse,
  glow,
  linear,
  type Point,
  path,
  rect,
  stroke,
} from './canvas.ts';
import { type Color, lighter, mix } from './color.ts';

export function paintSky(canvas: Canvas, horizon: number): string {
  const { skyTop, skyMiddle, skyLow } = canvas.palette;
  const { def, fill } = linear(canvas, [
    [0, skyTop],
    [0.55, skyMiddle],
    [1, skyLow],
  ]);
  return def + rect([0, 0], [canvas.width, horizon + 2], fill);
}

export function paintStars(canvas: Canvas, bottom: number): string {
  const { random, width, fine } = canvas;
  const count = Math.round(((fine ? 320 : 170) * (width * bottom)) / 1e6 + 30);
  let stars = '';
  for (let star = 0; star < count; star++) {
    const y = bottom * random.between(0, 1) ** 1.3;
    const size = random.chance(0.08) ? random.between(2.4, 4) : random.between(0.8, 2);
    const place: Point = [random.between(0, width), y];
    stars += circle(...place, size, '#fffdf0', random.between(0.35, 1));
    if (size > 3) stars += sparkle(place, size * 5);
  }
  return stars;
}

const sparkle = ([x, y]: Point, reach: number): string =>
  stroke(
    `M${at(x - reach)} ${at(y)}H${at(x + reach)}M${at(x)} ${at(y - reach)}V${at(y + reach)}`,
    '#ffffff',
    1.2,
    0.7,
  );

export function paintSun(
  canvas: Canvas,
  [x, y]: Point,
  radius: number,
  color: Color | null,
  vivid: boolean,
): string {
  const light = color ?? canvas.palette.light;
  let sun = glow(canvas, [x, y], radius * 6, light, vivid ? 0.75 : 0.45);
  if (vivid && canvas.fine) {
    for (let ray = 0; ray < 24; ray++) {
      const angle = (ray / 24) * 6.283;
      const reach = radius * (ray % 2 === 0 ? 9 : 6);
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      const side = radius * 0.18;
      sun += path(
        `M${at(x - dy * side)} ${at(y + dx * side)}L${at(x + dx * reach)} ${at(y + dy * reach)}L${at(x + dy * side)} ${at(y - dx * side)}Z`,
        light,
        0.1,
      );
    }
  }
  return sun + circle(x, y, radius, lighter(light, 0.35));
}

export function paintMoon(
  canvas: Canvas,
  [x, y]: Point,
  radius: number,
  color: Color | null,
): string {
  const face = color ?? ('#f5efd3' as const);
  const mare = mix(face, '#8d8a86', 0.3);
  const craters: readonly (readonly [number, number, number])[] = [
    [-0.35, -0.25, 0.26],
    [0.25, -0.4, 0.15],
    [0.1, 0.2, 0.32],
    [-0.45, 0.38, 0.14],
    [0.5, 0.28, 0.12],
  ];
  return (
    glow(canvas, [x, y], radius * 4.5, face, 0.5) +
    circle(x, y, radius, face) +
    craters
      .map(([dx, dy, r]) => circle(x + dx * radius, y + dy * radius, r * radius, mare, 0.55))
      .join('')
  );
}

export function paintClouds(
  canvas: Canvas,
  horizon: number,
  count: number,
  color: Color | null,
): string {
  const { random, width, palette } = canvas;
  let clouds = '';
  for (let cloud = 0; cloud < count; cloud++) {
    const size = random.between(70, 150) * (cloud % 2 === 0 ? 1 : 0.7);
    const place: Point = [
      ((cloud + random.between(0.15, 0.85)) / count) * width,
      horizon * random.between(0.14, 0.62),
    ];
    const bright = color ?? mix('#ffffff', palette.ambient, palette.ambience * 1.6);
    clouds += oneCloud(canvas, place, size, bright);
  }
  return clouds;
}

function oneCloud(canvas: Canvas, [x, y]: Point, size: number, bright: Color): string {
  const { random, palette } = canvas;
  const puffs = canvas.fine ? 9 : 6;
  const shade = mix(bright, palette.skyMiddle, 0.45);
  const { def, fill } = linear(canvas, [
    [0, lighter(bright, 0.25)],
    [1, shade],
  ]);
  let body = '';
  for (let puff = 0; puff < puffs; puff++) {
    const along = (puff + 0.5) / puffs - 0.5;
    const r = size * (0.52 - Math.abs(along) * 0.55) * random.between(0.8, 1.15);
    body += circle(x + along * size * 2.6, y - r * 0.55, r, fill);
  }
  return `${def}<g opacity="0.9">${body}${ellipse([x, y], [size * 1.35, size * 0.2], shade)}</g>`;
}

export function paintRain(canvas: Canvas): string {
  const { random, width, height, fine } = canvas;
  let d = '';
  for (let drop = 0; drop < (fine ? 380 : 220); drop++) {
    const length = random.between(18, 46);
    d += `M${at(random.between(0, width * 1.1))} ${at(random.between(-20, height))}l${at(-length * 0.25)} ${at(length)}`;
  }
  return stroke(d, '#e3eef8', 2, 0.5);
}

export function paintSnowfall(canvas: Canvas): string {
  const { random, width, height, fine } = canvas;
  let flakes = '';
  for (let flake = 0; flake < (fine ? 300 : 170); flake++) {
    const r = random.chance(0.1) ? random.between(5, 9) : random.between(1.5, 4.5);
    flakes += circle(
      random.between(0, width),
      random.between(0, height),
      r,
      '#ffffff',
      random.between(0.5, 0.95),
    );
  }
  return flakes;
}

const RAINBOW: readonly Color[] = [
  '#e8413c',
  '#f5902f',
  '#f9e04b',
  '#4fbf5b',
  '#3f8fe8',
  '#5a4fc4',
  '#8d4bbd',
];

export function paintRainbow(canvas: Canvas, horizon: number): string {
  const radius = canvas.width * 0.42;
  return RAINBOW.map((color, band) => {
    const r = at(radius - band * 15);
    const [from, to] = [
      canvas.width / 2 - (radius - band * 15),
      canvas.width / 2 + (radius - band * 15),
    ];
    return stroke(
      `M${at(from)} ${at(horizon)}A${r} ${r} 0 0 1 ${at(to)} ${at(horizon)}`,
      color,
      15.6,
      0.6,
    );
  }).join('');
}

const AURORA: readonly [Color, ...Color[]] = ['#4dffb8', '#38e0d2', '#9a6bff'];

export function paintAurora(canvas: Canvas, horizon: number): string {
  const { random, width } = canvas;
  let curtains = '';
  for (let curtain = 0; curtain < 3; curtain++) {
    const color = AURORA[curtain] ?? AURORA[0];
    const { def, fill } = linear(canvas, [
      [0, color, 0],
      [0.7, color, 0.5],
      [1, color, 0],
    ]);
    curtains += def;
    const base = horizon * random.between(0.42, 0.75);
    const phase = random.between(0, 6.3);
    for (let strip = 0; strip < 60; strip++) {
      const x = (strip / 60) * width;
      const y = base + Math.sin(strip * 0.11 + phase) * horizon * 0.12;
      const tall = horizon * (0.32 + 0.14 * Math.sin(strip * 0.37 + phase * 2));
      curtains += rect([x, y - tall], [width / 60 + 1, tall], fill, { opacity: 0.75 });
    }
  }
  return curtains;
}

export function paintLightning(canvas: Canvas, horizon: number): string {
  const { random, width } = canvas;
  let [x, y] = [width * random.between(0.25, 0.75), horizon * 0.12];
  let d = `M${at(x)} ${at(y)}`;
  while (y < horizon) {
    x += random.between(-46, 46);
    y += random.between(30, 70);
    d += `L${at(x)} ${at(Math.min(y, horizon))}`;
  }
  return stroke(d, '#cfe0ff', 16, 0.25) + stroke(d, '#fdfbe8', 5);
}
