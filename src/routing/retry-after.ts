/** Reads how long an upstream asks to wait, from any of the known headers. */

const DEFAULT_SECONDS = 5;
/** Clients ignore, or overreact to, a longer wait. */
const MAX_SECONDS = 60;

const LIMITS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;

/**
 * Whole seconds, 1 to 60.
 * @param nowMs since 1970, for headers with an absolute time.
 */
export function retryAfterSeconds(headers: Headers, nowMs: number): number {
  const waitMs =
    millisecondsOf(headers.get('retry-after-ms')) ??
    secondsOrDate(headers.get('retry-after'), nowMs) ??
    untilReset(headers, nowMs) ??
    DEFAULT_SECONDS * 1000;
  return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(waitMs / 1000)));
}

/** The earliest reset of an exhausted limit, or of any limit when none is marked as exhausted. */
function untilReset(headers: Headers, nowMs: number): number | null {
  const resets: { readonly ms: number; readonly isUsedUp: boolean }[] = [];
  const add = (reset: string | null, remaining: string | null): void => {
    const ms = durationOf(reset) ?? secondsOrDate(reset, nowMs);
    if (ms !== null && ms >= 0) resets.push({ ms, isUsedUp: remaining === '0' });
  };
  for (const limit of LIMITS) {
    add(headers.get(`x-ratelimit-reset-${limit}`), headers.get(`x-ratelimit-remaining-${limit}`));
    const own = `anthropic-ratelimit-${limit}`;
    add(headers.get(`${own}-reset`), headers.get(`${own}-remaining`));
  }
  add(headers.get('x-ratelimit-reset'), headers.get('x-ratelimit-remaining'));
  const usedUp = resets.filter(({ isUsedUp }) => isUsedUp);
  if (usedUp.length > 0) return Math.max(...usedUp.map(({ ms }) => ms));
  return resets.length === 0 ? null : Math.min(...resets.map(({ ms }) => ms));
}

function millisecondsOf(text: string | null): number | null {
  return text !== null && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

/** Seconds to wait, seconds or milliseconds since 1970, or a date. */
function secondsOrDate(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const number = millisecondsOf(text);
  if (number !== null) {
    // No wait is that long, so it is an absolute time.
    if (number > 1e12) return number - nowMs;
    return number > 1e9 ? number * 1000 - nowMs : number * 1000;
  }
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs - nowMs;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `6m0s`, `120ms`, `1.5s` as milliseconds. */
function durationOf(text: string | null): number | null {
  if (text === null || !/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return null;
  let ms = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    ms += Number(count) * (UNIT_MS[unit] ?? 0);
  }
  return ms;
}
