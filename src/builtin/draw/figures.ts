/** A person, an astronaut, a robot and a car. Same box as the animals: feet on the origin, 100 high. */
import { type Canvas, circle, ellipse, linear, path, polygon, rect, stroke } from './canvas.ts';
import { type Color, darker, lighter } from './color.ts';

const SKINS: readonly [Color, ...Color[]] = ['#f2c7a2', '#d99d70', '#a8693f', '#6f4326'];
const HAIRS: readonly [Color, ...Color[]] = ['#2a1d18', '#6b3f1f', '#c98a3a', '#3d2b4f'];

export function drawPerson(canvas: Canvas, coat: Color): string {
  const { random, palette } = canvas;
  const skin = darker(random.pick(SKINS), palette.ambience * 0.5);
  const hair = random.pick(HAIRS);
  const cloth = linear(
    canvas,
    [
      [0, lighter(coat, 0.14)],
      [1, darker(coat, 0.24)],
    ],
    true,
  );
  return (
    cloth.def +
    rect([-9, -34], [7.5, 33], '#2d3550') +
    rect([1.5, -34], [7.5, 33], '#242b42') +
    ellipse([-7, -1.5], [7, 3], '#3b2a22') +
    ellipse([7, -1.5], [7, 3], '#3b2a22') +
    path('M-12 -66C-22 -62 -22 -44 -20 -36L-14 -37C-14 -48 -12 -54 -9 -58Z', darker(coat, 0.12)) +
    path('M12 -66C22 -62 22 -44 20 -36L14 -37C14 -48 12 -54 9 -58Z', darker(coat, 0.34)) +
    circle(-17, -34.5, 3.4, skin) +
    circle(17, -34.5, 3.4, skin) +
    path(
      'M-12 -68C-17 -46 -18 -32 -17 -24H17C18 -32 17 -46 12 -68C6 -72 -6 -72 -12 -68Z',
      cloth.fill,
    ) +
    rect([-4, -74], [8, 8], skin) +
    path(
      'M-15 -84C-17 -104 17 -104 15 -84C16 -72 13 -66 10 -68V-86H-10V-68C-13 -66 -16 -72 -15 -84Z',
      hair,
    ) +
    ellipse([0, -83], [11.5, 12.5], skin) +
    path('M-12.5 -84C-13 -100 13 -100 12.5 -84C8 -92 -2 -94 -12.5 -84Z', hair) +
    circle(-4.4, -82, 1.5, '#221a1a') +
    circle(4.4, -82, 1.5, '#221a1a') +
    stroke('M-3.4 -76.5Q0 -73.8 3.4 -76.5', '#a8433f', 1.3) +
    path('M-10 -70C-4 -65 4 -65 10 -70L9 -64C3 -61 -3 -61 -9 -64Z', '#f3e3c2')
  );
}

export function drawAstronaut(canvas: Canvas, trim: Color): string {
  const suit = linear(
    canvas,
    [
      [0, '#ffffff'],
      [0.6, '#e3e7ee'],
      [1, '#a9b2c4'],
    ],
    true,
  );
  const visor = linear(canvas, [
    [0, '#7fd4ff'],
    [0.5, '#234a8f'],
    [1, '#0c1636'],
  ]);
  return (
    suit.def +
    visor.def +
    rect([-24, -66], [48, 36], '#8d97aa', { radius: 6 }) +
    rect([-16, -30], [14, 28], suit.fill, { radius: 6 }) +
    rect([2, -30], [14, 28], suit.fill, { radius: 6 }) +
    rect([-18, -9], [17, 9], trim, { radius: 4 }) +
    rect([1, -9], [17, 9], trim, { radius: 4 }) +
    stroke('M-17 -58C-32 -52 -36 -42 -34 -34M17 -58C32 -56 38 -66 38 -76', '#d5dae4', 11) +
    circle(-34, -31, 6.4, trim) +
    circle(38, -79, 6.4, trim) +
    rect([-20, -66], [40, 42], suit.fill, { radius: 12 }) +
    rect([-10, -50], [20, 13], '#39404f', { radius: 2.5 }) +
    circle(-5, -43.5, 2.2, '#ff5a4d') +
    circle(1, -43.5, 2.2, '#58e08a') +
    rect([4, -47], [4, 7], '#58b0ff') +
    stroke('M-18 -30H18', trim, 3) +
    circle(0, -80, 21, suit.fill) +
    ellipse([0, -79], [15.5, 13.5], '#39404f') +
    ellipse([0, -79], [14, 12], visor.fill) +
    stroke('M-9 -83Q-6 -88 1 -88', '#ffffff', 2.2, 0.85)
  );
}

export function drawRobot(canvas: Canvas, color: Color): string {
  const metal = linear(
    canvas,
    [
      [0, lighter(color, 0.45)],
      [0.5, color],
      [1, darker(color, 0.4)],
    ],
    true,
  );
  const rivets = canvas.fine
    ? [-24, 24]
        .flatMap((x) => [-52, -24].map((y) => circle(x, y, 1.6, darker(color, 0.5))))
        .join('')
    : '';
  return (
    metal.def +
    rect([-18, -18], [11, 18], darker(color, 0.4)) +
    rect([7, -18], [11, 18], darker(color, 0.5)) +
    rect([-23, -5], [19, 6], darker(color, 0.55), { radius: 2.5 }) +
    rect([4, -5], [19, 6], darker(color, 0.6), { radius: 2.5 }) +
    stroke(
      'M-29 -52C-44 -48 -44 -34 -41 -26M29 -52C44 -48 44 -34 41 -26',
      darker(color, 0.3),
      6.5,
    ) +
    circle(-41, -23, 5.4, '#39404f') +
    circle(41, -23, 5.4, '#39404f') +
    rect([-29, -58], [58, 42], metal.fill, { radius: 7 }) +
    rect([-16, -49], [32, 20], '#20283c', { radius: 3 }) +
    stroke('M-12 -38H-6L-2 -45L3 -33L6 -38H12', '#57f0b0', 1.8) +
    rivets +
    rect([-5, -64], [10, 7], '#39404f') +
    stroke('M0 -92V-100', '#39404f', 2.4) +
    circle(0, -101, 3.6, '#ff5a4d') +
    rect([-25, -93], [50, 31], metal.fill, { radius: 9 }) +
    rect([-20, -87], [40, 18], '#141a2b', { radius: 7 }) +
    circle(-9, -78, 5.2, '#58e0ff') +
    circle(9, -78, 5.2, '#58e0ff') +
    circle(-10.5, -79.6, 1.6, '#ffffff') +
    circle(7.5, -79.6, 1.6, '#ffffff')
  );
}

export function drawCar(canvas: Canvas, color: Color): string {
  const paint = linear(canvas, [
    [0, lighter(color, 0.34)],
    [0.5, color],
    [1, darker(color, 0.4)],
  ]);
  const wheel = (x: number): string =>
    circle(x, -8, 9.5, '#1c1f29') + circle(x, -8, 5.4, '#b9c2cf') + circle(x, -8, 2, '#4a5262');
  return (
    paint.def +
    path('M-26 -28C-20 -46 -12 -48 2 -48C16 -48 22 -42 30 -28Z', darker(color, 0.2)) +
    polygon(
      [
        [-21, -29],
        [-14, -43],
        [0, -44],
        [0, -29],
      ],
      '#bfe6f7',
    ) +
    polygon(
      [
        [3, -29],
        [3, -44],
        [14, -42.5],
        [24, -29],
      ],
      '#a5d3ea',
    ) +
    path(
      'M-50 -12C-51 -26 -40 -29 -28 -29H30C44 -28 51 -24 51 -12C51 -8 48 -7 46 -7H-46C-49 -7 -50 -8 -50 -12Z',
      paint.fill,
    ) +
    stroke('M1 -28V-10M-6 -23H-12', darker(color, 0.5), 1, 0.7) +
    ellipse([47, -19], [3.4, 3], '#fff6c2') +
    ellipse([-48, -19], [2, 3], '#ff5a4d') +
    stroke('M-40 -25H30', '#ffffff', 1.6, 0.45) +
    wheel(-27) +
    wheel(28)
  );
}
