/** Finds the menu entry of the current page. */

/**
 * Returns the entry with the longest path that is a prefix of the current path. Only whole segments
 * match: `/keys/key_1` matches `/keys`. `/playground/images` matches its own entry, although
 * `/playground` matches as well.
 */
export function currentPage<Item extends { readonly to: string }>(
  pathname: string,
  items: readonly Item[],
): Item | null {
  const at = pathname.replace(/\/+$/, '') || '/';
  return items
    .filter(({ to }) => at === to || (to !== '/' && at.startsWith(`${to}/`)))
    .reduce<Item | null>(
      (longest, item) => (longest === null || item.to.length > longest.to.length ? item : longest),
      null,
    );
}
