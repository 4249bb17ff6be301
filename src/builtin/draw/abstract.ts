/** A picture of nothing that can be named: ribbons of colour, for prompts without a thing to show. */
import { at, type Canvas, circle, glow, linear, path, rect } from './canvas.ts';
import { type Color, darker, lighter, mix } from './color.ts';
import { type Style, tune } from './palette.ts';

const SCHEMES: readonly [readonly Color[], ...(readonly Color[])[]] = [
  ['#0f2a5f', '#2b6fe3', '#29c5c9', '#f7d560', '#f2694b'],
  ['#2a1b52', '#8a3fd1', '#e8417a', '#ff9d5c', '#ffe08a'],
  ['#0d3b3a', '#1f8f7a', '#7fd08a', '#f4e8a8', '#e08a3f'],
  ['#3a1020', '#b02a4a', '#f0705a', '#f7c9a0', '#5fb3c9'],
];

/** `accents`: the colours that the prompt names; they take over the scheme. */
export function paintAbstract(canvas: Canvas, accents: readonly Color[], style: Style): string {
  const { width, height, random, fine } = canvas;
  const colors = schemeOf(canvas, accents).map((color) => tune(color, style));
  const color = (index: number): Color => colors[index % colors.length] ?? '#2b6fe3';
  const back = linear(canvas, [
    [0, color(0)],
    [1, mix(color(0), color(1), 0.7)],
  ]);
  let picture = back.def + rect([0, 0], [width, height], back.fill);
  for (let light = 0; light < 4; light++) {
    const place = [random.between(0, width), random.between(0, height * 0.7)] as const;
    picture += glow(canvas, place, random.between(220, 420), color(light + 1), 0.5);
  }
  const [sunX, sunY] = [width * random.between(0.3, 0.7), height * random.between(0.24, 0.36)];
  const disc = linear(canvas, [
    [0, lighter(color(3), 0.4)],
    [1, color(4)],
  ]);
  picture += disc.def + circle(sunX, sunY, random.between(120, 170), disc.fill);
  const ribbons = fine ? 13 : 8;
  for (let ribbon = 0; ribbon < ribbons; ribbon++) {
    picture += paintRibbon(canvas, ribbon / (ribbons - 1), color(ribbon + 1), color(ribbon + 2));
  }
  return picture;
}

function schemeOf(canvas: Canvas, accents: readonly Color[]): readonly Color[] {
  const [first, second] = accents;
  if (first === undefined) return canvas.random.pick(SCHEMES);
  const other = second ?? mix(first, '#ffd9a0', 0.55);
  return [darker(first, 0.6), first, lighter(first, 0.35), lighter(other, 0.45), other];
}

function paintRibbon(canvas: Canvas, share: number, from: Color, to: Color): string {
  const { random, width, height, fine } = canvas;
  const top = height * (0.36 + share * 0.52);
  const [phase, swing] = [random.between(0, 6.3), random.between(50, 120)];
  const { def, fill } = linear(
    canvas,
    [
      [0, from, 0.9],
      [0.5, mix(from, to, 0.5), 0.85],
      [1, darker(to, 0.15), 0.95],
    ],
    true,
  );
  let line = '';
  for (let step = 0; step <= 48; step++) {
    const x = (step / 48) * width;
    const y =
      top +
      Math.sin((step / 48) * 5.2 + phase) * swing +
      Math.sin((step / 48) * 11 + phase * 2) * swing * 0.2;
    line += `${step === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`;
  }
  const edge = `<path d="${line}" fill="none" stroke="${lighter(from, 0.6)}" stroke-width="${fine ? 2.4 : 3.4}" opacity="0.6"/>`;
  return def + path(`${line}L${at(width)} ${at(height)}L0 ${at(height)}Z`, fill) + edge;
}
