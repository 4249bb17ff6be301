/**
 * Draws an abstract picture as SVG, with the prompt as its title. The shapes are random but depend
 * only on the request, so that equal requests get equal pictures.
 */
import { fingerprint, type SeededRandom, seededRandom } from '../seeded-random.ts';
import { titleOf } from './title.ts';

export type Style = 'vivid' | 'natural';

export type Picture = {
  readonly model: string;
  readonly prompt: string;
  /** The index of the picture within its request, which makes the `n` pictures different. */
  readonly index: number;
  /** Width and height in pixels. */
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  /** Whether the quality is `hd`. If so, the picture gets more detail. */
  readonly fine: boolean;
};

/** The length of a picture's short side in SVG units. It does not depend on the size in pixels. */
const SHORT_SIDE = 1000;
const MARGIN = 64;
const LINE_HEIGHT = 1.22;
const FONTS = "'Noto Sans','DejaVu Sans','Noto Sans CJK SC','PingFang SC',Arial,sans-serif";

type Canvas = {
  readonly width: number;
  readonly height: number;
  readonly fine: boolean;
  readonly random: SeededRandom;
  /**
   * Returns a color. `step` selects a hue of the palette, and `light` is the lightness from 0 to 1.
   */
  readonly color: (step: number, light: number) => string;
};

export function pictureSvg({ model, prompt, index, style, fine, ...size }: Picture): string {
  const scale = SHORT_SIDE / Math.min(size.width, size.height);
  const [width, height] = [size.width * scale, size.height * scale];
  const random = seededRandom(fingerprint(JSON.stringify([model, prompt, index])));
  const hue = random.between(0, 360);
  const spread = random.between(28, 70) * (random.below(2) === 0 ? 1 : -1);
  const color = (step: number, light: number): string => {
    const turned = (((hue + step * spread) % 360) + 360) % 360;
    return `hsl(${at(turned)},${style === 'vivid' ? 82 : 24}%,${at(light * 100)}%)`;
  };
  const canvas: Canvas = { width, height, fine, random, color };
  const motif = MOTIFS[random.below(MOTIFS.length)] ?? waves;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" ` +
    `viewBox="0 0 ${at(width)} ${at(height)}" preserveAspectRatio="none">` +
    background(canvas) +
    motif(canvas) +
    (fine ? grain(canvas) : '') +
    caption(canvas, prompt) +
    '</svg>'
  );
}

/** Returns a description of the picture, for the field `revised_prompt`. */
export const describePicture = ({ prompt, style, fine }: Omit<Picture, 'index'>): string =>
  `An abstract picture titled “${titleOf(prompt, Infinity).lines.join(' ')}”, in ` +
  `${style === 'vivid' ? 'vivid' : 'natural, muted'} colors${fine ? ', in fine detail' : ''}.`;

const at = (length: number): string => String(Math.round(length * 10) / 10);

function background({ width, height, random, color }: Canvas): string {
  const lights = Array.from({ length: 5 }, (_, light) => {
    const [x, y] = [random.between(0, width), random.between(0, height)];
    const radius = random.between(0.3, 0.62) * SHORT_SIDE;
    return (
      `<radialGradient id="l${light}">` +
      `<stop stop-color="${color(light, 0.66)}" stop-opacity="0.85"/>` +
      `<stop offset="1" stop-color="${color(light, 0.5)}" stop-opacity="0"/></radialGradient>` +
      `<circle cx="${at(x)}" cy="${at(y)}" r="${at(radius)}" fill="url(#l${light})"/>`
    );
  });
  return (
    `<linearGradient id="b" x2="${at(random.between(0, 1))}" y2="1">` +
    `<stop stop-color="${color(0, 0.3)}"/>` +
    `<stop offset="0.55" stop-color="${color(1, 0.42)}"/>` +
    `<stop offset="1" stop-color="${color(2, 0.24)}"/></linearGradient>` +
    `<rect width="100%" height="100%" fill="url(#b)"/>${lights.join('')}`
  );
}

type Motif = (canvas: Canvas) => string;

const waves: Motif = ({ width, height, fine, random, color }) => {
  const count = fine ? 14 : 8;
  const [phase, pitch] = [random.between(0, 6.3), random.between(3, 7)];
  return Array.from({ length: count }, (_, ribbon) => {
    const base = height * (0.2 + (0.72 * ribbon) / count);
    const [swing, lag] = [random.between(30, 110), ribbon * random.between(0.25, 0.5)];
    const points = Array.from({ length: 41 }, (_, step) => {
      const y = base + Math.sin((step / 40) * pitch + phase + lag) * swing;
      return `${at((step / 40) * width)} ${at(y)}`;
    }).join('L');
    const fill = color(ribbon / 2.5, 0.68 - (0.4 * ribbon) / count);
    return (
      `<path d="M${points}L${at(width)} ${at(height)}L0 ${at(height)}Z" ` +
      `fill="${fill}" fill-opacity="0.5"/>` +
      `<path d="M${points}" fill="none" stroke="${color(ribbon, 0.85)}" ` +
      'stroke-width="2.5" stroke-opacity="0.55"/>'
    );
  }).join('');
};

const rings: Motif = ({ width, height, fine, random, color }) => {
  const count = fine ? 22 : 13;
  const [x, y] = [width * random.between(0.3, 0.7), height * random.between(0.25, 0.5)];
  const circles = Array.from({ length: count }, (_, ring) => {
    const radius = 46 + (ring * 560) / count;
    const around = 2 * Math.PI * radius;
    const drawn = around * random.between(0.45, 0.92);
    return (
      `<circle cx="${at(x)}" cy="${at(y)}" r="${at(radius)}" fill="none" ` +
      `stroke="${color(ring / 3, random.between(0.5, 0.85))}" stroke-opacity="0.75" ` +
      `stroke-width="${at(random.between(5, 340 / count))}" stroke-linecap="round" ` +
      `stroke-dasharray="${at(drawn)} ${at(around - drawn)}" ` +
      `transform="rotate(${at(random.between(0, 360))} ${at(x)} ${at(y)})"/>`
    );
  });
  return `${circles.join('')}<circle cx="${at(x)}" cy="${at(y)}" r="26" fill="${color(1, 0.9)}"/>`;
};

const MOTIFS = [waves, rings] as const satisfies readonly Motif[];

/** Draws fine specks of light, for quality `hd`. */
const grain: Motif = ({ width, height, random, color }) =>
  Array.from({ length: 800 }, () => {
    const [x, y] = [random.between(0, width), random.between(0, height)];
    const radius = at(random.between(0.8, 3));
    const fill = `fill="${color(1, 0.93)}" fill-opacity="0.6"`;
    return `<circle cx="${at(x)}" cy="${at(y)}" r="${radius}" ${fill}/>`;
  }).join('');

/** Draws the title at the bottom, on a shaded background that keeps it readable on any color. */
function caption({ width, height }: Canvas, prompt: string): string {
  const { fontSize, lines } = titleOf(prompt, width - 2 * MARGIN);
  const tall = lines.length * fontSize * LINE_HEIGHT;
  const top = height - MARGIN - tall;
  const spans = lines.map((line, row) => {
    const baseline = at(top + fontSize * (0.95 + row * LINE_HEIGHT));
    return `<tspan x="${MARGIN}" y="${baseline}">${escaped(line)}</tspan>`;
  });
  return (
    '<linearGradient id="s" x2="0" y2="1"><stop stop-color="#05070f" stop-opacity="0"/>' +
    '<stop offset="0.55" stop-color="#05070f" stop-opacity="0.55"/>' +
    '<stop offset="1" stop-color="#05070f" stop-opacity="0.8"/></linearGradient>' +
    `<rect y="${at(top - 2 * MARGIN)}" width="100%" height="${at(tall + 3 * MARGIN)}" ` +
    'fill="url(#s)"/>' +
    `<text font-family="${FONTS}" font-size="${fontSize}" font-weight="bold" fill="#fff">` +
    `${spans.join('')}</text>`
  );
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'));
