/** The theme: one accent color, system fonts, aligned figures. */
import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';

const BRAND: MantineColorsTuple = [
  '#eef2ff',
  '#dfe6fd',
  '#bccaf8',
  '#96acf3',
  '#7692ef',
  '#6282ec',
  '#3b5bdb',
  '#3450c4',
  '#2c46af',
  '#213b9a',
];

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 6,
  colors: { brand: BRAND },
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    Tooltip: {
      defaultProps: {
        withArrow: true,
        openDelay: 200,
        events: { hover: true, focus: true, touch: true },
      },
    },
    Table: { defaultProps: { verticalSpacing: 'sm', highlightOnHover: true } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none' } },
    Card: { defaultProps: { withBorder: true, padding: 'lg' } },
    Modal: { defaultProps: { centered: true } },
    // The library's focus placeholder is off, because a menu may contain only items. Instead, the
    // first item gets the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: { target: 'main' } } },
  },
});

/** The colors of text on light tints, where the library's shades lack contrast. */
const ON_TINT = {
  red: '#b92727',
  orange: '#b23b0c',
  yellow: '#a15300',
  green: '#247434',
  teal: '#077252',
} as const;

/** The colors of the theme, in which dimmed text has a contrast of 4.5:1 on every surface. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6c737a',
    '--mantine-color-error': '#c92a2a',
    ...Object.fromEntries(
      Object.entries(ON_TINT).map(([color, shade]) => [
        `--mantine-color-${color}-light-color`,
        shade,
      ]),
    ),
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-placeholder': '#9aa1a8',
    '--mantine-color-error': '#ff8787',
  },
});

/** The store of the chosen color scheme. `index.html` reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'modelgate.color-scheme' });
