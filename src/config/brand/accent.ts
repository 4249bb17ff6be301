/** The accent color of a brand: checks its contrast, and computes its shades for both themes. */

/** White and black are mixed into the accent for its shades. White is also the text on buttons. */
const WHITE = '#ffffff';
const BLACK = '#000000';
/** The gray surfaces behind colored text, in the light theme and in the dark theme. */
export const LIGHT_SURFACE = '#f0f2f5';
export const DARK_SURFACE = '#21262f';
/** The background of cards in the dark theme, behind buttons. */
export const DARK_CARD = '#14171d';

/** The minimum contrast of text with its background (WCAG 2.2, AA). */
export const TEXT_CONTRAST = 4.5;
/** The minimum contrast of a button with its background (WCAG 2.2, AA). */
export const SHAPE_CONTRAST = 3;
/** The contrast to which colored text is adjusted, which is higher than `TEXT_CONTRAST`. */
const TONE_CONTRAST = 6;

export const isHexColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Returns the contrast of two colors, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

const channelsOf = (color: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/**
 * Mixes two colors.
 * @param share the fraction of `other` in the result, from 0 to 1.
 */
function mixed(color: string, other: string, share: number): string {
  const others = channelsOf(other);
  const bytes = channelsOf(color).map((byte, at) =>
    Math.round(byte + ((others[at] ?? 0) - byte) * share),
  );
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

const shown = (contrast: number): string => (Math.floor(contrast * 10) / 10).toFixed(1);

/** Returns the reason why a color cannot be the accent of the light theme; null if it can. */
export function lightProblem(accent: string): string | null {
  const contrast = contrastOf(accent, WHITE);
  return contrast >= TEXT_CONTRAST
    ? null
    : `has a contrast of ${shown(contrast)}:1 with the white text on buttons, but needs ${TEXT_CONTRAST}:1; choose a darker color`;
}

/** Returns the reason why a color cannot be the accent of the dark theme; null if it can. */
export function darkProblem(accent: string): string | null {
  const contrast = contrastOf(accent, DARK_CARD);
  return contrast >= SHAPE_CONTRAST
    ? lightProblem(accent)
    : `has a contrast of ${shown(contrast)}:1 with the background of cards in the dark theme, but needs ${SHAPE_CONTRAST}:1; choose a lighter color for accent_dark`;
}

/**
 * How much white is mixed into the accent for shades 0 to 6, and how much black for shades 7 to 9,
 * from 0 to 1. Shade 6 is the accent itself.
 */
const TINTS = [0.93, 0.85, 0.7, 0.5, 0.36, 0.2, 0] as const;
const DARKENED = [0.1, 0.22, 0.34] as const;

const shadesOf = (accent: string): readonly string[] => [
  ...TINTS.map((share) => mixed(accent, WHITE, share)),
  ...DARKENED.map((share) => mixed(accent, BLACK, share)),
];

/** Darkens or lightens a color until text of this color is readable on the surface. */
function readableOn(surface: string, color: string): string {
  const toward = luminance(surface) > 0.5 ? BLACK : WHITE;
  let share = 0;
  while (share < 1 && contrastOf(mixed(color, toward, share), surface) < TONE_CONTRAST) {
    share += 0.02;
  }
  return mixed(color, toward, share);
}

/** The opacity of a tinted surface as two hexadecimal digits: normal, and under the pointer. */
const ALPHAS = { light: ['1a', '29'], dark: ['29', '3d'] } as const;

/** The accent's names in CSS variables: `brand` of the console, `blue` of the component library. */
const HUES = ['brand', 'blue'] as const;

/** Returns the CSS variables of one theme. They override the console's default variables. */
function variablesOf(scheme: 'light' | 'dark', accent: string): string {
  const shades = shadesOf(accent);
  const tone = readableOn(scheme === 'light' ? LIGHT_SURFACE : DARK_SURFACE, accent);
  const [rest, hover] = ALPHAS[scheme];
  const tint = shades[5] ?? accent;
  return [
    ...HUES.flatMap((hue) => [
      ...shades.map((shade, at) => `--mantine-color-${hue}-${at}:${shade}`),
      `--mantine-color-${hue}-light:${tint}${rest}`,
      `--mantine-color-${hue}-light-hover:${tint}${hover}`,
      `--mantine-color-${hue}-light-color:${tone}`,
      `--mantine-color-${hue}-text:${tone}`,
    ]),
    `--mantine-color-anchor:${tone}`,
  ].join(';');
}

/**
 * Returns the style sheet of an accent. Its selectors need a higher specificity than those of the
 * component library, whose style elements come later.
 */
export const accentStyle = (light: string, dark: string): string =>
  [
    `:root:root[data-mantine-color-scheme]{${variablesOf('light', light)}}`,
    `:root:root[data-mantine-color-scheme="dark"]{${variablesOf('dark', dark)}}`,
    `:root:root .frame i{border-top-color:${light}}`,
  ].join('');
