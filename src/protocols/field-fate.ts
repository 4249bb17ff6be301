/** How a translator treats a part of a request. The tables in `field-table.ts` use these values. */

export type Mapped = { readonly fate: 'mapped'; readonly as: string };
/** The part is not sent, but the answer is still what the caller requested. */
export type Dropped = { readonly fate: 'dropped'; readonly why: string };

export const mapped = (as: string): Mapped => ({ fate: 'mapped', as });
export const dropped = (why: string): Dropped => ({ fate: 'dropped', why });
