/** Accounts, keys and wallets as the APIs show them. Times are ISO 8601, in UTC. */
import type { AccountRecord, KeyRecord } from '../accounts/account-rows.ts';
import { capsBody, capText, limitsBody } from '../accounts/limits/limits.ts';
import { capsOf, type SpendWindow, type SpendWindows } from '../accounts/limits/spend-windows.ts';
import type { Wallet } from '../ledger/ledger.ts';
import { type Currency, formatAmount, nano } from '../money/amount.ts';

/**
 * Amounts are decimal strings in units of `currency`. `available` is what new requests may still hold:
 * the balance less what is held, and how far below zero the wallet may go besides.
 */
export type WalletBody = {
  readonly currency: Currency;
  readonly balance: string;
  readonly held: string;
  readonly credit_limit: string;
  readonly available: string;
};

export function walletBody(wallet: Wallet): WalletBody {
  return {
    currency: wallet.currency,
    balance: formatAmount(wallet.balance),
    held: formatAmount(wallet.held),
    credit_limit: formatAmount(nano(-wallet.floor)),
    available: formatAmount(nano(wallet.balance - wallet.held - wallet.floor)),
  };
}

export function accountBody(account: AccountRecord) {
  return {
    id: account.id,
    name: account.name,
    status: account.status,
    allow_exchange: account.allowExchange,
    created_at: isoTime(account.createdAtMs),
    expires_at: isoTime(account.expiresAtMs),
    limits: limitsAndCaps(account),
    spend: spendBody(account.spend),
  };
}

/** Never its secret. */
export function keyBody(key: KeyRecord) {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    masked: key.masked,
    status: key.status,
    created_at: isoTime(key.createdAtMs),
    expires_at: isoTime(key.expiresAtMs),
    revoked_at: isoTime(key.revokedAtMs),
    last_used_at: isoTime(key.lastUsedAtMs),
    previous_secret_until: isoTime(key.previousSecretUntilMs),
    limits: limitsAndCaps(key),
    spend: spendBody(key.spend),
  };
}

/** As they are set: what a PATCH takes. */
export const limitsAndCaps = (of: Pick<KeyRecord, 'limits' | 'spend'>) => ({
  spend: capsBody(capsOf(of.spend)),
  ...limitsBody(of.limits),
});

/** What each window has seen, in USD; `remaining` is null without a cap. */
export function spendBody(spend: SpendWindows) {
  const body = ({ spent, remaining, resetsAtMs }: SpendWindow) => ({
    spent: formatAmount(spent),
    remaining: capText(remaining),
    resets_at: isoTime(resetsAtMs),
  });
  return {
    day: body(spend.day),
    week: body(spend.week),
    month: body(spend.month),
    total: body(spend.total),
  };
}

/** A moment, or null for none. */
export function isoTime(ms: number): string;
export function isoTime(ms: number | null): string | null;
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
