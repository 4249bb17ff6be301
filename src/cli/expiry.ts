/** When something is to end, as people type it. */
import { CliError } from './cli-error.ts';

const DAY_MS = 86_400_000;

/** `90d`, `2027-01-31` (its first moment, UTC) or a full time, as an ISO time. @throws CliError `usage`. */
export function expiryOf(text: string, nowMs: number): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(
    text,
  );
  const atMs = days === undefined ? Date.parse(text) : nowMs + Number(days) * DAY_MS;
  if ((days === undefined && !isTime) || Number.isNaN(atMs)) {
    throw new CliError(
      'usage',
      `--expires cannot read ${JSON.stringify(text)}. Give a date (2027-01-31), a time (2027-01-31T12:00:00Z) or days from now (90d).`,
    );
  }
  return new Date(atMs).toISOString();
}
