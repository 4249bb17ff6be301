/**
 * Adds claims for nested members of a request. A claim is a check that is made once the route is
 * known. It decides whether the member is refused or omitted.
 */
import { asJsonObject, type JsonObject } from '../json/object.ts';
import { keptMembers } from './known-members.ts';
import { type Claim, unpriced } from './request-fields.ts';

/** Names of members by which a request could ask a server for another price or model. */
const NAMES = ['speed', 'service_tier', 'inference_geo', 'model', 'fallbacks'] as const;
const REFUSED = unpriced('it has no price in this place; remove it');

/**
 * Adds claims (checks that are made once the route is known) that refuse those members of `object`
 * that could change the price or the model.
 */
export function claimRefusedMembers(object: unknown, path: string, claims: Claim[]): void {
  const members = asJsonObject(object);
  if (members === null) return;
  for (const name of NAMES) {
    const value = members[name] ?? null;
    if (value !== null) claims.push({ param: `${path}.${name}`, rule: REFUSED, value });
  }
}

/** For each field that is an object, the paths of its members that are sent. */
export type SentMembers = Readonly<Record<string, readonly string[]>>;
/**
 * The members of `provider`, an extension of the gateway. OpenRouter's field of this name has other
 * members, such as `order`, which are omitted.
 */
export const PROVIDER_MEMBERS = ['channel', 'allow_fallbacks'] as const;

/**
 * Checks the fields in `table` for members that the table does not list. Adds claims (checks that
 * are made once the route is known) that refuse the members that could change the price or the
 * model, and that omit all others.
 */
export function claimMembers(body: JsonObject, table: SentMembers, claims: Claim[]): void {
  for (const param in table) {
    const given = asJsonObject(body[param]);
    const members = table[param] ?? [];
    if (given === null || keptMembers(given, members).others.length === 0) continue;
    claimRefusedMembers(given, param, claims);
    claims.push({ param, rule: { class: 'members', members }, value: null });
  }
}

/**
 * Adds a claim (a check that is made once the route is known) that refuses the first unknown member
 * of the object at `path`.
 */
export function claimOnly(
  object: unknown,
  path: string,
  known: readonly string[],
  claims: Claim[],
): void {
  const other = Object.keys(asJsonObject(object) ?? {}).find((name) => !known.includes(name));
  if (other === undefined) return;
  const rule = unpriced(`only ${known.join(', ')} can be sent in ${path}; omit it`);
  claims.push({ param: `${path}.${other.slice(0, MAX_SHOWN_CHARACTERS)}`, rule, value: null });
}
const MAX_SHOWN_CHARACTERS = 64;
