/** Accounts and API keys: what the store keeps of them, and what a change may set. */
import type { Secret } from '../config/secret.ts';
import type { Limits, LimitsChange } from './limits/limits.ts';
import type { SpendWindows } from './limits/spend-windows.ts';

export const MAX_NAME_CHARS = 100;
/** Far more than a team needs, and few enough that a runaway script is noticed. */
export const MAX_KEYS = 1_000;

/** The author of a change, as the audit log names them: `admin`, `system`, `key_...`, `usr_...`. */
export type Actor = string;

export type AccountStatus = 'active' | 'suspended';
/** The purpose of a key that the gateway created. An account has at most one key per purpose. */
export type KeyPurpose = 'playground';
/** `disabled` is reversible; `revoked` is final. */
export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** Common to accounts and keys. Every change of the row gives it a new `revision`. */
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

/** A key without its secret, so it may be shown. */
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
  /** Null: made by its owner. */
  readonly purpose: KeyPurpose | null;
};

/** A key with the state of its account: enough to decide whether a request may use it. */
export type KeyStanding = {
  readonly keyId: string;
  readonly keyName: string;
  readonly keyStatus: KeyStatus;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** When the presented secret ends because it was rotated; null: it is the newest. */
  readonly secretUntilMs: number | null;
  readonly limits: Limits;
  readonly accountId: string;
  readonly accountStatus: AccountStatus;
  readonly accountExpiresAtMs: number | null;
  readonly accountLimits: Limits;
  readonly allowExchange: boolean;
};

/** An authenticated key: what the rest of a request needs to know about the caller. */
export type Caller = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  /** Whether a wallet that is short may draw on the other currency (default true). */
  readonly allowExchange: boolean;
  readonly limits: CallerLimits;
};
/**
 * Both apply. The ledger enforces spending caps, authentication the IP ranges, and `Limiter` the
 * rest.
 */
export type CallerLimits = { readonly key: Limits; readonly account: Limits };

export type NewAccount = { readonly name: string; readonly allowExchange?: boolean };
export type NewKey = {
  readonly name: string;
  /** Null or absent: never. */
  readonly expiresAtMs?: number | null;
  readonly limits?: LimitsChange | undefined;
  /** A key made elsewhere, such as by `modelgate key generate`. Absent: a new one is generated. */
  readonly secret?: Secret;
};
/** Absent fields stay as they are. */
export type KeyChange = {
  readonly name?: string | undefined;
  readonly expiresAtMs?: number | null | undefined;
  readonly limits?: LimitsChange | undefined;
};
export type AccountChange = KeyChange & {
  readonly status?: AccountStatus | undefined;
  readonly allowExchange?: boolean | undefined;
};
/** The only time that the secret can be shown. */
export type CreatedKey = { readonly record: KeyRecord; readonly secret: Secret };
