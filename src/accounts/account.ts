/** The rows of accounts and keys as the store keeps them, and what they say. */
import type { Meter } from '../ledger/meter.ts';
import { maskOf } from './api-key.ts';
import { type Limits, limitsOf } from './limits/limits.ts';
import { type SpendWindows, spendWindows } from './limits/spend-windows.ts';

export type AccountStatus = 'active' | 'suspended';
/** What the gateway itself made a key for; an account has one for each. */
export type KeyPurpose = 'playground';
/** `disabled` can be taken back; `revoked` is for good. */
export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** What both have. `revision` is new with each change of the row. */
type Limited = {
  readonly limits: Limits;
  readonly spend: SpendWindows;
  readonly expiresAtMs: number | null;
  readonly revision: string;
};

export type AccountRecord = Limited & {
  readonly id: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** Whether a wallet that is short may draw on the other currency. */
  readonly allowExchange: boolean;
  readonly createdAtMs: number;
};

/** A key as it may be shown: its secret is not in it. */
export type KeyRecord = Limited & {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** `sk-mg-abcd...wxyz`. */
  readonly masked: string;
  readonly status: KeyStatus;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
  /** To the minute, and never before `createdAtMs`. */
  readonly lastUsedAtMs: number | null;
  /** Until when the secret before the last rotation works; null when none does. */
  readonly previousSecretUntilMs: number | null;
  /** Null: whatever its owner uses it for. */
  readonly purpose: KeyPurpose | null;
};

/** A key with what its account says of it: enough to decide whether it may be used, and for what. */
export type KeyStanding = {
  readonly keyId: string;
  readonly keyName: string;
  readonly keyStatus: KeyStatus;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** When the secret that was presented ends, as a newer one has taken its place; null: it is the newest. */
  readonly secretUntilMs: number | null;
  readonly limits: Limits;
  readonly accountId: string;
  readonly accountStatus: AccountStatus;
  readonly accountExpiresAtMs: number | null;
  readonly accountLimits: Limits;
  readonly allowExchange: boolean;
};

/** Integers are bigint, as every executor answers them. */
export type AccountTable = {
  id: string;
  name: string;
  status: AccountStatus;
  allow_exchange: bigint;
  created_at_ms: bigint;
  expires_at_ms: bigint | null;
  limits: string;
  revision: string;
};
export type ApiKeyTable = {
  id: string;
  account_id: string;
  name: string;
  hash: Uint8Array;
  prefix: string;
  last4: string;
  status: KeyStatus;
  created_at_ms: bigint;
  expires_at_ms: bigint | null;
  revoked_at_ms: bigint | null;
  last_used_at_ms: bigint | null;
  limits: string;
  revision: string;
  previous_hash: Uint8Array | null;
  previous_until_ms: bigint | null;
  purpose: KeyPurpose | null;
};
type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };
/** Kept by the ledger; only the caps are this room's to write. */
export type MeterTable = Mutable<Meter> & { owner_id: string };
export type Tables = { account: AccountTable; api_key: ApiKeyTable; spend_meter: MeterTable };

export function accountOf(row: AccountTable & MeterTable, nowMs: number): AccountRecord {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    allowExchange: row.allow_exchange !== 0n,
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: millis(row.expires_at_ms),
    limits: limitsOf(row.limits),
    spend: spendWindows(row, nowMs),
    revision: row.revision,
  };
}

export function keyOf(row: ApiKeyTable & MeterTable, nowMs: number): KeyRecord {
  const previousUntilMs = millis(row.previous_until_ms);
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    masked: maskOf(row),
    status: row.status,
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: millis(row.expires_at_ms),
    revokedAtMs: millis(row.revoked_at_ms),
    lastUsedAtMs: millis(row.last_used_at_ms),
    previousSecretUntilMs:
      previousUntilMs !== null && previousUntilMs > nowMs ? previousUntilMs : null,
    purpose: row.purpose,
    limits: limitsOf(row.limits),
    spend: spendWindows(row, nowMs),
    revision: row.revision,
  };
}

type StandingRow = Pick<
  ApiKeyTable,
  'status' | 'expires_at_ms' | 'revoked_at_ms' | 'limits' | 'previous_until_ms' | 'account_id'
> & {
  readonly key_id: string;
  readonly key_name: string;
  readonly account_status: AccountStatus;
  readonly account_expires_at_ms: bigint | null;
  readonly account_limits: string;
  readonly allow_exchange: bigint;
};

/** @param isNewest whether the newest of its secrets was presented. */
export const standingOf = (row: StandingRow, isNewest: boolean): KeyStanding => ({
  keyId: row.key_id,
  keyName: row.key_name,
  keyStatus: row.status,
  expiresAtMs: millis(row.expires_at_ms),
  revokedAtMs: millis(row.revoked_at_ms),
  secretUntilMs: isNewest ? null : (millis(row.previous_until_ms) ?? 0),
  limits: limitsOf(row.limits),
  accountId: row.account_id,
  accountStatus: row.account_status,
  accountExpiresAtMs: millis(row.account_expires_at_ms),
  accountLimits: limitsOf(row.account_limits),
  allowExchange: row.allow_exchange !== 0n,
});

export const millis = (value: bigint | null): number | null =>
  value === null ? null : Number(value);
export const bigMillis = (value: number | null): bigint | null =>
  value === null ? null : BigInt(value);
