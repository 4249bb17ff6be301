/**
 * What is taken along from another gateway. A reader of one kind of source returns it, the command
 * `move-in` sends it, and `MovedAccounts` writes it. Each object has a `ref`, its name at the
 * source, which is the same in every run: what has moved under a `ref` does not move again.
 */
import type { KeyForm } from '../accounts/foreign-keys.ts';
import type { LimitsChange } from '../accounts/limits/limits.ts';
import type { Secret } from '../config/secret.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';

/** The most accounts in one call, which writes each in a few transactions. */
export const MAX_ACCOUNTS_A_CALL = 100;
/** The longest name of an object at its source. */
export const MAX_REF_CHARS = 128;

export type MovedKey = {
  readonly ref: string;
  readonly name: string;
  /** The SHA-256 of the whole key as callers present it, in hexadecimal. */
  readonly hash: string;
  /** Null for a new key of our own form. */
  readonly form: KeyForm | null;
  /** The start and end of the key, as they may be shown: `sk-abcd` and `wxyz`. */
  readonly prefix: string;
  readonly last4: string;
  readonly disabled: boolean;
  /** When the key expires, in Unix milliseconds, which may be in the past; null for never. */
  readonly expiresAtMs: number | null;
  readonly limits: LimitsChange;
};

export type MovedPerson = {
  readonly ref: string;
  readonly email: string;
  readonly name: string;
  /** The bcrypt or Argon2 hash of the password, with which the person goes on to sign in. */
  readonly passwordHash: string | null;
};

export type MovedCredit = {
  readonly ref: string;
  readonly currency: Currency;
  /** Greater than zero. */
  readonly amount: NanoAmount;
};

export type MovedAccount = {
  readonly ref: string;
  /** A ref that it may have had in an earlier run. What moved under it does not move again. */
  readonly earlierRef?: string | null;
  readonly name: string;
  readonly suspended: boolean;
  /** The price list by which the account pays; null for the public prices. */
  readonly priceList: string | null;
  readonly limits: LimitsChange;
  /** Each becomes an owner of the account. */
  readonly people: readonly MovedPerson[];
  readonly keys: readonly MovedKey[];
  readonly credits: readonly MovedCredit[];
};

/** Something at the source that does not move, or not as it was. */
export type Left = {
  /** What it is, in the source's words, such as `token` or `channel`. */
  readonly what: string;
  readonly name: string;
  /** Why, as a sentence. Equal reasons are counted together. */
  readonly reason: string;
};

/** A part of the configuration, in the form of `modelgate.yaml`. */
export type MovedSettings = {
  readonly upstreams: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly models: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly price_lists: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type MoveIn = {
  /** The kind of source, such as `one-api`. Refs are unique within it. */
  readonly source: string;
  readonly accounts: readonly MovedAccount[];
  readonly settings: MovedSettings;
  /** The credentials that `settings` refers to as `${secret:NAME}`, by name. */
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly left: readonly Left[];
  /** The secrets of new keys by ref, for a source that does not show its keys. */
  readonly newKeys: ReadonlyMap<string, Secret>;
};

export const NO_SETTINGS: MovedSettings = { upstreams: {}, models: {}, price_lists: {} };

export const MOVED_KINDS = ['account', 'person', 'key', 'credit'] as const;
/**
 * `moved`: written by this run, or by the run that this dry run describes. `present`: an earlier
 * run moved it. `left`: it cannot move, for the reason.
 */
export const MOVED_STATES = ['moved', 'present', 'left'] as const;

export type MovedItem = {
  readonly kind: (typeof MOVED_KINDS)[number];
  readonly ref: string;
  readonly name: string;
  readonly state: (typeof MOVED_STATES)[number];
  readonly reason: string | null;
};
