/** How the console looks: one accent, system fonts, figures that stand in columns. */
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
    // Without it the focus goes to the first item, and a menu holds nothing but items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: { target: 'main' } } },
  },
});

/** Text on the light tints of these colours; the library's own shades are too bright to be read. */
const ON_TINT = {
  red: '#b92727',
  orange: '#b23b0c',
  yellow: '#a15300',
  green: '#247434',
  teal: '#077252',
} as const;

/** Text that is dimmed must still be legible: 4.5 to 1 on every surface it stands on. */
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

/** `index.html` reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'modelgate.color-scheme' });
