/** The filter of the API reference, which is kept in the page's URL. */

/** The state of the API reference. Without `q`, every operation is shown. */
export type ReferenceSearch = { readonly q?: string };

const MAX_CHARS = 200;

export const referenceSearch = ({ q }: Readonly<Record<string, unknown>>): ReferenceSearch =>
  typeof q === 'string' && q !== '' ? { q: q.slice(0, MAX_CHARS) } : {};
