/** The filters of the key list, kept in the page's URL, and the search for matching keys. */
import { choice, flag, searchReader, text } from '#components/search-reader.ts';
import type { ApiKey } from '#keys/key-form.ts';
import { stateOf } from '#keys/key-state.ts';

export const STATE_FILTERS = ['active', 'disabled', 'revoked', 'expired', 'all'] as const;

export const keySearch = searchReader({
  q: text,
  /** The state of the shown keys; omitted to show all keys that are not revoked. */
  state: choice(STATE_FILTERS),
  /** Whether the form for a new key is open. */
  new: flag,
});
export type KeySearch = ReturnType<typeof keySearch>;

/**
 * Returns the keys that pass the filters, newest first. Without a filter by state, revoked keys are
 * left out.
 */
export function keysThatPass(
  keys: readonly ApiKey[],
  { q = '', state }: KeySearch,
  nowMs: number,
): readonly ApiKey[] {
  const wanted = q.trim().toLowerCase();
  return keys
    .filter((key) => {
      const is = stateOf(key, nowMs);
      if (state === undefined ? is === 'revoked' : state !== 'all' && state !== is) return false;
      return [key.name, key.masked, key.id].some((text) => text.toLowerCase().includes(wanted));
    })
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
}
