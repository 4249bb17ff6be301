/**
 * Animals. Each stands with its feet on the origin, in a box from -50 to 50 across and up to -100; what
 * flies or swims has the origin under its middle.
 */
import { type Canvas, circle, ellipse, group, linear, path, polygon, stroke } from './canvas.ts';
import { type Color, darker, lighter, luminance, mix } from './color.ts';

/** Lines on a coat: they must show on black as well as on white. */
const marking = (coat: Color): Color =>
  luminance(coat) < 0.25 ? lighter(coat, 0.22) : darker(coat, 0.38);

const belly = (coat: Color): Color => mix(coat, '#fff6e8', luminance(coat) < 0.25 ? 0.3 : 0.62);

/** Lit from the upper left: the fur of a body or head. */
const fur = (canvas: Canvas, coat: Color) =>
  linear(canvas, [
    [0, lighter(coat, 0.16)],
    [1, darker(coat, 0.2)],
  ]);

const eye = (x: number, y: number, iris: Color): string =>
  ellipse([x, y], [5.2, 6], iris) +
  ellipse([x, y], [2.3, 5.2], '#14151c') +
  circle(x - 1.4, y - 2.2, 1.5, '#ffffff');

export function drawCat(canvas: Canvas, coat: Color): string {
  const { def, fill } = fur(canvas, coat);
  const mark = marking(coat);
  const pink = '#f2a0a6';
  const ear = (side: number): string =>
    polygon(
      [
        [side * 24, -72],
        [side * 23, -101],
        [side * 4, -86],
      ],
      coat,
    ) +
    polygon(
      [
        [side * 20.5, -79],
        [side * 20.3, -94],
        [side * 9, -86],
      ],
      pink,
      0.85,
    );
  const stripes =
    stroke('M0 -88V-80M-7 -86L-5.5 -79M7 -86L5.5 -79', mark, 2.6, 0.8) +
    stroke(
      'M-27 -34Q-20 -33 -15 -29M-29 -23Q-22 -22 -17 -18M27 -34Q20 -33 15 -29M29 -23Q22 -22 17 -18',
      mark,
      3,
      0.7,
    );
  const whiskers = stroke(
    'M-9 -60L-33 -64M-9 -58L-33 -57M9 -60L33 -64M9 -58L33 -57',
    '#ffffff',
    0.9,
    0.85,
  );
  return (
    def +
    stroke('M22 -8C44 -4 50 -22 43 -38C40 -46 46 -54 50 -54', darker(coat, 0.14), 8.5) +
    path('M-30 0C-36 -24 -26 -58 0 -58C26 -58 36 -24 30 0Z', fill) +
    ellipse([0, -27], [12, 22], belly(coat), 0.85) +
    stroke('M-6 -1V-24M6 -1V-24', mark, 1.6, 0.5) +
    ellipse([-11, -3], [9.5, 4.6], belly(coat)) +
    ellipse([11, -3], [9.5, 4.6], belly(coat)) +
    ear(-1) +
    ear(1) +
    ellipse([0, -69], [26, 21], fill) +
    stripes +
    eye(-10.5, -71, '#a6d94f') +
    eye(10.5, -71, '#a6d94f') +
    ellipse([0, -59.5], [8.5, 5.8], belly(coat)) +
    polygon(
      [
        [-3, -63.5],
        [3, -63.5],
        [0, -60],
      ],
      pink,
    ) +
    stroke('M0 -60V-58Q-3 -54.5 -6 -57M0 -58Q3 -54.5 6 -57', '#2a1d22', 1.1) +
    whiskers
  );
}

export function drawDog(canvas: Canvas, coat: Color): string {
  const { def, fill } = fur(canvas, coat);
  const dark = marking(coat);
  const ear = (side: number): string =>
    path(
      `M${side * 15} -90C${side * 30} -96 ${side * 37} -78 ${side * 31} -56C${side * 24} -53 ${side * 20} -66 ${side * 19} -76Z`,
      dark,
    );
  const face =
    circle(-10, -76, 3.7, '#1b1518') +
    circle(10, -76, 3.7, '#1b1518') +
    circle(-11, -77.3, 1.2, '#ffffff') +
    circle(9, -77.3, 1.2, '#ffffff') +
    ellipse([0, -62], [14, 11.5], belly(coat)) +
    path('M-4.5 -54C-5 -43 5 -43 4.5 -54Z', '#ee6f7e') +
    ellipse([0, -67.5], [5.2, 3.8], '#1b1518') +
    stroke('M0 -64V-58Q-5 -53 -10 -57M0 -58Q5 -53 10 -57', '#1b1518', 1.3);
  return (
    def +
    stroke('M24 -12C38 -16 46 -28 42 -40', darker(coat, 0.1), 9) +
    path('M-28 0C-34 -22 -24 -56 0 -56C24 -56 34 -22 28 0Z', fill) +
    path('M-13 -52C-18 -30 -12 -12 0 -10C12 -12 18 -30 13 -52Z', belly(coat), 0.9) +
    stroke('M-7 -1V-22M7 -1V-22', dark, 1.7, 0.5) +
    ellipse([-12, -3.5], [10.5, 5], belly(coat)) +
    ellipse([12, -3.5], [10.5, 5], belly(coat)) +
    path('M-25 -72C-25 -98 25 -98 25 -72C25 -50 12 -47 0 -47C-12 -47 -25 -50 -25 -72Z', fill) +
    path('M-4 -92C-6 -80 -5 -72 0 -68C5 -72 6 -80 4 -92Z', belly(coat), 0.8) +
    ear(-1) +
    ear(1) +
    face +
    stroke('M-17 -48Q0 -39 17 -48', '#d43a3a', 5) +
    circle(0, -41, 3.8, '#f5c542')
  );
}

export function drawBird(canvas: Canvas, plumage: Color): string {
  const { def, fill } = fur(canvas, plumage);
  const wing = darker(plumage, 0.3);
  const feathers = canvas.fine
    ? stroke(
        'M-22 -40Q-6 -34 8 -42M-26 -33Q-8 -26 8 -36M-30 -27Q-12 -20 4 -31',
        lighter(wing, 0.3),
        1.4,
        0.8,
      )
    : '';
  return (
    def +
    polygon(
      [
        [-26, -36],
        [-58, -24],
        [-55, -16],
        [-22, -22],
      ],
      wing,
    ) +
    stroke('M-2 -14L-5 0M8 -14L8 0M-5 0L-12 0M-5 0L2 0M8 0L1 0M8 0L15 0', '#d98324', 2.4) +
    path(
      'M-36 -30C-24 -8 18 -4 30 -30C38 -50 42 -66 30 -78C16 -90 -4 -80 -4 -64C-6 -50 -24 -46 -36 -30Z',
      fill,
    ) +
    path(
      'M30 -34C34 -46 34 -56 26 -60C14 -52 2 -32 4 -14C16 -12 26 -22 30 -34Z',
      belly(plumage),
      0.95,
    ) +
    path('M10 -50C-4 -52 -26 -44 -44 -22C-26 -18 4 -20 12 -38Z', wing) +
    feathers +
    polygon(
      [
        [36, -72],
        [53, -66],
        [35, -61],
      ],
      '#f2a52c',
    ) +
    stroke('M36 -66.5L50 -66', '#a8641a', 1) +
    circle(21, -70, 5.2, '#ffffff') +
    circle(22.4, -70, 3.5, '#15161d') +
    circle(21, -71.4, 1.2, '#ffffff')
  );
}

export function drawFish(canvas: Canvas, scales: Color): string {
  const { def, fill } = linear(canvas, [
    [0, darker(scales, 0.18)],
    [0.55, scales],
    [1, lighter(scales, 0.55)],
  ]);
  const fin = darker(scales, 0.26);
  let scalesShown = '';
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < (canvas.fine ? 6 : 4); column++) {
      const [x, y] = [-22 + column * 8, -58 + row * 9];
      scalesShown += stroke(`M${x} ${y - 4}q5 4 0 8`, fin, 1.3, 0.55);
    }
  }
  const drops = [
    [-34, -6, 3],
    [-24, -2, 4.5],
    [30, -4, 4],
    [40, -12, 2.6],
    [-44, -14, 2.4],
    [8, 0, 3.4],
  ] as const;
  const body =
    polygon(
      [
        [-32, -50],
        [-56, -74],
        [-50, -50],
        [-56, -26],
      ],
      fin,
    ) +
    path('M-10 -68C0 -86 18 -84 20 -68Z', fin) +
    path('M-38 -50C-22 -76 22 -80 46 -50C22 -22 -22 -26 -38 -50Z', fill) +
    scalesShown +
    path('M2 -42C-4 -34 -2 -26 4 -24C10 -28 12 -36 10 -42Z', fin, 0.9) +
    stroke('M24 -66Q17 -50 24 -36', fin, 1.8, 0.8) +
    circle(33, -56, 5, '#ffffff') +
    circle(34, -56, 2.9, '#15161d') +
    stroke('M45 -48Q41 -45 38 -45', fin, 1.6);
  return (
    def +
    group('rotate(-14 0 -50)', body) +
    drops.map(([x, y, r]) => circle(x, y, r, '#eaf8ff', 0.85)).join('')
  );
}

export function drawButterfly(canvas: Canvas, wings: Color): string {
  const { def, fill } = linear(canvas, [
    [0, lighter(wings, 0.3)],
    [1, darker(wings, 0.14)],
  ]);
  const dark = luminance(wings) < 0.25 ? lighter(wings, 0.35) : darker(wings, 0.6);
  const half = (side: number): string =>
    group(
      `scale(${side} 1)`,
      path('M2 -56C14 -96 50 -104 50 -78C50 -60 26 -50 2 -50Z', fill) +
        path('M2 -50C26 -50 44 -42 40 -24C36 -8 12 -16 2 -44Z', fill) +
        stroke(
          'M2 -56C14 -96 50 -104 50 -78C50 -60 26 -50 2 -50C26 -50 44 -42 40 -24C36 -8 12 -16 2 -44',
          dark,
          3,
        ) +
        stroke('M4 -54Q24 -62 42 -82M4 -52Q24 -56 44 -66M4 -48Q20 -44 34 -26', dark, 1.4, 0.7) +
        circle(42, -86, 3, '#ffffff', 0.9) +
        circle(46, -77, 2.2, '#ffffff', 0.9) +
        circle(30, -30, 4.4, lighter(wings, 0.6)) +
        circle(30, -30, 2, dark),
    );
  return (
    def +
    half(-1) +
    half(1) +
    ellipse([0, -46], [3, 18], '#2a2230') +
    circle(0, -66, 4, '#2a2230') +
    stroke('M-1 -69Q-6 -82 -13 -84M1 -69Q6 -82 13 -84', '#2a2230', 1.4)
  );
}
