/** Pages of a list that is sorted by id. */
import { invalidField } from './account-errors.ts';

/**
 * `after` is the id that ended the previous page; null starts at the first item. Ids sort by age.
 */
export type PageRequest = { readonly limit: number; readonly after: string | null };
/** `next` is the `after` of the next page; null on the last page. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null };

export const MAX_PAGE = 1_000;
export const DEFAULT_PAGE = 100;
export const FIRST_PAGE: PageRequest = { limit: DEFAULT_PAGE, after: null };

/** @throws GatewayError `invalid_value` (limit). */
export function checkedPage(page: PageRequest): PageRequest {
  if (Number.isInteger(page.limit) && page.limit >= 1 && page.limit <= MAX_PAGE) return page;
  throw invalidField('limit', `limit must be a whole number from 1 to ${MAX_PAGE}.`);
}

/** @param found one row more than `limit`, which shows whether another page follows. */
export function pageOf<Item extends { readonly id: string }>(
  found: readonly Item[],
  limit: number,
): Page<Item> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
