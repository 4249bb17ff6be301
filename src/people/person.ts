/**
 * The people who use the console. Administrators have the same rights as the administrator's token.
 */
import type { AccountStatus } from '../accounts/account.ts';

/** The roles from low to high. Each role includes the rights of all lower roles. */
export const ROLES = ['read_only', 'member', 'owner', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** A person who is signed in. */
export type Person = {
  /** The id, `usr_...`. The audit log identifies people by it. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** The account whose keys, money and requests the person sees. */
  readonly accountId: string;
  /**
   * Whether the person must send a code after signing in by password or identity provider; may be
   * absent where this is not needed.
   */
  readonly totpEnabled?: boolean;
  /** The status of the account; may be absent where it is not needed. */
  readonly accountStatus?: AccountStatus;
  /** Whether the person signed in with a passkey, which counts as two-factor authentication. */
  readonly byPasskey?: boolean;
  /**
   * Present while an administrator views this account as its owner sees it. During this time,
   * `role` is `owner`.
   */
  readonly view?: AccountView;
};

/**
 * A view. Until it ends, an administrator sees an account as its owner does, but can change
 * nothing.
 */
export type AccountView = { readonly endsAtMs: number };

/** Whether `role` has at least the rights of `least`. */
export const isAtLeast = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);

/** Whether the person must set up two-factor authentication before doing anything else. */
export const mustSetUpTotp = (
  { role, view, totpEnabled = false, byPasskey = false }: Person,
  requiredOfAdministrators: boolean,
): boolean =>
  requiredOfAdministrators &&
  (role === 'administrator' || view !== undefined) &&
  !(totpEnabled || byPasskey);

/** A person as stored, whether or not the person is signed in. */
export type PersonRecord = Person & {
  readonly accountName: string;
  /** Whether `accountId` and `role` are those of a further account, not of the main account. */
  readonly isFurther: boolean;
  /** Whether the person must send a code after signing in by password or identity provider. */
  readonly totpEnabled: boolean;
  readonly createdAtMs: number;
  /** How many further accounts the person has; may be absent where this is not needed. */
  readonly otherAccounts?: number;
  /** The last activity in any session of the person, to the minute; null without sessions. */
  readonly lastSeenAtMs: number | null;
};

export const roleOf = (value: unknown): Role | null => ROLES.find((role) => role === value) ?? null;
