/** Whether a key works now. */
import type { ApiKey } from './key-form.ts';

export type KeyState = ApiKey['status'] | 'expired';

/** A key whose time is over works no more, whatever else it is. */
export function stateOf({ status, expires_at: expiresAt }: ApiKey, nowMs: number): KeyState {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return status !== 'revoked' && isOver ? 'expired' : status;
}
