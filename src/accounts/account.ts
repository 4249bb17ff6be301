/** Accounts and API keys: the fields that the store keeps, and the fields that a change may set. */
import type { Secret } from '../config/secret.ts';
import type { Limits, LimitsChange } from './limits/limits.ts';
import type { SpendWindows } from './limits/spend-windows.ts';

export const MAX_NAME_CHARS = 100;
/** The most keys of an account: more than a team needs, but few enough to notice faulty scripts. */
export const MAX_KEYS = 1_000;

/** The author of a change, as the audit log names them: `admin`, `system`, `key_...`, `usr_...`. */
export type Actor = string;

/** Returns the author if it is a person, or null. */
export const personIn = (actor: Actor): string | null => (actor.startsWith('usr_') ? actor : null);

export type AccountStatus = 'active' | 'suspended';
/** Why the gateway created a key. An account has at most one key per purpose. */
export type KeyPurpose = 'playground';
/** `disabled` is reversible; `revoked` is final. */
export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** The fields that accounts and keys share. Every change of the row gives it a new `revision`. */
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
  /** Whether a wallet with too little money may use the other currency. */
  readonly allowExchange: boolean;
  readonly createdAtMs: number;
};

/** A key without its secret, so that it may be shown. */
export type KeyRecord = Limited & {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The shown form of the key, such as `sk-mg-abcd...wxyz`. */
  readonly masked: string;
  readonly status: KeyStatus;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
  /** Rounded down to the minute, but never before `createdAtMs`. */
  readonly lastUsedAtMs: number | null;
  /** Until when the secret from before the last rotation works; null when there is none. */
  readonly previousSecretUntilMs: number | null;
  /** Null for a key that a person created. */
  readonly purpose: KeyPurpose | null;
  /** The person who created the key; null for keys of the gateway and the administrator's token. */
  readonly createdBy: string | null;
};

/** A key with the state of its account: enough to decide whether a request may use it. */
export type KeyStanding = {
  readonly keyId: string;
  readonly keyName: string;
  readonly keyStatus: KeyStatus;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** When the presented secret ends after a rotation; null for the newest secret. */
  readonly secretUntilMs: number | null;
  readonly limits: Limits;
  readonly accountId: string;
  readonly accountStatus: AccountStatus;
  readonly accountExpiresAtMs: number | null;
  readonly accountLimits: Limits;
  readonly allowExchange: boolean;
};

/** An authenticated key: everything that the request needs to know about its caller. */
export type Caller = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  /** Whether a wallet with too little money may use the other currency (default true). */
  readonly allowExchange: boolean;
  readonly limits: CallerLimits;
};
/** Both sets of limits apply. Authentication enforces the IP ranges, and `Limiter` the rest. */
export type CallerLimits = { readonly key: Limits; readonly account: Limits };

export type NewAccount = { readonly name: string; readonly allowExchange?: boolean };
export type NewKey = {
  readonly name: string;
  /** When the key expires, in Unix milliseconds; null or absent for never. */
  readonly expiresAtMs?: number | null;
  readonly limits?: LimitsChange | undefined;
  /** A key made elsewhere, such as by `modelgate key generate`. When absent, a key is generated. */
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
/** A new key with its secret, which can be shown only now. */
export type CreatedKey = { readonly record: KeyRecord; readonly secret: Secret };
