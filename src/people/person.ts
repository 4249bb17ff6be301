/**
 * People who sign in to the console. Each belongs to one account and has one role there; administrators
 * may besides do all that the administrator's token may.
 */
/** From the least rights to the most: whoever has one may do all that those before it may. */
export const ROLES = ['read_only', 'member', 'owner', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Somebody who is signed in. */
export type Person = {
  /** `usr_...`; the audit log names them by it. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** The account whose keys, money and requests they see. */
  readonly accountId: string;
  /** Whether signing in takes a code besides the password; left out where nobody asks. */
  readonly totpEnabled?: boolean;
};

/** Whether `role` may do what is for `least` and up. */
export const isAtLeast = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);

/** Whether they may do nothing before they have set up a second step. */
export const mustSetUpTotp = (
  { role, totpEnabled = false }: Person,
  requiredOfAdministrators: boolean,
): boolean => requiredOfAdministrators && role === 'administrator' && !totpEnabled;

/** Somebody with an account here, signed in or not. */
export type PersonRecord = Person & {
  readonly accountName: string;
  /** Whether signing in takes a code besides the password. */
  readonly totpEnabled: boolean;
  readonly createdAtMs: number;
  /** To the minute, of the sessions that are left; null: there is none. */
  readonly lastSeenAtMs: number | null;
};

export const roleOf = (value: unknown): Role | null => ROLES.find((role) => role === value) ?? null;
