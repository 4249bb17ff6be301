/** Filters of a list as its address keeps them. */

/** As long as the API takes them. */
const MAX_FILTER_CHARS = 200;

export type SearchTexts<Name extends string> = { readonly [Key in Name]?: string };

/** The named texts of an address. What is empty, too long, or neither text nor number is left out. */
export function searchTexts<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): SearchTexts<Name> {
  const found: { [Key in Name]?: string } = {};
  for (const name of names) {
    const value = search[name];
    // The router reads `?subject=12` as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') continue;
    const trimmed = text.trim();
    if (trimmed !== '' && trimmed.length <= MAX_FILTER_CHARS) found[name] = trimmed;
  }
  return found;
}

/** The address's filters with one of them set, or taken out when it is empty. */
export function withText<Name extends string>(
  search: SearchTexts<Name>,
  name: NoInfer<Name>,
  text: string,
): SearchTexts<Name> {
  const { [name]: _, ...rest } = search;
  // What is left of a type's names is not known to be the names but one.
  const others = rest as SearchTexts<Name>;
  return text.trim() === '' ? others : { ...others, [name]: text.trim() };
}
