/**
 * The data to move from another gateway. Each kind of source has a reader that returns it, the
 * command `move-in` sends it, and `MovedAccounts` writes it. Each object has a `ref`, its name at
 * the source, which is the same in every run. An object whose `ref` has already moved does not move
 * again.
 */
import type { KeyForm } from '../accounts/foreign-keys.ts';
import type { LimitsChange } from '../accounts/limits/limits.ts';
import type { Secret } from '../config/secret.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';

/** Maximum accounts in one call, because each takes several transactions. */
export const MAX_ACCOUNTS_A_CALL = 100;
/** Maximum characters of a ref, the name of an object at the source. */
export const MAX_REF_CHARS = 128;

export type MovedKey = {
  readonly ref: string;
  readonly name: string;
  /** The SHA-256 of the complete key as callers present it, in hexadecimal. */
  readonly hash: string;
  /** The form of the key; null for a new key in this gateway's form. */
  readonly form: KeyForm | null;
  /** The start and end of the key that may be shown, such as `sk-abcd` and `wxyz`. */
  readonly prefix: string;
  readonly last4: string;
  readonly disabled: boolean;
  /** The time when the key expires or expired, in Unix milliseconds; null for never. */
  readonly expiresAtMs: number | null;
  readonly limits: LimitsChange;
};

export type MovedPerson = {
  readonly ref: string;
  readonly email: string;
  readonly name: string;
  /**
   * The bcrypt or Argon2 hash of the password, so that the password stays valid; null without one.
   */
  readonly passwordHash: string | null;
};

export type MovedCredit = {
  readonly ref: string;
  readonly currency: Currency;
  /** The amount, greater than zero. */
  readonly amount: NanoAmount;
};

export type MovedAccount = {
  readonly ref: string;
  /**
   * Another ref that the account may have had in an earlier run. If an account has moved under that
   * ref, this account does not move again.
   */
  readonly earlierRef?: string | null;
  readonly name: string;
  readonly suspended: boolean;
  /** The price list of the account; null for the public prices. */
  readonly priceList: string | null;
  readonly limits: LimitsChange;
  /** The people to make owners of the account. */
  readonly people: readonly MovedPerson[];
  readonly keys: readonly MovedKey[];
  readonly credits: readonly MovedCredit[];
};

/**
 * An object or setting of the source that does not move, or that changes when it moves. The
 * operator sees it in the report.
 */
export type Left = {
  /** The kind in the source's words, such as `token` or `channel`. */
  readonly what: string;
  readonly name: string;
  /** The reason, as a sentence. Objects with equal reasons are counted together. */
  readonly reason: string;
};

/** The part of the settings that moves, in the form of `modelgate.yaml`. */
export type MovedSettings = {
  readonly upstreams: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly models: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly price_lists: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type MoveIn = {
  /** The kind of source, such as `one-api`. A ref is unique within one kind. */
  readonly source: string;
  readonly accounts: readonly MovedAccount[];
  readonly settings: MovedSettings;
  /** The credentials that `settings` refers to as `${secret:NAME}`, by name. */
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly left: readonly Left[];
  /** The new keys by ref, for a source that does not reveal its keys. */
  readonly newKeys: ReadonlyMap<string, Secret>;
};

export const NO_SETTINGS: MovedSettings = { upstreams: {}, models: {}, price_lists: {} };

export const MOVED_KINDS = ['account', 'person', 'key', 'credit'] as const;
/**
 * `moved`: this run wrote the object, or a dry run would have written it. `present`: an earlier run
 * moved it. `left`: it cannot move, for the stated reason.
 */
export const MOVED_STATES = ['moved', 'present', 'left'] as const;

export type MovedItem = {
  readonly kind: (typeof MOVED_KINDS)[number];
  readonly ref: string;
  readonly name: string;
  readonly state: (typeof MOVED_STATES)[number];
  readonly reason: string | null;
};
