/** How long records are kept that no balance depends on. Receipts and the audit log stay. */
import { z } from 'zod';
import { duration, writtenForms } from '../values.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The longest time for which records may be kept. */
const LONGEST_RETENTION_MS = 400 * DAY_MS;

const SHORTEST_MS = { '1h': HOUR_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;

/** How long records are kept before they are deleted, and the shortest such time. */
const retention = (minimum: keyof typeof SHORTEST_MS) =>
  duration
    .refine(
      (ms) => ms >= SHORTEST_MS[minimum] && ms <= LONGEST_RETENTION_MS,
      `must be from ${minimum} to 400d`,
    )
    .register(writtenForms, { type: 'duration', minimum, maximum: '400d' });

export const retentionSettings = z.strictObject({
  /** Requests that were refused before anything was charged, and providers' answers to failures. */
  refusals: retention('1h').prefault('30d'),
  /** Prompts and answers of those who have them logged. */
  prompts: retention('1h').prefault('30d'),
  /** Alerts, and what was posted to webhooks of accounts. One of a month is not raised twice. */
  alerts: retention('30d').prefault('30d'),
  /** The delivery log of email. A letter about an event of a month is not sent twice. */
  mail: retention('30d').prefault('30d'),
  /** Nightly comparisons of providers' bills with the receipts. */
  reconciliations: retention('7d').prefault('400d'),
  /** Resolved holds of PostgreSQL. A late settlement of an older hold finds its receipt instead. */
  holds: retention('7d').prefault('30d'),
});
