/** Reads the cache markers that chat clients set on parts, messages, tools and tool calls. */
import { asJsonObject, type JsonObject } from '../../json/object.ts';

/** The cache lifetimes that Messages upstreams support. */
export type CacheLifetime = '5m' | '1h';

/**
 * Lifetimes in chat requests that become one hour at a Messages upstream. All others become 5
 * minutes, including OpenAI's usual 30 minutes, because one hour costs more.
 */
const LONG: ReadonlySet<unknown> = new Set(['1h', '12h', '24h']);

/**
 * Returns the lifetime that an object's cache marker requests; null if it has no marker.
 * `cache_control` is a convention of multi-provider gateways, and `prompt_cache_breakpoint` is
 * OpenAI's.
 */
export function cacheLifetime(of: JsonObject): CacheLifetime | null {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = of;
  if (control === undefined && breakpoint === undefined) return null;
  const marker = asJsonObject(control) ?? asJsonObject(breakpoint);
  if (marker === null) return null;
  return LONG.has(marker['ttl']) ? '1h' : '5m';
}
