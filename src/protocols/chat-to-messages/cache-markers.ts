/**
 * Sets cache markers for a Messages upstream at the places that the caller marked. If the caller
 * marked none, sets them where the next request of the conversation will read the cache.
 */
import type { JsonObject } from '../../json/object.ts';
import { type CacheLifetime, cacheLifetime } from '../chat/content-parts.ts';

/** A content block or a tool. It is mutable because its cache marker may be removed later. */
export type Block = { [member: string]: unknown };

const MAX_CACHE_MARKERS = 4;
/**
 * The minimum bytes of a prompt to cache. A shorter prompt has fewer tokens than any provider
 * caches.
 */
const MIN_CACHED_BYTES = 2 * 1024;
/**
 * The number of user turns that get a marker: the last two. The previous request ended with the
 * second to last, so the cache contains the prompt up to there.
 */
const MARKED_TURNS = 2;

const MARKERS: Readonly<Record<CacheLifetime, JsonObject>> = {
  '5m': { type: 'ephemeral' },
  '1h': { type: 'ephemeral', ttl: '1h' },
};

/** If `given` has a cache marker, copies the marker to `block` and lists the block in `all`. */
export function copyMarker(given: JsonObject, block: Block, all: Block[]): void {
  const lifetime = cacheLifetime(given);
  if (lifetime === null) return;
  if (block['cache_control'] === undefined) all.push(block);
  block['cache_control'] = MARKERS[lifetime];
}

/**
 * Copies the cache marker of a message to its last block that is not thinking, because thinking
 * cannot have a marker.
 */
export function copyMessageMarker(
  message: JsonObject,
  blocks: readonly Block[],
  all: Block[],
): void {
  const last = blocks.findLast(({ type }) => !String(type).includes('thinking'));
  if (last !== undefined) copyMarker(message, last, all);
}

/**
 * Removes all cache markers except the last `MAX_CACHE_MARKERS`. These cache the longest prefixes
 * of the prompt.
 */
export function limitMarkers(all: readonly Block[]): void {
  for (const block of all.slice(0, -MAX_CACHE_MARKERS)) delete block['cache_control'];
}

/** Whether a prompt is long enough for an upstream to cache it. */
export const isCacheable = (bytes: number): boolean => bytes >= MIN_CACHED_BYTES;

/** The parts of a Messages request that can be cached, in the order of the prompt. */
export type CachedParts = {
  readonly tools: readonly JsonObject[];
  readonly system: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
};

/**
 * Adds five-minute markers. One is after the system text, which other conversations share, or after
 * the tools if there is no system text. The others are after each of the last user turns.
 */
export function withAutomaticMarkers({ tools, system, messages }: CachedParts): CachedParts {
  const users = messages.filter(({ role }) => role === 'user').slice(-MARKED_TURNS);
  return {
    tools: system.length > 0 ? tools : withMarkedEnd(tools),
    system: withMarkedEnd(system),
    messages: messages.map((message) =>
      users.includes(message)
        ? { ...message, content: withMarkedEnd(message['content'] as readonly JsonObject[]) }
        : message,
    ),
  };
}

function withMarkedEnd(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.at(-1);
  if (last === undefined) return blocks;
  return [...blocks.slice(0, -1), { ...last, cache_control: MARKERS['5m'] }];
}
