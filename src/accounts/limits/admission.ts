/** Whether a key may be used at all: its standing, its account's, and where it is used from. */
import type { KeyStanding } from '../account.ts';
import {
  disabledKey,
  expiredAccount,
  expiredKey,
  replacedSecret,
  revokedKey,
  suspendedAccount,
  wrongAddress,
} from '../account-errors.ts';
import type { Caller } from '../accounts.ts';
import { isWithin, parseAddress } from './ip-range.ts';

/** The caller, when key and account are in good standing. The expiry is judged now, cached or not. */
export function admit(standing: KeyStanding, nowMs: number): Caller {
  if (standing.keyStatus === 'revoked') throw revokedKey(standing.revokedAtMs);
  if (standing.keyStatus === 'disabled') throw disabledKey();
  const { expiresAtMs } = standing;
  if (expiresAtMs !== null && expiresAtMs <= nowMs) throw expiredKey(expiresAtMs);
  const { secretUntilMs, accountExpiresAtMs } = standing;
  if (secretUntilMs !== null && secretUntilMs <= nowMs) throw replacedSecret(secretUntilMs);
  if (standing.accountStatus === 'suspended') throw suspendedAccount();
  if (accountExpiresAtMs !== null && accountExpiresAtMs <= nowMs) {
    throw expiredAccount(accountExpiresAtMs);
  }
  return {
    accountId: standing.accountId,
    keyId: standing.keyId,
    keyName: standing.keyName,
    allowExchange: standing.allowExchange,
    limits: { key: standing.limits, account: standing.accountLimits },
  };
}

/** The address is only asked for when somebody minds it. */
export function requireAddress({ limits }: Caller, address: () => string | null): void {
  for (const owner of ['key', 'account'] as const) {
    const ranges = limits[owner].ipRanges;
    if (ranges === null) continue;
    const seen = address();
    const parsed = seen === null ? null : parseAddress(seen);
    if (parsed === null || !ranges.some((range) => isWithin(parsed, range))) {
      throw wrongAddress(owner, seen);
    }
  }
}
