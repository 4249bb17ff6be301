/**
 * The prompt cache, which stores hashes of recent prompt prefixes. Each caller has a separate cache
 * for each model.
 */
import type { Clock } from '../clock.ts';
import type { CacheLife } from './builtin-conversation.ts';
import { chainUnit, type PromptUnit } from './prompt-units.ts';
import { fingerprint } from './seeded-random.ts';
import { pieceEnd } from './tokenizer.ts';

/** The minimum length of a cached prefix, as documented by the providers of both protocols. */
export const MIN_CACHED_TOKENS = 1024;
/**
 * The step of automatic caching, which applies to prompts without cache markers. A cached prefix
 * may end at every multiple of this number of tokens.
 */
export const SHARED_STEP_TOKENS = 128;
/**
 * A cached prefix matches if it ends at most this many prompt units before a marker. Anthropic
 * documents this limit.
 */
const LOOK_BACK_UNITS = 20;
const LIFE_MS: Readonly<Record<CacheLife, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };
/**
 * The maximum number of cached prefixes, whose hashes take about 10 MB. The least recently used are
 * evicted first.
 */
const MAX_ENTRIES = 100_000;

/**
 * The numbers of tokens that the cache read or wrote. All other prompt tokens count as uncached
 * input.
 */
export type CacheUse = {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
};
export type PromptCache = {
  /**
   * Reads the longest cached prefix that ends near a marker. Writes or refreshes all marked
   * prefixes of at least `MIN_CACHED_TOKENS` tokens.
   */
  readonly useMarked: (owner: string, units: readonly PromptUnit[]) => CacheUse;
  /**
   * Caches a prompt without markers. From `MIN_CACHED_TOKENS` on, stores a prefix every
   * `SHARED_STEP_TOKENS` tokens. Returns the number of tokens of the longest prefix that was
   * already cached, or 0.
   */
  readonly useShared: (owner: string, units: readonly PromptUnit[]) => number;
};

type Boundary = {
  readonly hash: bigint;
  readonly tokens: number;
  readonly marker: CacheLife | null;
};

export function createPromptCache(clock: Clock, maxEntries = MAX_ENTRIES): PromptCache {
  /** Cached prefixes by hash, least recently used first. */
  const entries = new Map<bigint, { readonly expiresAtMs: number; readonly life: CacheLife }>();

  const knows = (hash: bigint): boolean => {
    const entry = entries.get(hash);
    if (entry === undefined) return false;
    if (entry.expiresAtMs > clock.monotonicMs()) return true;
    entries.delete(hash);
    return false;
  };
  const remember = (hash: bigint, life: CacheLife): void => {
    entries.delete(hash);
    entries.set(hash, { expiresAtMs: clock.monotonicMs() + LIFE_MS[life], life });
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break;
      entries.delete(oldest);
    }
  };
  const refresh = (hash: bigint): void => {
    const entry = entries.get(hash);
    if (entry !== undefined) remember(hash, entry.life);
  };

  const useMarked = (owner: string, units: readonly PromptUnit[]): CacheUse => {
    if (!units.some((unit) => unit.marker !== null)) return { read: 0, write5m: 0, write1h: 0 };
    const boundaries = unitBoundaries(fingerprint(owner), units);
    const reachable = boundaries.filter((_, index) => isNearMarker(boundaries, index));
    const hit = reachable.findLast((boundary) => knows(boundary.hash));
    const read = hit?.tokens ?? 0;
    const written: Record<CacheLife, number> = { '5m': 0, '1h': 0 };
    if (hit !== undefined) refresh(hit.hash);
    let reached = read;
    for (const { hash, tokens, marker } of boundaries) {
      if (marker === null || tokens < MIN_CACHED_TOKENS) continue;
      if (tokens <= read) {
        refresh(hash);
        continue;
      }
      written[marker] += tokens - reached;
      reached = tokens;
      remember(hash, marker);
    }
    return { read, write5m: written['5m'], write1h: written['1h'] };
  };

  const useShared = (owner: string, units: readonly PromptUnit[]): number => {
    const total = units.reduce((sum, unit) => sum + unit.tokens, 0);
    if (total < MIN_CACHED_TOKENS) return 0;
    const boundaries = stepBoundaries(fingerprint(owner, 1n), units);
    const read = boundaries.findLast((boundary) => knows(boundary.hash))?.tokens ?? 0;
    for (const boundary of boundaries) remember(boundary.hash, '5m');
    return read;
  };

  return { useMarked, useShared };
}

/**
 * Whether the prefix is long enough to be cached, and ends at most `LOOK_BACK_UNITS` units before a
 * marker.
 */
function isNearMarker(boundaries: readonly Boundary[], index: number): boolean {
  if ((boundaries[index]?.tokens ?? 0) < MIN_CACHED_TOKENS) return false;
  return boundaries
    .slice(index, index + LOOK_BACK_UNITS + 1)
    .some((boundary) => boundary.marker !== null);
}

function unitBoundaries(owner: bigint, units: readonly PromptUnit[]): readonly Boundary[] {
  let hash = owner;
  let tokens = 0;
  return units.map((unit) => {
    hash = chainUnit(unit, hash);
    tokens += unit.tokens;
    return { hash, tokens, marker: unit.marker };
  });
}

/**
 * Returns a boundary at every 128th token, starting at token 1024. A boundary may be inside a unit.
 */
function stepBoundaries(owner: bigint, units: readonly PromptUnit[]): readonly Boundary[] {
  const boundaries: Boundary[] = [];
  let hash = owner;
  let tokens = 0;
  let next = MIN_CACHED_TOKENS;
  const note = (): void => {
    for (; tokens >= next; next += SHARED_STEP_TOKENS) {
      boundaries.push({ hash, tokens: next, marker: null });
    }
  };
  for (const unit of units) {
    hash = fingerprint(unit.label, hash);
    if (!unit.divisible) {
      hash = fingerprint(unit.text, hash);
      tokens += unit.tokens;
      note();
      continue;
    }
    let hashed = 0;
    const start = tokens;
    for (let at = 0; at < unit.text.length; ) {
      at = pieceEnd(unit.text, at);
      tokens += 1;
      if (tokens < next) continue;
      hash = fingerprint(unit.text.slice(hashed, at), hash);
      hashed = at;
      note();
    }
    hash = fingerprint(unit.text.slice(hashed), hash);
    tokens = start + unit.tokens;
    note();
  }
  return boundaries;
}
