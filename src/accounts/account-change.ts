/** What a change makes of a key or an account, and which fields of one are refused. */
import type { AuditAction } from '../ledger/audit.ts';
import type { AccountRecord, AccountStatus, KeyRecord } from './account.ts';
import { invalidField } from './account-errors.ts';
import type { KeyUpdate, PageRequest } from './account-store.ts';
import { type AccountChange, type KeyChange, MAX_NAME_CHARS, MAX_PAGE } from './accounts.ts';
import { changedCaps, changedLimits } from './limits/limits.ts';
import { capsOf } from './limits/spend-windows.ts';

export function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length >= 1 && trimmed.length <= MAX_NAME_CHARS && !/\p{Cc}/u.test(trimmed)) {
    return trimmed;
  }
  throw invalidField(
    'name',
    `name must be 1 to ${MAX_NAME_CHARS} characters of text, without line breaks.`,
  );
}

export function checkedPage(page: PageRequest): PageRequest {
  if (Number.isInteger(page.limit) && page.limit >= 1 && page.limit <= MAX_PAGE) return page;
  throw invalidField('limit', `limit must be a whole number from 1 to ${MAX_PAGE}.`);
}

export function changed(was: AccountRecord | KeyRecord, change: KeyChange): KeyUpdate {
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
  const isLimit = change.limits !== undefined || change.expiresAtMs !== undefined;
  return isLimit ? 'account.limit' : 'account.update';
}
