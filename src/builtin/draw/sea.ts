/** Water from the horizon to the shore. */
import { at, type Canvas, ellipse, linear, path, rect, rollingLine, stroke } from './canvas.ts';
import { type Color, darker, lighter, mix } from './color.ts';

/** `lightX`: where the sun or moon stands, whose light the water breaks up; null when there is none. */
export function paintSea(
  canvas: Canvas,
  horizon: number,
  color: Color | null,
  lightX: number | null,
): string {
  const { palette, width, height } = canvas;
  const far = color === null ? palette.waterFar : mix(color, palette.skyLow, 0.35);
  const near = color === null ? palette.waterNear : darker(color, 0.45);
  const { def, fill } = linear(canvas, [
    [0, far],
    [0.3, mix(far, near, 0.5)],
    [1, near],
  ]);
  const water = def + rect([0, horizon], [width, height - horizon], fill);
  const glitter = lightX === null ? '' : paintGlitter(canvas, horizon, lightX);
  return water + paintWaves(canvas, horizon, lighter(far, 0.35), darker(near, 0.3)) + glitter;
}

/** Flat lenses, small and close at the horizon, long and wide apart near the shore. */
function paintWaves(canvas: Canvas, horizon: number, crest: Color, trough: Color): string {
  const { random, width, height, fine } = canvas;
  let [crests, troughs] = ['', ''];
  for (let wave = 0; wave < (fine ? 420 : 190); wave++) {
    const share = random.between(0, 1) ** 1.5;
    const y = horizon + 4 + share * (height - horizon);
    const reach = (12 + share * 120) * random.between(0.5, 1.3);
    const thick = 0.8 + share * 6;
    const x = random.between(-reach, width);
    const lens = `M${at(x)} ${at(y)}q${at(reach / 2)} ${at(-thick)} ${at(reach)} 0q${at(-reach / 2)} ${at(thick)} ${at(-reach)} 0Z`;
    if (wave % 2 === 0) crests += lens;
    else troughs += lens;
  }
  return path(troughs, trough, 0.28) + path(crests, crest, 0.5);
}

function paintGlitter(canvas: Canvas, horizon: number, lightX: number): string {
  const { random, height, palette, fine } = canvas;
  let glints = '';
  for (let glint = 0; glint < (fine ? 260 : 130); glint++) {
    const share = random.between(0, 1);
    const spread = 26 + share * 120;
    const x = lightX + (random.between(-1, 1) + random.between(-1, 1)) * 0.5 * spread;
    const size = (5 + share * 24) * random.between(0.5, 1.2);
    const y = horizon + 3 + share * (height - horizon);
    glints += ellipse([x, y], [size, 1 + share * 2.6], palette.light, random.between(0.35, 0.85));
  }
  return glints;
}

/** A beach along the bottom edge, wet and foaming where it meets the water. */
export function paintShore(canvas: Canvas, top: number): string {
  const { palette, height, width, random, fine } = canvas;
  const line = rollingLine(canvas, top + 16, 34, 0.6);
  const curve = (dy: number): string =>
    line.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${at(x)} ${at(y + dy)}`).join('');
  const { def, fill } = linear(canvas, [
    [0, mix(palette.sand, '#8a6f4a', 0.3)],
    [0.25, palette.sand],
    [1, darker(palette.sand, 0.14)],
  ]);
  let shore = stroke(curve(-7), '#ffffff', 5, 0.4) + stroke(curve(0), '#ffffff', 10, 0.85);
  shore += def + path(`${curve(2)}L${at(width)} ${at(height)}L0 ${at(height)}Z`, fill);
  for (let pebble = 0; pebble < (fine ? 160 : 50); pebble++) {
    const y = random.between(top + 50, height);
    const size = random.between(1.5, 5);
    shore += ellipse([random.between(0, width), y], [size, size * 0.6], '#6b5535', 0.35);
  }
  return shore;
}
