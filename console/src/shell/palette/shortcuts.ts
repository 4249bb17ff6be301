/** Keys that work on every page: Ctrl+K (or Cmd+K) finds and does anything, `/` goes to the page's own filter. */
import { useHotkeys } from '@mantine/hooks';
import { MAIN_ID } from '../skip-link.tsx';

/** A page's filter is its first search field, or what it marks as that: the field, or something around it. */
const FILTER = `#${MAIN_ID} :is(input[type='search'], input[data-page-filter], [data-page-filter] input)`;

/** @param openPalette shows the command palette; `/` does as well on a page without a filter. */
export function useShortcuts(openPalette: () => void): void {
  const focusFilter = (): void => {
    const filter = document.querySelector<HTMLInputElement>(FILTER);
    if (filter === null) openPalette();
    else {
      filter.focus();
      filter.select();
    }
  };
  // Who types in a field may want the palette, but wants a `/` to be one.
  useHotkeys([['mod+K', openPalette]], []);
  useHotkeys([['/', focusFilter]]);
}
