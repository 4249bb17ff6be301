/** The decisions of a translator about a part of a request, for the tables in `field-table.ts`. */

export type Mapped = { readonly fate: 'mapped'; readonly as: string };
/** The part is left out; the answer is still what the caller asked for. */
export type Dropped = { readonly fate: 'dropped'; readonly why: string };

export const mapped = (as: string): Mapped => ({ fate: 'mapped', as });
export const dropped = (why: string): Dropped => ({ fate: 'dropped', why });
