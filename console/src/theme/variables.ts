/**
 * The CSS variables of the light and the dark color scheme. They add to the variables of the
 * component library, or override them.
 */
import { alpha, type CSSVariablesResolver } from '@mantine/core';
import { DARK, DOTS, FAINT, GRAY, TONES, WHITE } from './palette.ts';

type Scheme = 'light' | 'dark';

/** The opacity of a tint on its surface. */
const TINT = { light: 0.1, dark: 0.16 } as const;
const TINT_HOVER = { light: 0.16, dark: 0.24 } as const;

/** Returns the variables of each hue: its tinted surfaces and the text on them. */
const tones = (scheme: Scheme): Record<string, string> =>
  Object.fromEntries(
    Object.entries(TONES).flatMap(([hue, { tint, [scheme]: text }]) => [
      [`--mantine-color-${hue}-light`, alpha(tint, TINT[scheme])],
      [`--mantine-color-${hue}-light-hover`, alpha(tint, TINT_HOVER[scheme])],
      [`--mantine-color-${hue}-light-color`, text],
      [`--mantine-color-${hue}-text`, text],
    ]),
  );

const dots = (scheme: Scheme): Record<string, string> =>
  Object.fromEntries(Object.entries(DOTS).map(([tone, dot]) => [`--dot-${tone}`, dot[scheme]]));

/** Returns the variables that both color schemes have, with the values for `scheme`. */
const both = (scheme: Scheme): Record<string, string> => ({
  ...tones(scheme),
  ...dots(scheme),
  '--line': FAINT.line[scheme],
  '--mantine-color-dimmed': FAINT.dimmed[scheme],
  '--mantine-color-placeholder': FAINT.placeholder[scheme],
  '--mantine-color-error': TONES.red[scheme],
});

/**
 * `--surface-page` is the background behind cards, `--surface-sunken` a recessed area within a
 * card, and `--surface-thumb` the thumb on a `--surface-track`. A card has the color of Mantine's
 * body. Secondary text has a contrast of at least 4.5:1 on every surface and tint.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...both('light'),
    '--surface-page': GRAY[0],
    '--surface-sunken': GRAY[0],
    '--surface-track': GRAY[2],
    '--surface-thumb': WHITE,
    '--mantine-color-default-hover': GRAY[1],
    '--mantine-color-default-border': GRAY[3],
  },
  dark: {
    ...both('dark'),
    '--surface-page': DARK[8],
    '--surface-sunken': DARK[8],
    '--surface-track': DARK[5],
    '--surface-thumb': DARK[8],
    '--mantine-color-disabled': DARK[5],
    '--mantine-color-anchor': TONES.brand.dark,
  },
});
