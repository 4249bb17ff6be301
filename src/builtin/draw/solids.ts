/** Plain bodies and still lifes, modelled by light from the upper left. Same box as the animals. */
import {
  type Canvas,
  circle,
  ellipse,
  linear,
  type Point,
  path,
  polygon,
  radial,
  stroke,
} from './canvas.ts';
import { type Color, darker, lighter } from './color.ts';

export function drawCube(canvas: Canvas, color: Color): string {
  const face = (points: readonly Point[], from: Color, to: Color): string => {
    const { def, fill } = linear(canvas, [
      [0, from],
      [1, to],
    ]);
    return def + polygon(points, fill);
  };
  const edges = canvas.fine
    ? stroke('M0 -50V0M0 -50L43 -75M0 -50L-43 -75', lighter(color, 0.55), 0.9, 0.8)
    : '';
  const shadow =
    polygon(
      [
        [-43, -25],
        [0, 4],
        [84, -26],
        [43, -52],
      ],
      '#070b24',
      0.18,
    ) +
    polygon(
      [
        [-43, -25],
        [0, 1],
        [66, -24],
        [43, -50],
      ],
      '#070b24',
      0.3,
    );
  return (
    shadow +
    face(
      [
        [-43, -75],
        [0, -50],
        [0, 0],
        [-43, -25],
      ],
      color,
      darker(color, 0.22),
    ) +
    face(
      [
        [43, -75],
        [0, -50],
        [0, 0],
        [43, -25],
      ],
      darker(color, 0.34),
      darker(color, 0.58),
    ) +
    face(
      [
        [0, -100],
        [43, -75],
        [0, -50],
        [-43, -75],
      ],
      lighter(color, 0.42),
      lighter(color, 0.18),
    ) +
    edges
  );
}

export function drawSphere(canvas: Canvas, color: Color): string {
  const ball = radial(
    canvas,
    [
      [0, lighter(color, 0.72)],
      [0.22, lighter(color, 0.2)],
      [0.55, color],
      [1, darker(color, 0.66)],
    ],
    [0.34, 0.28],
  );
  const bounce = canvas.fine
    ? stroke('M-30 -16A45 45 0 0 0 30 -16', lighter(color, 0.4), 2, 0.45)
    : '';
  return (
    ball.def + circle(0, -46, 46, ball.fill) + bounce + ellipse([-16, -68], [9, 6], '#ffffff', 0.55)
  );
}

export function drawPyramid(canvas: Canvas, color: Color): string {
  const bright = linear(canvas, [
    [0, lighter(color, 0.3)],
    [1, color],
  ]);
  const shade = linear(canvas, [
    [0, darker(color, 0.3)],
    [1, darker(color, 0.52)],
  ]);
  let courses = '';
  if (canvas.fine) {
    for (let course = 1; course < 11; course++) {
      const y = -90 + course * 9;
      const reach = (y + 95) / 95;
      courses += stroke(
        `M${-50 * reach} ${y - 12 * reach + 8}L${14 * reach} ${y + 5}L${50 * reach} ${y - 16 * reach + 8}`,
        '#1a1030',
        0.7,
        0.22,
      );
    }
  }
  return (
    bright.def +
    shade.def +
    polygon(
      [
        [0, -95],
        [-50, -8],
        [14, 0],
      ],
      bright.fill,
    ) +
    polygon(
      [
        [0, -95],
        [14, 0],
        [50, -12],
      ],
      shade.fill,
    ) +
    courses
  );
}

export function drawHeart(canvas: Canvas, color: Color): string {
  const { def, fill } = radial(
    canvas,
    [
      [0, lighter(color, 0.5)],
      [0.45, color],
      [1, darker(color, 0.5)],
    ],
    [0.3, 0.25],
  );
  return (
    def +
    path(
      'M0 -4C-22 -24 -50 -44 -50 -70C-50 -92 -22 -104 0 -78C22 -104 50 -92 50 -70C50 -44 22 -24 0 -4Z',
      fill,
    ) +
    stroke('M-38 -76Q-34 -88 -22 -88', '#ffffff', 5, 0.7)
  );
}

export function drawApple(canvas: Canvas, color: Color): string {
  const { def, fill } = radial(
    canvas,
    [
      [0, lighter(color, 0.5)],
      [0.4, color],
      [1, darker(color, 0.55)],
    ],
    [0.33, 0.3],
  );
  return (
    def +
    stroke('M0 -76Q2 -90 8 -98', '#5b3a1e', 4.5) +
    path('M4 -88C14 -104 34 -104 42 -94C32 -82 14 -80 4 -88Z', '#55a63a') +
    path(
      'M0 -74C-14 -86 -44 -82 -45 -46C-45 -18 -24 2 -8 0C-3 -2 3 -2 8 0C24 2 45 -18 45 -46C44 -82 14 -86 0 -74Z',
      fill,
    ) +
    ellipse([-22, -60], [6, 10], '#ffffff', 0.5) +
    path('M-10 -76Q0 -69 10 -76Q0 -72 -10 -76Z', darker(color, 0.6))
  );
}

export function drawCup(canvas: Canvas, color: Color): string {
  const { def, fill } = linear(
    canvas,
    [
      [0, lighter(color, 0.25)],
      [0.35, color],
      [1, darker(color, 0.42)],
    ],
    true,
  );
  const steam = stroke(
    'M-14 -66C-22 -78 -6 -84 -14 -98M2 -66C-6 -80 10 -86 2 -102M18 -66C10 -78 26 -84 18 -98',
    '#ffffff',
    3,
    0.5,
  );
  return (
    def +
    ellipse([0, -4], [46, 8], lighter(color, 0.5)) +
    ellipse([0, -6], [38, 6], darker(color, 0.15)) +
    stroke('M32 -48C56 -50 54 -16 26 -20', darker(color, 0.22), 6.5) +
    path('M-36 -58C-36 -22 -26 -6 -16 -4H16C26 -6 36 -22 36 -58Z', fill) +
    ellipse([0, -58], [36, 8.5], lighter(color, 0.45)) +
    ellipse([0, -57.5], [31, 6.6], '#4a2a17') +
    ellipse([-6, -58], [14, 2.6], '#8a5a36', 0.8) +
    steam
  );
}
