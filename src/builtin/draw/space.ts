/** Out there: nebulae, stars and planets, where there is no horizon. */
import {
  type Canvas,
  circle,
  ellipse,
  glow,
  group,
  linear,
  type Point,
  radial,
  rect,
} from './canvas.ts';
import { type Color, darker, lighter } from './color.ts';
import { paintStars } from './sky.ts';

const NEBULA: readonly [Color, ...Color[]] = [
  '#7b2ff7',
  '#e8388f',
  '#2bb3ff',
  '#ff8b3d',
  '#1fd1b4',
];
const PLANETS: readonly [Color, ...Color[]] = [
  '#d9824a',
  '#5b8fd9',
  '#c9a86a',
  '#9c6bc9',
  '#4fae9a',
];

export function paintSpace(canvas: Canvas, color: Color | null): string {
  const { random, width, height, fine } = canvas;
  const { def, fill } = linear(canvas, [
    [0, '#03030f'],
    [0.6, '#0c0a2b'],
    [1, '#1a0f3d'],
  ]);
  let space = def + rect([0, 0], [width, height], fill);
  const band = random.between(-0.5, 0.5);
  for (let cloud = 0; cloud < (fine ? 26 : 16); cloud++) {
    const along = random.between(-0.1, 1.1);
    const place: Point = [
      along * width,
      height * (0.5 + band * (along - 0.5)) + random.between(-190, 190),
    ];
    space += glow(canvas, place, random.between(110, 330), color ?? random.pick(NEBULA), 0.26);
  }
  space += paintStars(canvas, height);
  const radius = random.between(120, 165);
  space += planet(
    canvas,
    [width * 0.2, height * 0.24],
    radius,
    color ?? random.pick(PLANETS),
    true,
  );
  return (
    space +
    planet(canvas, [width * 0.86, height * 0.72], radius * 0.42, random.pick(PLANETS), false)
  );
}

function planet(
  canvas: Canvas,
  [x, y]: Point,
  radius: number,
  color: Color,
  ringed: boolean,
): string {
  const { random } = canvas;
  const ball = radial(
    canvas,
    [
      [0, lighter(color, 0.45)],
      [0.45, color],
      [1, darker(color, 0.82)],
    ],
    [0.32, 0.3],
  );
  const clip = canvas.newId();
  let bands = '';
  for (let band = 0; band < 6; band++) {
    const offset = -radius + ((band + 0.5) / 6) * radius * 2;
    bands += ellipse(
      [x, y + offset],
      [radius * 1.05, radius * random.between(0.05, 0.12)],
      band % 2 === 0 ? '#ffffff' : '#1a1030',
      0.16,
    );
  }
  const body =
    `${ball.def}${circle(x, y, radius, ball.fill)}<clipPath id="${clip}"><circle cx="${x}" cy="${y}" r="${radius}"/></clipPath>` +
    `<g clip-path="url(#${clip})">${bands}</g>`;
  if (!ringed) return body;
  const ring = (half: string, reach: number, width: number): string =>
    `<path d="M${-reach} 0A${reach} ${reach * 0.28} 0 0 ${half} ${reach} 0" fill="none" stroke="${lighter(color, 0.55)}" stroke-width="${width}" opacity="0.75"/>`;
  const tilt = `translate(${x} ${y}) rotate(-18)`;
  const rings = (half: string): string =>
    group(tilt, ring(half, radius * 1.75, 10) + ring(half, radius * 1.52, 16));
  return rings('1') + body + rings('0');
}
