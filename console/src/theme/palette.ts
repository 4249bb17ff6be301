/** The raw colors of the console. All other code uses CSS variables. */
import type { MantineColorsTuple } from '@mantine/core';

/**
 * The grays of the light theme, with a slight blue tint: lines, secondary text and subtle surfaces.
 */
export const GRAY: MantineColorsTuple = [
  '#f7f8fa',
  '#f0f2f5',
  '#e7eaee',
  '#dee2e7',
  '#c8ced6',
  '#98a2b0',
  '#697586',
  '#4a5463',
  '#2d3541',
  '#161b22',
];

/**
 * The colors of the dark theme, from text (0) to the page (8). A surface above another one is
 * lighter: page 8, card 7, control and menu 6, hover 5, line 4.
 */
export const DARK: MantineColorsTuple = [
  '#e6e9ee',
  '#c3c9d3',
  '#9ba5b3',
  '#8a94a3',
  '#323945',
  '#21262f',
  '#1a1e26',
  '#14171d',
  '#0d0f13',
  '#090a0d',
];

/** The accent color: primary buttons, focus and selection. The logo has shade 6. */
export const ACCENT: MantineColorsTuple = [
  '#f0f3ff',
  '#e2e8fe',
  '#c2cefa',
  '#9db0f6',
  '#7f98f2',
  '#6282ec',
  '#3b5bdb',
  '#3450c4',
  '#2c46af',
  '#213b9a',
];

export const WHITE = '#ffffff';

/** The text color of the light theme. */
export const INK = '#14181f';

/** The colors of secondary text, placeholders and lines. */
export const FAINT = {
  dimmed: { light: '#586273', dark: DARK[2] },
  placeholder: { light: '#697586', dark: DARK[3] },
  line: { light: GRAY[2], dark: '#242a33' },
} as const;

/**
 * The text color of each hue in the light and the dark theme. The colors suit plain and tinted
 * surfaces.
 */
export const TONES = {
  gray: { light: '#4a5463', dark: '#c3c9d3', tint: '#8a94a3' },
  brand: { light: '#2c46af', dark: '#b3c2fa', tint: '#6282ec' },
  blue: { light: '#2c46af', dark: '#b3c2fa', tint: '#6282ec' },
  red: { light: '#b42323', dark: '#ff9c9c', tint: '#f05252' },
  orange: { light: '#a83b0c', dark: '#ffb27a', tint: '#f2762e' },
  yellow: { light: '#8f5200', dark: '#f5c45e', tint: '#e0a020' },
  green: { light: '#1f6e33', dark: '#7fd694', tint: '#35a853' },
  teal: { light: '#076a4e', dark: '#6fd6b3', tint: '#12a67c' },
} as const;

/** The colors of status dots, with a contrast of at least 3:1 on every surface. */
export const DOTS = {
  quiet: { light: '#8a94a2', dark: '#6f7a89' },
  good: { light: '#2f9e50', dark: '#3fb966' },
  attention: { light: '#c77f00', dark: '#f0b429' },
  bad: { light: '#dc3838', dark: '#f56565' },
} as const;
