/** The scopes of API keys: what a key may do. A route for API keys needs one scope, or `any`. */

export const SCOPES = ['inference', 'usage', 'top_up', 'manage'] as const;
/**
 * `inference`: requests to models, and token counting. `usage`: reads balance, requests and
 * statements of the account. `top_up`: adds money. `manage`: creates, changes and revokes keys.
 */
export type Scope = (typeof SCOPES)[number];
/** The scope that a route needs; `any` for routes that show only the key itself. */
export type NeededScope = Scope | 'any';

/**
 * The scopes of a key that is created without naming any. Before scopes existed, every key had
 * these rights, so old clients keep working. A key gets `manage` only if the request names it.
 */
export const DEFAULT_SCOPES: readonly Scope[] = ['inference', 'usage', 'top_up'];

/** The bit of each scope. A set of scopes is the sum of its bits, so that a check is one `&`. */
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

/** Returns the text to store: the scopes in the order of `SCOPES`, separated by spaces. */
export const scopesText = (scopes: readonly Scope[]): string =>
  SCOPES.filter((scope) => scopes.includes(scope)).join(' ');

/** Parses the stored text. Ignores scopes of later versions. */
export function scopesOf(text: string): readonly Scope[] {
  const stored = text.split(' ');
  return SCOPES.filter((scope) => stored.includes(scope));
}
