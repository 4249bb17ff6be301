/** The people who use the console. Administrators have the rights of the administrator's token. */
import type { AccountStatus } from '../accounts/account.ts';

/** The roles in order: each role includes the rights of the roles before it. */
export const ROLES = ['read_only', 'member', 'owner', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** A person who is signed in. */
export type Person = {
  /** The id `usr_...`, by which the audit log names the person. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** The account whose keys, money and requests the person sees. */
  readonly accountId: string;
  /**
   * Whether a sign-in by password or identity provider requires a code; absent where callers do not
   * need it.
   */
  readonly totpEnabled?: boolean;
  /** The status of the account; absent where callers do not need it. */
  readonly accountStatus?: AccountStatus;
  /** Whether a passkey began the session, which counts as both factors. */
  readonly byPasskey?: boolean;
  /** Present while an administrator views the account as its owner; `role` is then `owner`. */
  readonly view?: AccountView;
};

/** A view: until it ends, an administrator sees an account as its owner, but changes nothing. */
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

/** A stored person, signed in or not. */
export type PersonRecord = Person & {
  readonly accountName: string;
  /** Whether `accountId` and `role` are those of a further account, not of the main account. */
  readonly isFurther: boolean;
  /** Whether a sign-in by password or identity provider requires a code. */
  readonly totpEnabled: boolean;
  readonly createdAtMs: number;
  /** How many other accounts the person has; absent where callers do not need it. */
  readonly otherAccounts?: number;
  /** The latest activity in the person's sessions, to the minute; null without sessions. */
  readonly lastSeenAtMs: number | null;
};

export const roleOf = (value: unknown): Role | null => ROLES.find((role) => role === value) ?? null;
