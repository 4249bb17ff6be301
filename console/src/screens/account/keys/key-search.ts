/** The filters of the key list, kept in the page's URL, and the search for matching keys. */
import type { ApiKey } from '#keys/key-form.ts';
import { stateOf } from '#keys/key-state.ts';

export const STATE_FILTERS = ['active', 'disabled', 'revoked', 'expired', 'all'] as const;
export type StateFilter = (typeof STATE_FILTERS)[number];

export type KeySearch = {
  readonly q?: string;
  /** The state of the shown keys; left out for all keys that are not revoked. */
  readonly state?: StateFilter;
  /** Set when the form for a new key is open. */
  readonly new?: true;
};

const MAX_FILTER_CHARS = 200;

export function keySearchOf(search: Readonly<Record<string, unknown>>): KeySearch {
  const { q, state, new: isNew } = search;
  // The router parses `?q=12` as a number, but here it is a text.
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  const known = STATE_FILTERS.find((each) => each === state);
  return {
    ...(text === '' || text.length > MAX_FILTER_CHARS ? {} : { q: text }),
    ...(known === undefined ? {} : { state: known }),
    ...(isNew === true ? { new: true } : {}),
  };
}

/** Returns the keys that pass the filters, newest first. */
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
