/** The colours of a picture: the hour sets them, the style tunes them. */
import { type Color, mix, saturate } from './color.ts';

export type Style = 'vivid' | 'natural';
export type Hour = 'day' | 'dawn' | 'sunset' | 'night' | 'storm';

/** From the zenith to the horizon, then what lies under it. */
export type Palette = {
  readonly skyTop: Color;
  readonly skyMiddle: Color;
  readonly skyLow: Color;
  /** The light of the sun or moon. */
  readonly light: Color;
  /** What distance fades into. */
  readonly haze: Color;
  readonly rock: Color;
  readonly grass: Color;
  readonly leaves: Color;
  readonly sand: Color;
  readonly snow: Color;
  readonly waterFar: Color;
  readonly waterNear: Color;
  /** What light there is tints everything with `ambience` (0 to 1) of this. */
  readonly ambient: Color;
  readonly ambience: number;
  readonly isNight: boolean;
};

type Scheme = Pick<
  Palette,
  'skyTop' | 'skyMiddle' | 'skyLow' | 'light' | 'haze' | 'ambient' | 'ambience'
>;

const SCHEMES: Readonly<Record<Hour, Scheme>> = {
  day: {
    skyTop: '#1c7fe0',
    skyMiddle: '#5db8f5',
    skyLow: '#d6f0fb',
    light: '#fff4c2',
    haze: '#c4e2f3',
    ambient: '#fff6dd',
    ambience: 0.04,
  },
  dawn: {
    skyTop: '#4b78c2',
    skyMiddle: '#d59cc4',
    skyLow: '#ffdcae',
    light: '#fff0c4',
    haze: '#f3c5bb',
    ambient: '#ffb59a',
    ambience: 0.16,
  },
  sunset: {
    skyTop: '#2a1b66',
    skyMiddle: '#c23f7a',
    skyLow: '#ffb14a',
    light: '#ffe9a8',
    haze: '#f08a5d',
    ambient: '#8a2f5e',
    ambience: 0.3,
  },
  night: {
    skyTop: '#040a26',
    skyMiddle: '#12235c',
    skyLow: '#3a569c',
    light: '#f6f1d6',
    haze: '#3b5290',
    ambient: '#132259',
    ambience: 0.42,
  },
  storm: {
    skyTop: '#2b3442',
    skyMiddle: '#566575',
    skyLow: '#a3b1ba',
    light: '#e9f0f5',
    haze: '#8696a2',
    ambient: '#3c4a5a',
    ambience: 0.32,
  },
};

const MATERIALS = {
  rock: '#4d5a78',
  grass: '#58b04a',
  leaves: '#1f6e4d',
  sand: '#efcf92',
  snow: '#f6fafe',
} as const satisfies Record<string, Color>;

/** Natural: as a photograph on paper. Vivid: as a poster. */
const tuning: Readonly<Record<Style, (color: Color) => Color>> = {
  vivid: (color) => saturate(color, 1.14),
  natural: (color) => mix(saturate(color, 0.66), '#c2b8a6', 0.12),
};

export const tune = (color: Color, style: Style): Color => tuning[style](color);

/** A colour as the hour's light shows it. */
export const lit = (color: Color, palette: Palette): Color =>
  mix(color, palette.ambient, palette.ambience);

/** `sky`: a colour that the prompt gives to the sky, or null. */
export function paletteOf(hour: Hour, style: Style, sky: Color | null): Palette {
  const plain = SCHEMES[hour];
  const scheme: Scheme =
    sky === null
      ? plain
      : {
          ...plain,
          skyTop: mix(sky, '#050820', 0.35),
          skyMiddle: sky,
          skyLow: mix(sky, '#fff3e0', 0.55),
          haze: mix(sky, '#ffffff', 0.35),
        };
  const material = (color: Color): Color =>
    tune(mix(color, scheme.ambient, Math.min(0.75, scheme.ambience * 1.5)), style);
  return {
    skyTop: tune(scheme.skyTop, style),
    skyMiddle: tune(scheme.skyMiddle, style),
    skyLow: tune(scheme.skyLow, style),
    light: tune(scheme.light, style),
    haze: tune(scheme.haze, style),
    ambient: tune(scheme.ambient, style),
    ambience: scheme.ambience,
    isNight: hour === 'night',
    rock: material(MATERIALS.rock),
    grass: material(MATERIALS.grass),
    leaves: material(MATERIALS.leaves),
    sand: material(MATERIALS.sand),
    // Snow gives back what little light there is, so the hour dims it least.
    snow: tune(mix(MATERIALS.snow, scheme.skyMiddle, scheme.ambience * 0.75), style),
    waterFar: tune(mix(scheme.skyLow, scheme.skyMiddle, 0.5), style),
    waterNear: tune(mix(scheme.skyTop, '#06426b', 0.5), style),
  };
}
