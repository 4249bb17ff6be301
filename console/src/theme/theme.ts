/**
 * The Mantine theme: font sizes, spacing, the accent color, and default props of the components.
 */
import { createTheme, localStorageColorSchemeManager } from '@mantine/core';
import { KeptButton } from './kept-button.tsx';
import { ACCENT, DARK, GRAY, INK } from './palette.ts';

/**
 * The duration of transitions. It is long enough to show where an element comes from, and too short
 * to feel like a wait.
 */
const MOTION_MS = 120;
const FADE = { transitionProps: { transition: 'fade', duration: MOTION_MS } } as const;

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 6,
  colors: { brand: ACCENT, blue: ACCENT, gray: GRAY, dark: DARK },
  black: INK,
  autoContrast: true,
  luminanceThreshold: 0.35,
  cursorType: 'pointer',
  respectReducedMotion: true,
  // The font families are defined in fonts.css, because Chinese needs different fonts.
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-code)',
  fontSizes: {
    xs: '0.75rem',
    sm: '0.8125rem',
    md: '0.875rem',
    lg: '1rem',
    xl: '1.25rem',
    hero: '2rem',
  },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.5' },
      h4: { fontSize: '0.875rem', lineHeight: '1.5' },
      h5: { fontSize: '0.875rem', lineHeight: '1.5' },
      h6: { fontSize: '0.8125rem', lineHeight: '1.5' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '32px' },
  defaultRadius: 'md',
  shadows: {
    xs: '0 1px 2px rgb(10 14 22 / 0.06)',
    sm: '0 1px 3px rgb(10 14 22 / 0.08)',
    md: '0 4px 16px rgb(10 14 22 / 0.12)',
    lg: '0 8px 24px rgb(10 14 22 / 0.14)',
    xl: '0 16px 48px rgb(10 14 22 / 0.18)',
  },
  components: {
    Accordion: { defaultProps: { transitionDuration: MOTION_MS } },
    ActionIcon: { defaultProps: { component: KeptButton } },
    AppShell: { defaultProps: { transitionDuration: MOTION_MS } },
    Badge: { defaultProps: { variant: 'light', color: 'gray', radius: 'sm', tt: 'none', fw: 500 } },
    Burger: { defaultProps: { transitionDuration: MOTION_MS } },
    Button: { defaultProps: { component: KeptButton } },
    Card: { defaultProps: { withBorder: true, padding: 'md', radius: 'lg' } },
    Collapse: { defaultProps: { transitionDuration: MOTION_MS } },
    Drawer: { defaultProps: { transitionProps: { duration: MOTION_MS } } },
    // By default, the library gives the initial focus to a placeholder element, which is invalid
    // inside a menu. Without the placeholder, the first item gets the focus.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        portalProps: { target: '#main' },
        shadow: 'md',
        ...FADE,
      },
    },
    Modal: { defaultProps: { centered: true, radius: 'lg', ...FADE } },
    NavLink: { defaultProps: { transitionDuration: MOTION_MS } },
    Popover: { defaultProps: { shadow: 'md', ...FADE } },
    SegmentedControl: { defaultProps: { transitionDuration: MOTION_MS, size: 'sm' } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    // With this spacing, a row is 38 px high; see global.css.
    Table: {
      defaultProps: { verticalSpacing: 5, horizontalSpacing: 'sm', highlightOnHover: true },
    },
    Tooltip: {
      defaultProps: {
        openDelay: 200,
        // Menus and tooltips must be within a landmark. An ID selects the element, because
        // `index.html` has another `main`, which is removed once the first screen is shown.
        portalProps: { target: '#main' },
        events: { hover: true, focus: true, touch: true },
        ...FADE,
      },
    },
  },
});

/** Stores the chosen color scheme. `index.html` reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'modelgate.color-scheme' });
