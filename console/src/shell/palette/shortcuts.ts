/** Global shortcuts: Ctrl+K (Cmd+K) opens the command palette, `/` focuses the page's filter. */
import { useHotkeys } from '@mantine/hooks';
import { MAIN_ID } from '#shell/skip-link.tsx';

/** Selects a page's filter: its first search field, or a field with `data-page-filter`. */
const FILTER = `#${MAIN_ID} :is(input[type='search'], input[data-page-filter], [data-page-filter] input)`;

/**
 * Installs the shortcuts.
 * @param openPalette opens the command palette; `/` also does so on pages without a filter.
 */
export function useShortcuts(openPalette: () => void): void {
  const focusFilter = (): void => {
    const filter = document.querySelector<HTMLInputElement>(FILTER);
    if (filter === null) openPalette();
    else {
      filter.focus();
      filter.select();
    }
  };
  // In a text field, Ctrl+K works but `/` types a slash.
  useHotkeys([['mod+K', openPalette]], []);
  useHotkeys([['/', focusFilter]]);
}
