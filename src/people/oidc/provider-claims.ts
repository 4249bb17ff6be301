/** Reads those claims of a provider that a sign-in needs. Claims can have any type. */
import type { OidcSettings } from '../../config/document/console-settings.ts';
import { asArray, asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import { ROLES, type Role } from '../person.ts';

/** The signed-in user, as the provider describes them. */
export type ProviderIdentity = {
  readonly issuer: string;
  /** The person's id at the provider, which never changes and is never given to another. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider says that the address belongs to the person. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /**
   * The values of the claim that decides the role; empty if the provider sent no such claim. Null
   * if the settings name no claim, or if the provider sent only a URL from which to fetch the
   * values.
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

/** Whether the claims have all that a sign-in needs. If not, the caller fetches more claims. */
export const hasWhatIsNeeded = (claims: JsonObject, roleClaim: string | null): boolean =>
  claims['email'] !== undefined && (roleClaim === null || claimAt(claims, roleClaim) !== undefined);

/**
 * Whether the address is verified. Some providers write the boolean as text. Microsoft Entra has
 * `xms_edov` instead.
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
  // For a user in too many groups, Microsoft Entra sends only a URL from which to fetch the groups,
  // so the values are unknown.
  if (found === undefined && asJsonObject(claims['_claim_names'])?.[claim] !== undefined)
    return null;
  return [found, ...asArray(found)].filter((value) => typeof value === 'string');
}

/**
 * Returns the highest role that the provider's claim gives, or else the default role; `refuse` if
 * the person must not sign in; null if the settings leave roles to the gateway.
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
