/** Formats rate limits as response headers of the OpenAI and the Anthropic protocol. */
export type RateDialect = 'openai' | 'anthropic';
export type Rate = { readonly limit: number; readonly remaining: number; readonly resetMs: number };
/** The states of the limits on requests and on tokens per minute; null for an unset limit. */
export type RateState = { readonly requests: Rate | null; readonly tokens: Rate | null };

export const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

export function rateHeaders(
  state: RateState,
  dialect: RateDialect,
  nowMs: number,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const kind of ['requests', 'tokens'] as const) {
    const rate = state[kind];
    if (rate === null) continue;
    switch (dialect) {
      case 'openai':
        headers[`x-ratelimit-limit-${kind}`] = String(rate.limit);
        headers[`x-ratelimit-remaining-${kind}`] = String(rate.remaining);
        headers[`x-ratelimit-reset-${kind}`] = durationText(rate.resetMs);
        break;
      case 'anthropic':
        headers[`anthropic-ratelimit-${kind}-limit`] = String(rate.limit);
        headers[`anthropic-ratelimit-${kind}-remaining`] = String(rate.remaining);
        headers[`anthropic-ratelimit-${kind}-reset`] = secondText(nowMs + rate.resetMs);
        break;
    }
  }
  return headers;
}

/**
 * Formats a duration as `250ms`, `1s` or `6m0s`. Durations of a second or more are rounded up to
 * whole seconds.
 */
function durationText(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

/** Formats a time as RFC 3339 with whole seconds, rounded up. */
function secondText(ms: number): string {
  return `${new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().slice(0, 19)}Z`;
}
