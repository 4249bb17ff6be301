/** Reads what a sign-in needs from the claims of a provider, which are of any type. */
import type { OidcSettings } from '../../config/document/console-settings.ts';
import { asArray, asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import { ROLES, type Role } from '../person.ts';

/** Who signed in, as the provider says. */
export type ProviderIdentity = {
  readonly issuer: string;
  /** The person's id at the provider, which never changes and is never given to another. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider says that the address belongs to the person. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /** The values of the claim that decides the role; null if the provider left them out. */
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

/** Whether the claims have what a sign-in needs, or else more have to be asked for. */
export const hasWhatIsNeeded = (claims: JsonObject, roleClaim: string | null): boolean =>
  claims['email'] !== undefined && (roleClaim === null || claimAt(claims, roleClaim) !== undefined);

/** Some providers write the boolean as text. Microsoft Entra has `xms_edov` instead. */
const isEmailVerified = ({ email_verified, xms_edov }: JsonObject): boolean =>
  [email_verified, xms_edov].some((each) => each === true || each === 'true') ||
  String(xms_edov) === '1';

/** Returns a claim by its name, or by a path such as `realm_access.roles`. */
const claimAt = (claims: JsonObject, claim: string): unknown =>
  claims[claim] ??
  claim.split('.').reduce<unknown>((inner, key) => asJsonObject(inner)?.[key], claims);

function valuesOf(claims: JsonObject, claim: string): readonly string[] | null {
  const found = claimAt(claims, claim);
  // Of somebody in too many groups, Microsoft Entra sends only where the groups can be asked for.
  if (found === undefined && asJsonObject(claims['_claim_names'])?.[claim] !== undefined)
    return null;
  return [found, ...asArray(found)].filter((value) => typeof value === 'string');
}

/**
 * Returns the role that the provider gives; `refuse` for people who may not sign in; null if it
 * does not decide roles.
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
