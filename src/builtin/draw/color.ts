/** Colours as `#rrggbb`, and the few sums that painting needs. */

export type Color = `#${string}`;

/** The colour words a prompt may use, in several languages, each with how it is painted. */
export const COLOR_WORDS: ReadonlyMap<string, Color> = new Map(
  Object.entries({
    '#e02f2f': 'red rojo roja rot rote roter rouge rosso crimson scarlet ruby 红 紅 赤',
    '#2b6fe3': 'blue azul blau blaue bleu bleue blu cobalt sapphire 蓝 藍 青',
    '#2f9e4f': 'green verde grün grüne vert verte emerald 绿 綠 緑',
    '#f6c927': 'yellow amarillo gelb gelbe jaune giallo lemon 黄 黃',
    '#f0801f':
      'orange naranja arancione amber ginger autumn autumnal otoño herbst automne 橙 橘 秋',
    '#8a3fd1': 'purple violet morado lila violett viola lavender 紫',
    '#f283b6': 'pink rosa rose magenta fuchsia 粉',
    '#24262d': 'black negro negra schwarz schwarze noir noire nero 黑 黒',
    '#f4f4f1': 'white blanco blanca weiß weiss weiße blanc blanche bianco ivory 白',
    '#8d939c': 'gray grey gris grau silver 灰 银',
    '#8a5a33': 'brown marrón braun brun marrone chocolate 棕 褐',
    '#e3b23c': 'gold golden dorado or 金',
    '#1fb5ad': 'turquoise teal cyan aqua türkis',
    '#1d2f6b': 'navy indigo',
    '#ecd9b0': 'beige cream tan',
  }).flatMap(([color, words]) => words.split(' ').map((word) => [word, color as Color])),
);

type Channels = readonly [number, number, number];

const channels = (color: Color): Channels => {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const fromChannels = (parts: Channels): Color => {
  const byte = (part: number): string =>
    Math.round(Math.min(255, Math.max(0, part)))
      .toString(16)
      .padStart(2, '0');
  return `#${byte(parts[0])}${byte(parts[1])}${byte(parts[2])}`;
};

/** `share` 0 is all `a`, 1 all `b`. */
export function mix(a: Color, b: Color, share: number): Color {
  const [from, to] = [channels(a), channels(b)];
  return fromChannels([
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ]);
}

export const lighter = (color: Color, share: number): Color => mix(color, '#ffffff', share);
/** Towards a deep blue, not black: shade outdoors is lit by the sky. */
export const darker = (color: Color, share: number): Color => mix(color, '#0b1030', share);

/** How light it looks, 0 to 1. */
export function luminance(color: Color): number {
  const [red, green, blue] = channels(color);
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** `factor` below 1 towards grey, above 1 away from it. */
export function saturate(color: Color, factor: number): Color {
  const grey = luminance(color) * 255;
  const [red, green, blue] = channels(color);
  const stretch = (part: number): number => grey + (part - grey) * factor;
  return fromChannels([stretch(red), stretch(green), stretch(blue)]);
}
