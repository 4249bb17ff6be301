/** Types of accounts and API keys: their stored fields, and the fields that a change may set. */
import type { Secret } from '../config/secret.ts';
import type { Limits, LimitsChange } from './limits/limits.ts';
import type { SpendWindows } from './limits/spend-windows.ts';
import type { Scope } from './scopes.ts';

export const MAX_NAME_CHARS = 100;
/** Characters that end a line, reorder text or are invisible. With them, two names look alike. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;
/** Whether a name has a visible character, and no character that would make it misleading. */
export const isShowable = (name: string): boolean =>
  name.search(HIDDEN) < 0 && /[\p{L}\p{N}\p{P}\p{S}]/u.test(name);
/** Returns a name from another system without the characters that our names cannot have. */
export const showable = (name: string): string => name.replaceAll(HIDDEN, ' ').trim();
/**
 * The maximum number of API keys of an account, without playground keys. No team needs that many,
 * but a faulty script that keeps creating keys hits the limit soon and is noticed.
 */
export const MAX_KEYS = 1_000;
/**
 * The maximum number of API keys that an account may create within a day, revoked ones included.
 * Revoked keys and their audit entries are kept, so a script that creates and revokes keys in a
 * loop would fill the store.
 */
export const MAX_NEW_KEYS = 10_000;

/** The author of a change, as in the audit log: `admin`, `system`, `key_...` or `usr_...`. */
export type Actor = string;

/** Returns the actor if it is a person's id, otherwise null. */
export const personIn = (actor: Actor): string | null => (actor.startsWith('usr_') ? actor : null);

export type AccountStatus = 'active' | 'suspended';
/**
 * The reason why the gateway created a key. A person has at most one key per account and purpose.
 */
export type KeyPurpose = 'playground';
/** `disabled` is reversible; `revoked` is final. */
export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** The fields that accounts and keys share. Every change of the row changes its `revision`. */
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
  /** Whether the USD wallet may pay what the CNY wallet lacks. */
  readonly allowExchange: boolean;
  /** The name of the price list that applies to the account; null for the public prices. */
  readonly priceList: string | null;
  readonly createdAtMs: number;
};

/** A key without its secret, so that APIs may return it. */
export type KeyRecord = Limited & {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The masked key for display, such as `sk-mg-abcd...wxyz`. */
  readonly masked: string;
  readonly status: KeyStatus;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
  /**
   * The time when the key was last used, rounded down to the minute, but never before
   * `createdAtMs`; null if the key was never used.
   */
  readonly lastUsedAtMs: number | null;
  /**
   * When the previous secret, which the last rotation replaced, stops working; null if only the
   * newest secret works.
   */
  readonly previousSecretUntilMs: number | null;
  /** The purpose of a key that the gateway created for a person; null for any other key. */
  readonly purpose: KeyPurpose | null;
  /** The scopes of the key, in the order of `SCOPES`; at least one. */
  readonly scopes: readonly Scope[];
  /**
   * The person who created the key, or for whom the gateway created it. Null if another key or the
   * admin token created it, or if the gateway created it without a person.
   */
  readonly createdBy: string | null;
  /**
   * The name of the person in `createdBy`; null if `createdBy` is null, or if the person was
   * removed.
   */
  readonly createdByName: string | null;
};

/** The state of a key and its account. It determines whether a request may use the key. */
export type KeyStanding = {
  readonly keyId: string;
  readonly keyName: string;
  readonly keyStatus: KeyStatus;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /**
   * The time when the presented secret stops working because a rotation replaced it; null if it is
   * the newest secret.
   */
  readonly secretUntilMs: number | null;
  readonly limits: Limits;
  /** The scopes of the key as a bit set, as `scopeBits` returns it. */
  readonly scopes: number;
  readonly accountId: string;
  readonly accountStatus: AccountStatus;
  readonly accountExpiresAtMs: number | null;
  readonly accountLimits: Limits;
  readonly allowExchange: boolean;
  /** The name of the price list that applies to the account; null for the public prices. */
  readonly priceList: string | null;
};

/** An authenticated key, with everything that a request needs to know about its caller. */
export type Caller = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  /** Whether the USD wallet may pay what the CNY wallet lacks. */
  readonly allowExchange: boolean;
  /** The name of the price list that applies to the account; null for the public prices. */
  readonly priceList: string | null;
  readonly limits: CallerLimits;
  /** The scopes of the key as a bit set, as `scopeBits` returns it. */
  readonly scopes: number;
};
/**
 * The limits of a key and the limits of its account. A request must respect both. Authentication
 * enforces the IP ranges, and `Limiter` enforces all other limits.
 */
export type CallerLimits = { readonly key: Limits; readonly account: Limits };

export type NewAccount = {
  readonly name: string;
  readonly allowExchange?: boolean;
  /** Creates the account only if there is no account yet. By default false. */
  readonly onlyFirst?: boolean;
};
export type NewKey = {
  readonly name: string;
  /** Creates the key only if there is no key yet, not even a revoked one. By default false. */
  readonly onlyFirst?: boolean;
  /** When the key expires, in Unix milliseconds; null or absent for never. */
  readonly expiresAtMs?: number | null;
  readonly limits?: LimitsChange | undefined;
  /** The scopes of the key. By default, `DEFAULT_SCOPES`. */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * A key that was generated elsewhere, such as by `modelgate key generate`. By default, a new key
   * is generated.
   */
  readonly secret?: Secret;
};
/** The changes that accounts and keys have in common. An absent field is not changed. */
export type LimitedChange = {
  readonly name?: string | undefined;
  readonly expiresAtMs?: number | null | undefined;
  readonly limits?: LimitsChange | undefined;
};
export type KeyChange = LimitedChange & { readonly scopes?: readonly Scope[] | undefined };
export type AccountChange = LimitedChange & {
  readonly status?: AccountStatus | undefined;
  readonly allowExchange?: boolean | undefined;
  /** The name of a price list in the configuration; null for the public prices. */
  readonly priceList?: string | null | undefined;
};
/** A new key with its secret, which can be shown only now because the store keeps only its hash. */
export type CreatedKey = { readonly record: KeyRecord; readonly secret: Secret };
