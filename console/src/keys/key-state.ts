/** Determines the state of a key. */
import type { ApiKey } from './key-form.ts';

export type KeyState = ApiKey['status'] | 'expired';

/** Returns the state of a key: `expired` after its expiry, unless the key was revoked. */
export function stateOf({ status, expires_at: expiresAt }: ApiKey, nowMs: number): KeyState {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return status !== 'revoked' && isOver ? 'expired' : status;
}
