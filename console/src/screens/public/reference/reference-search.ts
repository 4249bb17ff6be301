/** The filters of the API reference in the page's address. */

/** Left out: every operation. */
export type ReferenceSearch = { readonly q?: string };

const MAX_CHARS = 200;

export const referenceSearch = ({ q }: Readonly<Record<string, unknown>>): ReferenceSearch =>
  typeof q === 'string' && q !== '' ? { q: q.slice(0, MAX_CHARS) } : {};
