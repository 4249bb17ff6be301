/** Reads the claims of a provider that a sign-in needs. A claim can have any type. */
import type { OidcSettings } from '../../config/document/console-settings.ts';
import { asArray, asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import { ROLES, type Role } from '../person.ts';

/** The person who signed in, as the provider describes them. */
export type ProviderIdentity = {
  readonly issuer: string;
  /**
   * The person's id at the provider. It never changes, and the provider never assigns it to another
   * person.
   */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider has verified that the address belongs to the person. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /**
   * The values of the claim that decides the role; empty if the provider did not send the claim.
   * Null if the settings name no such claim, or if the provider sent only a URL from which the
   * values can be fetched.
   */
  readonly roleValues: readonly string[] | null;
};

export const identityIn = (claims: JsonObject, roleClaim: string | null): ProviderIdentity => ({
  issuer: asFilledString(claims['iss']) ?? '',
  subject: asFilledString(claims['sub']) ?? '',
  email: asFilledString(claims['email']),
  isEmailVerified: isEmailVerified(claims),
  name: asFilledString(claims['name']) ?? asFilledString(claims['preferred_username']),
  roleValues: roleClaim === null ? null : valuesOf(claims, roleClaim),
});

/** Whether these claims suffice for a sign-in. If not, the caller fetches more claims. */
export const hasWhatIsNeeded = (claims: JsonObject, roleClaim: string | null): boolean =>
  claims['email'] !== undefined &&
  (claims['email_verified'] ?? claims['xms_edov']) !== undefined &&
  (roleClaim === null || claimAt(claims, roleClaim) !== undefined);

/**
 * Adds the claims of `more` that the ID token lacks. If the two have different email addresses,
 * `more` does not say that the address of the ID token is verified.
 */
export function withMore(claims: JsonObject, more: JsonObject): JsonObject {
  const { email_verified, xms_edov, ...others } = more;
  const isSameEmail = (claims['email'] ?? more['email']) === more['email'];
  return { ...(isSameEmail ? more : others), ...claims };
}

/**
 * Whether the provider has verified the email address. Some providers send the boolean as a string.
 * Microsoft Entra sends `xms_edov` instead of `email_verified`.
 */
const isEmailVerified = ({ email_verified, xms_edov }: JsonObject): boolean =>
  [email_verified, xms_edov].some((each) => each === true || each === 'true') ||
  String(xms_edov) === '1';

/** Returns a claim by its name, or by a path such as `realm_access.roles`. */
const claimAt = (claims: JsonObject, claim: string): unknown =>
  claims[claim] ??
  claim.split('.').reduce<unknown>((inner, key) => asJsonObject(inner)?.[key], claims);

function valuesOf(claims: JsonObject, claim: string): readonly string[] | null {
  const found = claimAt(claims, claim);
  // If a user is in too many groups, Microsoft Entra sends only a URL from which the groups can be
  // fetched, so the values are unknown.
  if (found === undefined && asJsonObject(claims['_claim_names'])?.[claim] !== undefined)
    return null;
  return [found, ...asArray(found)].filter((value) => typeof value === 'string');
}

/**
 * Returns the highest role that the values of the claim grant, or the default role if they grant
 * none. Returns `refuse` if the person must not sign in, and null if roles are managed in the
 * gateway.
 */
export function roleFrom(
  { role_claim, roles, default_role }: OidcSettings,
  { roleValues }: ProviderIdentity,
): Role | 'refuse' | null {
  if (role_claim === null) return null;
  if (roleValues === null) return 'refuse';
  const given = ROLES.toReversed().find((role) =>
    roles[role]?.some((value) => roleValues.includes(value)),
  );
  return given ?? default_role;
}
