/** The filters of the list of keys, as its address keeps them, and what passes them. */
import type { ApiKey } from './key-form.ts';

export const KEY_STATES = ['active', 'disabled', 'revoked', 'expired', 'all'] as const;
export type KeyState = (typeof KEY_STATES)[number];

export type KeySearch = {
  readonly q?: string;
  /** Left out: those that are not gone for good. */
  readonly state?: KeyState;
  /** The form of a new key is open. */
  readonly new?: true;
};

const MAX_FILTER_CHARS = 200;

export function keySearchOf(search: Readonly<Record<string, unknown>>): KeySearch {
  const { q, state, new: isNew } = search;
  // The router reads `?q=12` as a number.
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  const known = KEY_STATES.find((each) => each === state);
  return {
    ...(text === '' || text.length > MAX_FILTER_CHARS ? {} : { q: text }),
    ...(known === undefined ? {} : { state: known }),
    ...(isNew === true ? { new: true } : {}),
  };
}

export type ShownState = Exclude<KeyState, 'all'>;

/** A key whose time is over works no more, whatever else it is. */
export function stateOf({ status, expires_at: expiresAt }: ApiKey, nowMs: number): ShownState {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return status !== 'revoked' && isOver ? 'expired' : status;
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
