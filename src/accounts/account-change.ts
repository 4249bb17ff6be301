/**
 * Computes the new values of an account or key after a change, and the details for the audit log.
 */
import type { AuditAction, AuditDetail } from '../store/audit.ts';
import {
  type AccountChange,
  type AccountRecord,
  type AccountStatus,
  isShowable,
  type KeyChange,
  type KeyRecord,
  type LimitedChange,
  MAX_NAME_CHARS,
} from './account.ts';
import { invalidField } from './account-errors.ts';
import type { LimitedUpdate } from './account-store.ts';
import type { KeyUpdate } from './key-store.ts';
import { capsBody, changedCaps, changedLimits, limitsBody } from './limits/limits.ts';
import { capsOf } from './limits/spend-windows.ts';
import { entityTag } from './optimistic-update.ts';
import { scopesText } from './scopes.ts';

/** Trims and validates a name. @throws GatewayError `invalid_value` (name). */
export function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length <= MAX_NAME_CHARS && isShowable(trimmed)) return trimmed;
  throw invalidField(
    'name',
    `name must be 1 to ${MAX_NAME_CHARS} characters of text, without line breaks or invisible ` +
      'characters.',
  );
}

/** Returns the values of an account or key after a change. @throws `invalid_value` (name). */
export function changed(was: AccountRecord | KeyRecord, change: LimitedChange): LimitedUpdate {
  return {
    name: change.name === undefined ? was.name : checkedName(change.name),
    expiresAtMs: change.expiresAtMs === undefined ? was.expiresAtMs : change.expiresAtMs,
    limits: changedLimits(was.limits, change.limits ?? {}),
    caps: changedCaps(capsOf(was.spend), change.limits ?? {}),
  };
}

export function accountAction(
  was: AccountStatus,
  is: AccountStatus,
  change: AccountChange,
): AuditAction {
  if (was !== is) return is === 'suspended' ? 'account.suspend' : 'account.restore';
  return `account.${changesLimits(change) ? 'limit' : 'update'}`;
}

export const keyAction = (change: KeyChange): AuditAction =>
  `key.${changesLimits(change) || change.scopes !== undefined ? 'limit' : 'update'}`;

const changesLimits = ({ limits, expiresAtMs }: LimitedChange): boolean =>
  limits !== undefined || expiresAtMs !== undefined;

type State = Readonly<Record<string, unknown>>;

/** Returns the values of a key in the format of the API responses. */
export const keyState = (key: KeyUpdate): State => ({
  ...limitedState(key),
  scopes: scopesText(key.scopes),
});

const limitedState = ({ name, expiresAtMs, limits, caps }: LimitedUpdate): State => ({
  name,
  expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
  ...limitsBody(limits),
  spend: capsBody(caps),
});

export const accountState = (
  account: LimitedUpdate & Pick<AccountRecord, 'status' | 'allowExchange' | 'priceList'>,
): State => ({
  ...limitedState(account),
  status: account.status,
  allow_exchange: account.allowExchange,
  price_list: account.priceList,
});

export const keyTag = (key: KeyRecord): string =>
  entityTag({ ...keyState({ ...key, caps: capsOf(key.spend) }), status: key.status });

export const accountTag = (account: AccountRecord): string =>
  entityTag(accountState({ ...account, caps: capsOf(account.spend) }));

/** Returns the old and the new values of the changed fields; null when no field changed. */
export function differences(before: State, after: State): AuditDetail | null {
  const fields = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  if (fields.length === 0) return null;
  const only = (state: State): string =>
    JSON.stringify(Object.fromEntries(fields.map((field) => [field, state[field]])));
  return { before: only(before), after: only(after) };
}
