/** The lifetimes of OpenAI's prompt cache, which chat and Responses requests can set. */
import { asJsonObject } from '../../json/object.ts';
import { type Claim, unpriced } from '../request-fields.ts';

export const LONG_CACHE = unpriced('only "30m" has a price here; omit it');

/**
 * Adds a claim for a cache lifetime other than 30 minutes, because the usual price of cache writes
 * does not cover it.
 * @param options the value of `prompt_cache_options` or `prompt_cache_breakpoint`.
 */
export function claimCacheLifetime(options: unknown, path: string, claims: Claim[]): void {
  const ttl = asJsonObject(options)?.['ttl'] ?? '30m';
  if (ttl === '30m') return;
  claims.push({ param: `${path}.ttl`, rule: LONG_CACHE, value: ttl, only: 'untranslated' });
}
