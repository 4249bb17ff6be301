/** What the audit log says of a change to a key or an account: what was, and what is. */
import type { AuditDetail } from '../ledger/audit.ts';
import type { AccountStatus } from './account.ts';
import { capsBody, type Limits, limitsBody, type SpendCaps } from './limits/limits.ts';

type KeyState = {
  readonly name: string;
  readonly expiresAtMs: number | null;
  readonly limits: Limits;
  readonly caps: SpendCaps;
};
type State = Readonly<Record<string, unknown>>;

/** As the APIs show it. */
export const stateOf = ({ name, expiresAtMs, limits, caps }: KeyState): State => ({
  name,
  expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
  ...limitsBody(limits),
  spend: capsBody(caps),
});

export const accountState = (
  account: KeyState & { readonly status: AccountStatus; readonly allowExchange: boolean },
): State => ({
  ...stateOf(account),
  status: account.status,
  allow_exchange: account.allowExchange,
});

/** The fields that differ, before and after, as JSON; null when none does. */
export function differences(before: State, after: State): AuditDetail | null {
  const fields = Object.keys(after).filter((field) => text(before[field]) !== text(after[field]));
  if (fields.length === 0) return null;
  const only = (state: State): string =>
    text(Object.fromEntries(fields.map((field) => [field, state[field]])));
  return { before: only(before), after: only(after) };
}

export const text = (value: unknown): string => JSON.stringify(value);
