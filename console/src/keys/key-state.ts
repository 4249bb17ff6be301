/** Determines the state of a key, and who may change it. */
import { mayAs, type SignedIn } from '#api/session.ts';
import type { TextKey, Translate } from '#i18n/texts.ts';
import type { ApiKey, Scope } from './key-form.ts';
import type { keyTexts } from './key-texts.ts';

export type KeyState = ApiKey['status'] | 'expired';

/** Returns the state of a key: `expired` after its expiry, unless the key was revoked. */
export function stateOf({ status, expires_at: expiresAt }: ApiKey, nowMs: number): KeyState {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return status !== 'revoked' && isOver ? 'expired' : status;
}

export type SecretEnds = {
  /** When the previous secret stops working; null if it no longer works. */
  readonly previous: string | null;
  /** When the new secret expires; null if it never expires. */
  readonly current: string | null;
};

/**
 * Returns when the previous and the new secret of a rotated key stop working. The previous one
 * stops at the key's expiry if that is earlier.
 */
export function secretEnds(
  { previous_secret_until: until, expires_at: current }: ApiKey,
  nowMs: number,
): SecretEnds {
  const isCutShort = until !== null && current !== null && Date.parse(current) < Date.parse(until);
  const previous = isCutShort ? current : until;
  const isOver = previous === null || Date.parse(previous) <= nowMs;
  return { previous: isOver ? null : previous, current };
}

type T = Translate<TextKey<typeof keyTexts>>;

export const scopeNames = (t: T, scopes: readonly Scope[]): readonly string[] =>
  scopes.map((scope) => t(scope));

/** Returns the name of the person who created the key; null if no person did. */
export const creatorOf = (t: T, key: ApiKey): string | null =>
  key.created_by === null ? null : (key.created_by_name ?? t('somebodyRemoved'));

/**
 * Whether the person may change the key. Owners may change all keys. Members may change only the
 * keys that they created, except the playground's key.
 */
export const mayManage = (
  { id, role }: Pick<SignedIn, 'id' | 'role'>,
  { created_by: createdBy, purpose }: Pick<ApiKey, 'created_by' | 'purpose'>,
): boolean =>
  mayAs(role, 'owner') || (mayAs(role, 'member') && createdBy === id && purpose === null);
