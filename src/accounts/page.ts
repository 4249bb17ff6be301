/** The pages of lists that are sorted by id. */
import { invalidField } from './account-errors.ts';

/**
 * The part of a list to read, sorted by id and therefore by age. `after` is the id of the previous
 * page's last item; null for the first page.
 */
export type PageRequest = { readonly limit: number; readonly after: string | null };
/** A page. To read the next page, pass `next` as `after`; `next` is null on the last page. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null };

export const MAX_PAGE = 1_000;
export const DEFAULT_PAGE = 100;
export const FIRST_PAGE: PageRequest = { limit: DEFAULT_PAGE, after: null };

/** Validates a page request. @throws GatewayError `invalid_value` (limit). */
export function checkedPage(page: PageRequest): PageRequest {
  if (Number.isInteger(page.limit) && page.limit >= 1 && page.limit <= MAX_PAGE) return page;
  throw invalidField('limit', `limit must be a whole number from 1 to ${MAX_PAGE}.`);
}

/**
 * Builds a page from the first `limit` rows.
 * @param found the rows, with one more than `limit` if another page follows.
 */
export function pageOf<Item extends { readonly id: string }>(
  found: readonly Item[],
  limit: number,
): Page<Item> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
