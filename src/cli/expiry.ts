/** Parses expiry times that people type, and formats expiry times for people. */
import { DAY_MS, dateOf } from '../money/calendar.ts';
import { CliError } from './cli-error.ts';
import type { Input, Options } from './command.ts';

/** The value of --expires that removes the expiry. */
const NONE = 'none';

const WHEN = 'when it expires: a date (2027-01-31, UTC), a time, or days from now (90d)';
export const EXPIRES: Options = { 'expires WHEN': WHEN };
export const EXPIRES_OR_NONE: Options = { 'expires WHEN': `${WHEN}; none: never` };

/**
 * Returns the value of --expires as an ISO 8601 time; null if the option was not given.
 * @throws CliError `usage`.
 */
export function expiryOf(input: Input, nowMs: number): string | null {
  const typed = input.text('expires');
  return typed === null ? null : timeOf(typed, nowMs);
}

/**
 * Returns the field `expires_at` for a request body; `{}` if --expires was not given.
 * @throws CliError `usage`.
 */
export function expiryChange(input: Input, nowMs: number): { readonly expires_at?: string | null } {
  const typed = input.text('expires');
  if (typed === null) return {};
  return { expires_at: typed === NONE ? null : timeOf(typed, nowMs) };
}

export const expiryNote = (expiresAt: string | null): string =>
  expiresAt === null ? 'never expires' : `expires ${expiresAt}`;

/**
 * Parses a number of days from now (`90d`), a date (`2027-01-31`, midnight UTC) or a full time.
 * Returns an ISO 8601 time.
 */
function timeOf(typed: string, nowMs: number): string {
  const days = /^(\d{1,5})d$/.exec(typed)?.[1];
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(
    typed,
  );
  const atMs = days === undefined ? Date.parse(typed) : nowMs + Number(days) * DAY_MS;
  const day = typed.slice(0, 10);
  // Without this check, 2027-02-29 would be March 1.
  const isExisting = () => isTime && dateOf(Date.parse(day) / DAY_MS) === day;
  if (Number.isNaN(atMs) || (days === undefined && !isExisting())) {
    throw new CliError(
      'usage',
      `--expires cannot read ${JSON.stringify(typed)}. Give a date (2027-01-31), a time (2027-01-31T12:00:00Z) or days from now (90d).`,
    );
  }
  return new Date(atMs).toISOString();
}
