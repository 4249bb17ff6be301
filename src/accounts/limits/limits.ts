/** The limits of a key or an account; null for no limit. The ledger enforces spending caps. */
import type { CapWindow } from '../../ledger/ledger.ts';
import { formatAmount, type NanoAmount } from '../../money/amount.ts';
import { type IpRange, parseRange } from './ip-range.ts';

export type Limits = {
  readonly requestsPerMinute: number | null;
  /** The maximum number of tokens per minute, with input and output tokens added. */
  readonly tokensPerMinute: number | null;
  /** The maximum number of concurrent requests. */
  readonly concurrency: number | null;
  /** The allowed model ids and channel names. An empty list allows none; null allows all. */
  readonly models: readonly string[] | null;
  readonly channels: readonly string[] | null;
  readonly ipRanges: readonly IpRange[] | null;
};

/** The spending caps in nano-USD, for both wallets together. Days, weeks and months are UTC. */
export type SpendCaps = { readonly [Window in CapWindow]: NanoAmount | null };

export const CAP_WINDOWS = ['day', 'week', 'month', 'total'] as const satisfies CapWindow[];

export const NO_LIMITS: Limits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrency: null,
  models: null,
  channels: null,
  ipRanges: null,
};
/**
 * Calls `of` for each period of the spending caps (day, week, …). Returns the results by period.
 */
export const perWindow = <Value>(of: (window: CapWindow) => Value) => ({
  day: of('day'),
  week: of('week'),
  month: of('month'),
  total: of('total'),
});

export const NO_CAPS: SpendCaps = perWindow(() => null);

/** The limits to change. Null removes a limit. An absent limit is not changed. */
export type LimitsChange = {
  readonly [Field in keyof Limits]?: Limits[Field] | undefined;
} & {
  readonly spend?: { readonly [Window in CapWindow]?: NanoAmount | null | undefined } | undefined;
};

export function changedLimits(current: Limits, change: LimitsChange): Limits {
  const { spend: _counted, ...rest } = change;
  return { ...current, ...given(rest) };
}

export function changedCaps(current: SpendCaps, change: LimitsChange): SpendCaps {
  return { ...current, ...given(change.spend ?? {}) };
}

type Given<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> };

/** Returns the fields that are not undefined. */
function given<T extends object>(fields: T): Given<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<T>;
}

/** Returns the limits without spending caps, as the APIs show them and as rows store them. */
export function limitsBody(limits: Limits) {
  return {
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    concurrency: limits.concurrency,
    models: limits.models,
    channels: limits.channels,
    ip_ranges: limits.ipRanges?.map(({ text }) => text) ?? null,
  };
}

export const capsBody = (caps: SpendCaps): Readonly<Record<CapWindow, string | null>> =>
  perWindow((window) => capText(caps[window]));

export const capText = (cap: NanoAmount | null): string | null =>
  cap === null ? null : formatAmount(cap);

/** Serializes the limits for storage. Omits limits that are null. */
export function limitsText(limits: Limits): string {
  return JSON.stringify(limitsBody(limits), (_field, value) => value ?? undefined);
}

/**
 * Parses the stored text.
 * @throws Error if it is invalid, since ignoring a limit would be unsafe.
 */
export function limitsOf(text: string): Limits {
  const row: unknown = JSON.parse(text);
  if (typeof row !== 'object' || row === null) throw unreadable(text);
  const field = (name: string): unknown => (row as Readonly<Record<string, unknown>>)[name] ?? null;
  const count = (name: string): number | null => {
    const value = field(name);
    if (value === null || typeof value === 'number') return value;
    throw unreadable(text);
  };
  const list = (name: string): readonly string[] | null => {
    const value = field(name);
    if (value === null) return null;
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
    throw unreadable(text);
  };
  return {
    requestsPerMinute: count('requests_per_minute'),
    tokensPerMinute: count('tokens_per_minute'),
    concurrency: count('concurrency'),
    models: list('models'),
    channels: list('channels'),
    ipRanges: list('ip_ranges')?.map((range) => parseRange(range) ?? raise(text)) ?? null,
  };
}

const unreadable = (text: string): Error => new Error(`The stored limits cannot be read: ${text}`);

function raise(text: string): never {
  throw unreadable(text);
}
