/** Plants, buildings, vessels and people. Same box as the animals: feet on the origin, 100 high. */
import {
  type Canvas,
  circle,
  ellipse,
  group,
  linear,
  path,
  polygon,
  rect,
  stroke,
} from './canvas.ts';
import { type Color, darker, lighter, luminance, mix } from './color.ts';

export function drawFlower(canvas: Canvas, color: Color): string {
  const petals = canvas.fine ? 14 : 10;
  const ring = (count: number, reach: number, fill: Color, turn: number): string =>
    Array.from({ length: count }, (_, petal) =>
      group(
        `translate(0 -68) rotate(${(petal * 360) / count + turn})`,
        path(
          `M0 0C-9 ${-reach * 0.4} -8 ${-reach * 0.95} 0 ${-reach}C8 ${-reach * 0.95} 9 ${-reach * 0.4} 0 0Z`,
          fill,
        ),
      ),
    ).join('');
  return (
    stroke('M0 0C-4 -22 4 -40 0 -62', '#3d8b3d', 4.2) +
    path('M-1 -14C-16 -34 -36 -30 -40 -40C-34 -18 -18 -10 -1 -14Z', '#4aa04a') +
    path('M1 -22C14 -42 32 -36 38 -46C34 -24 16 -16 1 -22Z', '#3f9140') +
    ring(petals, 33, darker(color, 0.2), 180 / petals) +
    ring(petals, 29, lighter(color, 0.12), 0) +
    circle(0, -68, 9.5, '#6b4415') +
    circle(0, -68, 7.6, '#f0b52e') +
    circle(-2, -70, 3.4, '#ffe08a')
  );
}

export function drawTree(canvas: Canvas, color: Color): string {
  const { random, fine } = canvas;
  let crown = '';
  for (const [layer, shade] of [darker(color, 0.36), color, lighter(color, 0.24)].entries()) {
    for (let leaf = 0; leaf < (fine ? 46 : 26); leaf++) {
      const angle = random.between(0, 6.283);
      const out = random.between(0, 1) ** 0.6;
      const x = Math.cos(angle) * out * 38 - layer * 4;
      const y = -66 + Math.sin(angle) * out * 26 - layer * 5;
      crown += circle(x, y, random.between(5, 10) * (1 - layer * 0.16), shade, 0.95);
    }
  }
  return (
    path('M-7 0C-3 -18 -4 -34 -5 -50H5C4 -34 4 -16 9 0Z', '#6b4a2f') +
    stroke('M-1 -34Q-14 -46 -20 -56M1 -38Q14 -48 20 -58', '#6b4a2f', 4) +
    crown
  );
}

export function drawHouse(canvas: Canvas, color: Color): string {
  const pane = canvas.palette.isNight || canvas.palette.ambience > 0.25 ? '#ffd978' : '#a9d8f2';
  const roof = luminance(color) > 0.5 ? '#b5483a' : '#e9e2d4';
  const { def, fill } = linear(
    canvas,
    [
      [0, lighter(color, 0.14)],
      [1, darker(color, 0.16)],
    ],
    true,
  );
  const window = (x: number): string =>
    rect([x - 9, -40], [18, 18], '#fdf8ee') +
    rect([x - 7.5, -38.5], [15, 15], pane) +
    stroke(`M${x} -38V-24M${x - 7} -31H${x + 7}`, '#fdf8ee', 1.6);
  const tiles = canvas.fine
    ? stroke('M-42 -62H42M-34 -70H34M-25 -78H25M-15 -87H15', darker(roof as Color, 0.35), 1, 0.5)
    : '';
  return (
    def +
    rect([20, -96], [10, 30], '#8a5a4a') +
    rect([-40, -56], [80, 56], fill) +
    polygon(
      [
        [-50, -54],
        [0, -98],
        [50, -54],
      ],
      roof,
    ) +
    tiles +
    rect([-9, -34], [18, 34], '#6b4226', { radius: 2 }) +
    circle(5, -17, 1.5, '#f0c95a') +
    window(-25) +
    window(25)
  );
}

export function drawLighthouse(canvas: Canvas, color: Color): string {
  const { palette } = canvas;
  const shines = palette.isNight || palette.ambience > 0.25;
  const beam = shines
    ? polygon(
        [
          [2, -88],
          [130, -118],
          [130, -62],
        ],
        '#fff2b8',
        0.3,
      ) +
      polygon(
        [
          [-2, -88],
          [-130, -116],
          [-130, -64],
        ],
        '#fff2b8',
        0.18,
      )
    : '';
  const stripe = (y: number): string => {
    const [upper, lower] = [9 - (y + 80) * -0.085, 9 - (y + 94) * -0.085];
    return polygon(
      [
        [-upper, y],
        [upper, y],
        [lower, y + 14],
        [-lower, y + 14],
      ],
      color,
    );
  };
  return (
    beam +
    path('M-34 4C-30 -10 -18 -12 -14 -8H16C24 -12 32 -6 36 4Z', darker(palette.rock, 0.2)) +
    polygon(
      [
        [-9, -80],
        [9, -80],
        [16, -4],
        [-16, -4],
      ],
      '#f7f3ea',
    ) +
    stripe(-74) +
    stripe(-46) +
    stripe(-18) +
    polygon(
      [
        [0, -80],
        [9, -80],
        [16, -4],
        [3, -4],
      ],
      '#0b1030',
      0.16,
    ) +
    rect([-12, -83], [24, 4], '#39404f') +
    rect([-7, -95], [14, 12], shines ? '#ffeb9c' : '#cfe8f2') +
    stroke('M-7 -95V-83M0 -95V-83M7 -95V-83', '#39404f', 1.2) +
    path('M-9 -95C-8 -102 8 -102 9 -95Z', color)
  );
}

export function drawBoat(canvas: Canvas, color: Color): string {
  const sail = linear(
    canvas,
    [
      [0, '#ffffff'],
      [1, mix('#e9dfcf', canvas.palette.ambient, canvas.palette.ambience)],
    ],
    true,
  );
  return (
    sail.def +
    stroke('M0 -98V-16', '#6b4a2f', 2.6) +
    path('M3 -96C26 -74 38 -46 40 -24H3Z', sail.fill) +
    path('M-3 -88C-20 -68 -30 -46 -32 -24H-3Z', sail.fill) +
    polygon(
      [
        [0, -99],
        [14, -94.5],
        [0, -90],
      ],
      color,
    ) +
    path('M-46 -20H48C44 -4 32 2 24 2H-26C-36 2 -44 -8 -46 -20Z', color) +
    path('M-44 -14H46L45 -9H-42Z', '#ffffff', 0.75) +
    path('M-26 2H24C16 10 -18 10 -26 2Z', '#ffffff', 0.3)
  );
}

export function drawBalloon(_canvas: Canvas, color: Color): string {
  const gores: readonly (readonly [number, Color])[] = [
    [40, color],
    [27, lighter(color, 0.5)],
    [14, color],
  ];
  const gore = (reach: number, fill: Color): string =>
    path(
      `M0 -100C${-reach * 1.33} -100 ${-reach * 1.33} -58 ${-reach * 0.22} -28H${reach * 0.22}C${reach * 1.33} -58 ${reach * 1.33} -100 0 -100Z`,
      fill,
    );
  return (
    stroke('M-8 -28L-7 -13M8 -28L7 -13M0 -28V-13', '#5b452f', 0.9) +
    gores.map(([reach, fill]) => gore(reach, fill)).join('') +
    path('M0 -100C53 -100 53 -58 9 -28H2C36 -60 36 -96 0 -100Z', '#0b1030', 0.16) +
    ellipse([-22, -82], [6, 11], '#ffffff', 0.3) +
    rect([-8, -14], [16, 13], '#9a6b3c', { radius: 2.5 }) +
    stroke('M-8 -10H8M-8 -6H8', '#6b4624', 0.9)
  );
}

export function drawRocket(canvas: Canvas, color: Color): string {
  const hull = linear(
    canvas,
    [
      [0, '#ffffff'],
      [0.6, '#dfe5ee'],
      [1, '#98a4b8'],
    ],
    true,
  );
  const flame = linear(canvas, [
    [0, '#fff3b0'],
    [0.45, '#ffae34'],
    [1, '#f0432a', 0],
  ]);
  return group(
    'rotate(18 0 -50)',
    flame.def +
      path('M-11 -18C-18 4 -6 18 0 34C6 18 18 4 11 -18Z', flame.fill) +
      hull.def +
      path('M-15 -44C-34 -34 -36 -16 -32 -8L-12 -22Z', darker(color, 0.12)) +
      path('M15 -44C34 -34 36 -16 32 -8L12 -22Z', darker(color, 0.34)) +
      path('M0 -108C24 -86 24 -48 13 -18H-13C-24 -48 -24 -86 0 -108Z', hull.fill) +
      path('M0 -108C11 -98 17 -88 18.5 -78H-18.5C-17 -88 -11 -98 0 -108Z', color) +
      circle(0, -60, 9.5, color) +
      circle(0, -60, 7, '#7fd0f5') +
      stroke('M-4 -63Q-2 -66 2 -66', '#ffffff', 1.6, 0.9) +
      rect([-11, -21], [22, 5], '#39404f'),
  );
}
