/** What narrows the API reference, as the page's address says it. */

/** Absent: every operation. */
export type ReferenceSearch = { readonly q?: string };

const MAX_CHARS = 200;

export const referenceSearch = ({ q }: Readonly<Record<string, unknown>>): ReferenceSearch =>
  typeof q === 'string' && q !== '' ? { q: q.slice(0, MAX_CHARS) } : {};
