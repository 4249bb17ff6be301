/** Refuses nested members that a server could read as asking for another price or model. */
import { asJsonObject } from '../json/object.ts';
import { type Claim, unpriced } from './request-fields.ts';

const NAMES = ['speed', 'service_tier', 'inference_geo', 'model', 'fallbacks'] as const;
const REFUSED = unpriced('it has no price in this place; remove it');

/** Adds claims that refuse the members of the object at `path` that would change the price. */
export function claimRefusedMembers(object: unknown, path: string, claims: Claim[]): void {
  const members = asJsonObject(object);
  if (members === null) return;
  for (const name of NAMES) {
    const value = members[name] ?? null;
    if (value !== null) claims.push({ param: `${path}.${name}`, rule: REFUSED, value });
  }
}
