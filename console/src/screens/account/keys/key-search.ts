/** The filters of the key list in its address, and their matching. */
import type { ApiKey } from '../../../keys/key-form.ts';
import { stateOf } from '../../../keys/key-state.ts';

export const STATE_FILTERS = ['active', 'disabled', 'revoked', 'expired', 'all'] as const;
export type StateFilter = (typeof STATE_FILTERS)[number];

export type KeySearch = {
  readonly q?: string;
  /** Default: all keys that are not revoked. */
  readonly state?: StateFilter;
  /** Opens the form for a new key. */
  readonly new?: true;
};

const MAX_FILTER_CHARS = 200;

export function keySearchOf(search: Readonly<Record<string, unknown>>): KeySearch {
  const { q, state, new: isNew } = search;
  // The router parses `?q=12` as a number.
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  const known = STATE_FILTERS.find((each) => each === state);
  return {
    ...(text === '' || text.length > MAX_FILTER_CHARS ? {} : { q: text }),
    ...(known === undefined ? {} : { state: known }),
    ...(isNew === true ? { new: true } : {}),
  };
}

/** Newest first. */
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
