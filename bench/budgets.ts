/**
 * Modelgate's performance budgets in one table. Most of them compare Modelgate with the bare relay,
 * as a ratio or a difference, because a machine's speed changes from minute to minute and affects
 * Modelgate and the relay alike. Each budget is valid only for the load that its measure generates.
 */
import type { Found } from './measures/measure.ts';
import type { SubjectName } from './subjects.ts';

/**
 * The limit of a figure: the highest or lowest value (`most`, `least`), the highest ratio to the
 * same figure of another subject, such as the bare relay (`times`), or the highest difference from
 * that figure (`above`).
 */
export type Limit =
  | { readonly kind: 'most' | 'least'; readonly value: number }
  | { readonly kind: 'times' | 'above'; readonly of: SubjectName; readonly value: number };

export type Budget = {
  readonly measure: string;
  readonly figure: string;
  readonly limit: Limit;
  /** The smallest load at which the budget is checked. Absent if it is checked at every load. */
  readonly from?: { readonly size: keyof Sizes; readonly count: number };
};

/**
 * The load of a run, set by command-line options. `streams` and `liveStreams` are the numbers of
 * concurrent streams in the measures `open-streams` and `many-streams`. `minutes` is the duration
 * of the measure `slope`.
 */
export type Sizes = {
  readonly streams: number;
  readonly liveStreams: number;
  readonly minutes: number;
};

/**
 * The memory budget for open streams is checked only with at least this many streams. Each stream
 * needs a socket on each side of the gateway, so a limit of 20,000 open files just allows this
 * number.
 */
const SILENT = { size: 'streams', count: 9_500 } as const;
/** The latency budgets are checked only with at least this many streams (50 events/s each). */
export const LIVE = { size: 'liveStreams', count: 2_000 } as const;

/**
 * The shortest run for the memory-growth budget. A shorter run would measure only the normal growth
 * of the heap after the start.
 */
export const LONG = { size: 'minutes', count: 30 } as const;

const most = (value: number): Limit => ({ kind: 'most', value });
const least = (value: number): Limit => ({ kind: 'least', value });
const timesRelay = (value: number): Limit => ({ kind: 'times', of: 'bare-relay', value });
const aboveRelay = (value: number): Limit => ({ kind: 'above', of: 'bare-relay', value });
const aboveDirect = (value: number): Limit => ({ kind: 'above', of: 'direct', value });

export const BUDGETS: readonly Budget[] = [
  { measure: 'rest', figure: 'readyMs', limit: most(500) },
  { measure: 'rest', figure: 'rssMb', limit: most(60) },
  { measure: 'slow-reader', figure: 'perReaderMb', limit: most(2) },
  { measure: 'short-json', figure: 'cpuUs', limit: timesRelay(3.5) },
  { measure: 'short-json', figure: 'perSecond', limit: least(7_500) },
  { measure: 'short-json', figure: 'rssMb', limit: most(130) },
  { measure: 'many-callers', figure: 'cpuUs', limit: timesRelay(2.2) },
  { measure: 'offered', figure: 'fixedCpuUs', limit: timesRelay(3.2) },
  { measure: 'one-caller', figure: 'p50Ms', limit: aboveRelay(0.6) },
  { measure: 'failover', figure: 'addedP50Ms', limit: most(2) },
  { measure: 'first-token', figure: 'p50Ms', limit: aboveRelay(0.8) },
  { measure: 'stream-paced', figure: 'cpuUs', limit: timesRelay(2.2) },
  // The limit is in microseconds per event: a stream of 100 events may use 0.4 ms more CPU through
  // Modelgate than through the relay.
  { measure: 'stream-burst', figure: 'cpuUs', limit: aboveRelay(4) },
  { measure: 'large-body', figure: 'cpuMs', limit: most(10) },
  { measure: 'large-body', figure: 'longestMs', limit: aboveDirect(10) },
  { measure: 'many-streams', figure: 'lost', limit: most(0) },
  { measure: 'many-streams', figure: 'doubled', limit: most(0) },
  { measure: 'many-streams', figure: 'outOfOrder', limit: most(0) },
  { measure: 'many-streams', figure: 'chatP99Ms', limit: aboveDirect(25), from: LIVE },
  { measure: 'many-streams', figure: 'messagesP99Ms', limit: aboveDirect(25), from: LIVE },
  { measure: 'many-streams', figure: 'translatedP99Ms', limit: aboveDirect(25), from: LIVE },
  { measure: 'open-streams', figure: 'heldMb', limit: most(350), from: SILENT },
  { measure: 'slope', figure: 'perMinuteMb', limit: most(1), from: LONG },
  { measure: 'ledger-sqlite', figure: 'perSecond', limit: least(20_000) },
  { measure: 'ledger-sqlite', figure: 'p50Ms', limit: most(0.3) },
  { measure: 'ledger-sqlite', figure: 'p99Ms', limit: most(2) },
  { measure: 'ledger-sqlite', figure: 'storeUs', limit: most(20) },
  { measure: 'ledger-postgres', figure: 'perSecond', limit: least(8_000) },
  { measure: 'ledger-postgres', figure: 'p99Ms', limit: most(8) },
  { measure: 'ledger-postgres', figure: 'serverUs', limit: most(60) },
  { measure: 'ledger-postgres', figure: 'clientUs', limit: most(25) },
  { measure: 'ledger-postgres', figure: 'offeredP50Ms', limit: most(1.5) },
  { measure: 'ledger-postgres', figure: 'offeredP99Ms', limit: most(10) },
  { measure: 'ledger-postgres', figure: 'nodesPerSecond', limit: least(25_000) },
];

/**
 * The limits of `npm run bench -- translation`: the CPU in µs that one event or one short request
 * may cost above its baseline. `translated` is the limit for a translated request, whose baseline
 * is an untranslated request. `passed` is the limit for an untranslated Messages or Responses
 * request, whose baseline is an untranslated chat request.
 */
export const MORE_CPU_US = {
  translated: { event: 12, request: 60 },
  passed: { event: 1, request: 25 },
} as const;

/**
 * Returns the value that is compared with a limit. By default, this is the figure itself. If the
 * limit names another subject (`of`), it is the ratio or the difference between the figures of both
 * subjects. Null when one of these figures is missing.
 */
export function comparable(
  limit: Limit,
  figure: string,
  found: Found,
  foundOf: (subject: SubjectName) => Found | undefined,
): number | null {
  const value = found[figure];
  if (value === undefined) return null;
  if (!('of' in limit)) return value;
  const base = foundOf(limit.of)?.[figure];
  if (base === undefined) return null;
  if (limit.kind === 'above') return value - base;
  return base > 0 ? value / base : null;
}

export const isMet = (limit: Limit, reached: number): boolean =>
  limit.kind === 'least' ? reached >= limit.value : reached <= limit.value;
