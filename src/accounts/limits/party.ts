/**
 * A party is a key or an account. This file counts what a party has used of its limits on this node
 * and on all nodes.
 */
import type { Caller } from '../account.ts';
import {
  drain,
  type LeakyBucket,
  MINUTE_MS,
  newBucket,
  remainingOf,
  resetMs,
  waitMs,
} from './leaky-bucket.ts';
import type { Limits } from './limits.ts';
import type { Rate, RateState } from './rate-headers.ts';
import {
  CONCURRENCY_RETRY_MS,
  type SharedCount,
  SharedRate,
  SharedRunning,
} from './shared-count.ts';

export type LimitOwner = 'key' | 'account';
/** The kinds of limits. `concurrency` limits running requests; the others limit use per minute. */
export type LimitKind = 'concurrency' | 'requests' | 'tokens';

/**
 * What one key or account uses on this node: the running requests, and the buckets that measure
 * requests and tokens per minute.
 */
export type Counted = {
  /** The limits at the time of the last request. */
  limits: Limits;
  running: number;
  readonly requests: LeakyBucket;
  readonly tokens: LeakyBucket;
  /** The counts that this node shares with other nodes; null while the limits are not shared. */
  shared: SharedParty | null;
};
type SharedParty = {
  readonly concurrency: SharedRunning;
  readonly requests: SharedRate;
  readonly tokens: SharedRate;
};
export type Party = {
  readonly owner: LimitOwner;
  readonly limits: Limits;
  readonly counted: Counted;
};
/** A limit that a request would exceed. `waitMs` is the time until the request would fit. */
export type Full = Party & { readonly kind: LimitKind; readonly waitMs: number };
/** How much a request uses of one shared limit. */
export type Need = Party & {
  readonly kind: LimitKind;
  readonly of: SharedCount;
  readonly count: number;
  readonly limit: number;
};

const RATES = ['requests', 'tokens'] as const;

const KINDS = ['concurrency', ...RATES] as const;

export const newCounted = (limits: Limits, nowMs: number): Counted => ({
  limits,
  running: 0,
  requests: newBucket(nowMs),
  tokens: newBucket(nowMs),
  shared: null,
});

export const isCounted = (limits: Limits): boolean =>
  limits.requestsPerMinute !== null ||
  limits.tokensPerMinute !== null ||
  limits.concurrency !== null;

export const nameOf = (owner: LimitOwner, { keyId, accountId }: Caller): string =>
  `${owner}:${owner === 'key' ? keyId : accountId}`;

export const limitOf = (limits: Limits, kind: LimitKind): number | null =>
  kind === 'concurrency' ? limits.concurrency : limits[`${kind}PerMinute`];

/**
 * Starts to share the limits of a party (a key or an account) with other nodes. The next report to
 * the store includes what the party used earlier, because the store does not know this use.
 */
export function share(counted: Counted, name: string, nodes: number, nowMs: number): void {
  const { limits } = counted;
  const rate = (kind: (typeof RATES)[number]): SharedRate => {
    const bucket = counted[kind];
    const limit = limitOf(limits, kind);
    drain(bucket, limit, nowMs);
    const used = Math.ceil(bucket.debt / (MINUTE_MS * nodes));
    return new SharedRate(`${name}:${kind}`, limit ?? 1, { used, nowMs });
  };
  counted.shared ??= {
    concurrency: new SharedRunning(`${name}:concurrency`, limits.concurrency ?? 1, counted),
    requests: rate('requests'),
    tokens: rate('tokens'),
  };
}

/** Returns the shared counts of the limits that are set. */
export function sharedCounts({ limits, shared }: Counted): readonly SharedCount[] {
  if (shared === null) return [];
  return KINDS.filter((kind) => limitOf(limits, kind) !== null).map((kind) => shared[kind]);
}

/**
 * Whether no request is running, all buckets are empty at `nowMs`, and the shared counts are idle.
 * Assumes that the limits have not changed since the buckets were last drained.
 */
export function isIdle(counted: Counted, nowMs: number): boolean {
  const { running, requests, tokens } = counted;
  if (running > 0 || !isEmpty(requests, nowMs) || !isEmpty(tokens, nowMs)) return false;
  return sharedCounts(counted).every((each) => each.isIdle(nowMs));
}

const isEmpty = ({ debt, perMs, atMs }: LeakyBucket, nowMs: number): boolean =>
  debt <= perMs * (nowMs - atMs);

/**
 * Returns how much a request with this many tokens uses of each shared limit of the key and the
 * account.
 */
export function needsOf(parties: readonly Party[], tokens: number): readonly Need[] {
  const needs: Need[] = [];
  for (const party of parties) {
    const { shared } = party.counted;
    if (shared === null) continue;
    for (const kind of KINDS) {
      const limit = limitOf(party.limits, kind);
      const count = kind === 'tokens' ? tokens : 1;
      if (limit !== null && count > 0)
        needs.push({ ...party, kind, of: shared[kind], count, limit });
    }
  }
  return needs;
}

/**
 * Returns the first limit of which the request would exceed this node's part, which is about
 * 1/`nodes` of the limit. Returns null if the request fits into this node's part of all limits.
 */
export function fullHere(parties: readonly Party[], tokens: number, nodes: number): Full | null {
  for (const party of parties) {
    const { limits, counted } = party;
    const { concurrency, requestsPerMinute, tokensPerMinute } = limits;
    if (concurrency !== null && counted.running >= atOnce(concurrency, nodes)) {
      return { ...party, kind: 'concurrency', waitMs: CONCURRENCY_RETRY_MS };
    }
    if (requestsPerMinute !== null) {
      const ms = waitMs(counted.requests, 1, requestsPerMinute, nodes);
      if (ms > 0) return { ...party, kind: 'requests', waitMs: ms };
    }
    if (tokensPerMinute === null) continue;
    const ms = waitMs(counted.tokens, tokens, tokensPerMinute, nodes);
    if (ms > 0) return { ...party, kind: 'tokens', waitMs: ms };
  }
  return null;
}

const atOnce = (concurrency: number, nodes: number): number =>
  concurrency === 0 ? 0 : Math.max(1, Math.floor(concurrency / nodes));

/**
 * Returns the state of the limit on requests, and the state of the limit on tokens. If both the key
 * and its account have such a limit, returns the state of the limit of which less remains.
 */
export function statesOf(parties: readonly Party[], nodes: number, nowMs: number): RateState {
  const least = (kind: (typeof RATES)[number]): Rate | null => {
    let state: Rate | null = null;
    for (const { limits, counted } of parties) {
      const limit = limitOf(limits, kind);
      if (limit === null) continue;
      const found = counted.shared?.[kind].state(limit, nowMs) ?? own(counted[kind], limit);
      if (state === null || found.remaining < state.remaining) state = { limit, ...found };
    }
    return state;
  };
  const own = (bucket: LeakyBucket, limit: number): Omit<Rate, 'limit'> => {
    drain(bucket, limit, nowMs);
    return { remaining: remainingOf(bucket, limit, nodes), resetMs: resetMs(bucket, limit) };
  };
  return { requests: least('requests'), tokens: least('tokens') };
}
