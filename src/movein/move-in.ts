/**
 * The data that moves from another gateway (the source) to this one. A reader for each kind of
 * source returns it, the command `move-in` sends it, and `MovedAccounts` writes it. Each object has
 * a `ref`, its name at the source, which is the same in every run. An object whose `ref` has
 * already moved does not move again.
 */
import type { KeyForm } from '../accounts/foreign-keys.ts';
import type { LimitsChange } from '../accounts/limits/limits.ts';
import type { Secret } from '../config/secret.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';

/** Maximum accounts in one call. Writing each account takes several transactions. */
export const MAX_ACCOUNTS_A_CALL = 100;
/** Maximum characters of a `ref`. */
export const MAX_REF_CHARS = 128;

export type MovedKey = {
  readonly ref: string;
  readonly name: string;
  /** The SHA-256 hash of the complete key, as callers send it, in hexadecimal. */
  readonly hash: string;
  /** The format of a key of another gateway; null for a new key in this gateway's format. */
  readonly form: KeyForm | null;
  /** The start and the end of the key, which may be displayed, such as `sk-abcd` and `wxyz`. */
  readonly prefix: string;
  readonly last4: string;
  readonly disabled: boolean;
  /**
   * The expiry time of the key in Unix milliseconds, possibly in the past; null if it never
   * expires.
   */
  readonly expiresAtMs: number | null;
  readonly limits: LimitsChange;
};

export type MovedPerson = {
  readonly ref: string;
  readonly email: string;
  readonly name: string;
  /**
   * The bcrypt or Argon2 hash of the person's password, so that the password stays valid; null if
   * the person has none.
   */
  readonly passwordHash: string | null;
};

export type MovedCredit = {
  readonly ref: string;
  readonly currency: Currency;
  /** The amount of the credit, greater than zero. */
  readonly amount: NanoAmount;
};

export type MovedAccount = {
  readonly ref: string;
  /**
   * Another ref (name at the source) that the account may have had in an earlier run. If the
   * account has moved under that ref, it does not move again.
   */
  readonly earlierRef?: string | null;
  readonly name: string;
  readonly suspended: boolean;
  /** The price list of the account; null for the public prices. */
  readonly priceList: string | null;
  readonly limits: LimitsChange;
  /** The people who become owners of the account. */
  readonly people: readonly MovedPerson[];
  readonly keys: readonly MovedKey[];
  readonly credits: readonly MovedCredit[];
};

/**
 * An object or setting of the source that does not move, or that changes when it moves. The report
 * lists it for the operator.
 */
export type Left = {
  /** The source's word for the kind of object, such as `token` or `channel`. */
  readonly what: string;
  readonly name: string;
  /** The reason, as a sentence. The report groups objects with the same reason. */
  readonly reason: string;
};

/** The settings that move, in the form of the configuration file `modelgate.yaml`. */
export type MovedSettings = {
  readonly upstreams: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly models: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly price_lists: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type MoveIn = {
  /** The kind of source, such as `one-api`. Refs are unique within one kind of source. */
  readonly source: string;
  readonly accounts: readonly MovedAccount[];
  readonly settings: MovedSettings;
  /** The credentials by name. `settings` refers to them as `${secret:NAME}`. */
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly left: readonly Left[];
  /**
   * The keys that the reader created because the source does not reveal its own keys. They are
   * listed by ref, the key's name at the source.
   */
  readonly newKeys: ReadonlyMap<string, Secret>;
};

export const NO_SETTINGS: MovedSettings = { upstreams: {}, models: {}, price_lists: {} };

export const MOVED_KINDS = ['account', 'person', 'key', 'credit'] as const;
/**
 * The result for an object. `moved` means that this run wrote the object, or would have written it
 * if it were not a dry run. `present` means that an earlier run wrote it. `left` means that it
 * cannot move, and the report states the reason.
 */
export const MOVED_STATES = ['moved', 'present', 'left'] as const;

export type MovedItem = {
  readonly kind: (typeof MOVED_KINDS)[number];
  readonly ref: string;
  readonly name: string;
  readonly state: (typeof MOVED_STATES)[number];
  readonly reason: string | null;
};
