/** Reads the cache markers that chat clients write on parts, messages, tools and tool calls. */
import { asJsonObject, type JsonObject } from '../../json/object.ts';

/** The cache lifetimes that Messages upstreams support. */
export type CacheLifetime = '5m' | '1h';

/**
 * Lifetimes in chat that become an hour upstream. OpenAI's usual 30 minutes become 5 minutes
 * instead, because an hour costs more.
 */
const LONG: ReadonlySet<unknown> = new Set(['1h', '12h', '24h']);

/**
 * Returns the lifetime of an object's cache marker; null without a marker. `cache_control` is a
 * convention of multi-provider gateways, `prompt_cache_breakpoint` is OpenAI's.
 */
export function cacheLifetime(of: JsonObject): CacheLifetime | null {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = of;
  if (control === undefined && breakpoint === undefined) return null;
  const marker = asJsonObject(control) ?? asJsonObject(breakpoint);
  if (marker === null) return null;
  return LONG.has(marker['ttl']) ? '1h' : '5m';
}
