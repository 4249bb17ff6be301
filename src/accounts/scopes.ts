/** The scopes of API keys: what a key may do. A route for API keys needs one scope, or `any`. */

export const SCOPES = ['inference', 'usage', 'top_up', 'manage'] as const;
/**
 * What each scope allows. `inference`: requests to models, and token counting. `usage`: reading the
 * balance, requests and statements of the account. `top_up`: adding money. `manage`: creating,
 * changing and revoking keys.
 */
export type Scope = (typeof SCOPES)[number];
/** The scope that a route needs. `any` is for routes that return only data of the key itself. */
export type NeededScope = Scope | 'any';

/**
 * The scopes of a key that is created without a list of scopes. Before scopes existed, every key
 * had these rights, so clients of that time keep working. A key gets `manage` only if the request
 * lists it.
 */
export const DEFAULT_SCOPES: readonly Scope[] = ['inference', 'usage', 'top_up'];

/** The bit of each scope. A set of scopes is the sum of their bits, so that a check is one `&`. */
const BITS: Readonly<Record<NeededScope, number>> = {
  inference: 1,
  usage: 2,
  top_up: 4,
  manage: 8,
  any: 15,
};

/** Whether a set of scopes, as `scopeBits` returns it, contains the scope. */
export const includesScope = (bits: number, scope: NeededScope): boolean =>
  (bits & BITS[scope]) !== 0;

export const scopeBits = (scopes: readonly Scope[]): number =>
  scopes.reduce((bits, scope) => bits | BITS[scope], 0);

export const scopesIn = (bits: number): readonly Scope[] =>
  SCOPES.filter((scope) => includesScope(bits, scope));

/** Serializes scopes for storage: in the order of `SCOPES`, separated by spaces. */
export const scopesText = (scopes: readonly Scope[]): string =>
  SCOPES.filter((scope) => scopes.includes(scope)).join(' ');

/** Parses stored scopes. Ignores unknown scopes, which a later version may have stored. */
export function scopesOf(text: string): readonly Scope[] {
  const stored = text.split(' ');
  return SCOPES.filter((scope) => stored.includes(scope));
}
