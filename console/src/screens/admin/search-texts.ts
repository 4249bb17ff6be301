/** Reads and sets the filters of a list, which are kept in the page's URL. */

/** The maximum length of a filter that the API accepts. */
const MAX_FILTER_CHARS = 200;

export type SearchTexts<Name extends string> = { readonly [Key in Name]?: string };

/**
 * Returns the named filters of the URL. Values that are empty, too long, or neither string nor
 * number are ignored.
 */
export function searchTexts<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): SearchTexts<Name> {
  const found: { [Key in Name]?: string } = {};
  for (const name of names) {
    const value = search[name];
    // The router parses `?subject=12` as a number, but here it is a text.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') continue;
    const trimmed = text.trim();
    if (trimmed !== '' && trimmed.length <= MAX_FILTER_CHARS) found[name] = trimmed;
  }
  return found;
}

/** Sets one filter in the URL, or removes it when empty. */
export function withText<Name extends string>(
  search: SearchTexts<Name>,
  name: NoInfer<Name>,
  text: string,
): SearchTexts<Name> {
  const { [name]: _, ...rest } = search;
  // TypeScript cannot infer that the filters without this one are still valid filters.
  const others = rest as SearchTexts<Name>;
  return text.trim() === '' ? others : { ...others, [name]: text.trim() };
}
