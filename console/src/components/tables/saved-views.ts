/**
 * Named filters of a list. A view is the query part of the page's URL, so a link to the view can be
 * shared.
 */

export type View = { readonly name: string; readonly query: string };

/** The maximum number of views of a list, so that their menu fits on a screen. */
export const MAX_VIEWS = 12;
export const MAX_NAME_CHARS = 40;
/** The maximum length of a stored query. No list writes longer queries. */
const MAX_QUERY_CHARS = 2_000;
/**
 * Parameters that are not part of a view: those for an opened row (`id`), for the current page of
 * the list (`after`) and for an open form (`new`).
 */
const NOT_FILTERS = ['id', 'after', 'new'];

/** Returns the filters of a query in a fixed order, so that equal filters give equal texts. */
export function filtersOf(query: string): string {
  const filters = new URLSearchParams(query);
  for (const name of NOT_FILTERS) filters.delete(name);
  filters.sort();
  return filters.toString();
}

/** Parses saved views and ignores anything invalid. */
export function viewsOf(text: string | undefined): readonly View[] {
  try {
    const views: unknown = JSON.parse(text ?? '');
    return Array.isArray(views) ? views.filter(isView).slice(0, MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

const isView = (value: unknown): value is View => {
  const { name, query } = Object(value);
  const isName = typeof name === 'string' && name !== '' && name.length <= MAX_NAME_CHARS;
  return isName && typeof query === 'string' && query.length <= MAX_QUERY_CHARS;
};

/** Adds a view, or replaces the view of the same name. A new view is not added to a full list. */
export function withView(views: readonly View[], view: View): readonly View[] {
  const others = views.filter(({ name }) => name !== view.name);
  return [...others, view].slice(0, MAX_VIEWS);
}
