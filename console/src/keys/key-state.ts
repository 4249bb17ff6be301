/** The state of a key. */
import type { ApiKey } from './key-form.ts';

export type KeyState = ApiKey['status'] | 'expired';

/** Expired keys do not work, whatever their other state. */
export function stateOf({ status, expires_at: expiresAt }: ApiKey, nowMs: number): KeyState {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return status !== 'revoked' && isOver ? 'expired' : status;
}
