/**
 * The retention times of records that do not affect any balance. Receipts and the audit log are
 * never deleted.
 */
import * as z from 'zod';
import { built } from '../document/on-demand.ts';
import { duration, writtenForms } from '../values.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_RETENTION_MS = 400 * DAY_MS;

const SHORTEST_MS = { '1h': HOUR_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;

/** Returns the schema of a retention time. @param minimum the shortest allowed time. */
const retention = (minimum: keyof typeof SHORTEST_MS) =>
  duration()
    .refine(
      (ms) => ms >= SHORTEST_MS[minimum] && ms <= LONGEST_RETENTION_MS,
      `must be from ${minimum} to 400d`,
    )
    .register(writtenForms, { type: 'duration', minimum, maximum: '400d' });

export const retentionSettings = built(() =>
  z.strictObject({
    /**
     * Records of requests that were refused before a charge, and of providers' answers to failed
     * attempts.
     */
    refusals: retention('1h').prefault('30d'),
    /** The logged prompts and answers. */
    prompts: retention('1h').prefault('30d'),
    /**
     * Alerts, and their deliveries to the webhooks of accounts. While an alert about a month is
     * stored, the same alert is not sent again, so alerts are kept for at least 31 days. Alerts
     * about limits on the total spending are never deleted.
     */
    alerts: retention('30d').prefault('30d'),
    /**
     * The delivery log of email. While an email about a monthly event is in the log, no other email
     * about this event is sent.
     */
    mail: retention('30d').prefault('30d'),
    /** Nightly comparisons of providers' bills with the receipts. */
    reconciliations: retention('7d').prefault('400d'),
    /**
     * Rows of holds that were charged or released (PostgreSQL). After a row is deleted, a late
     * settlement of its hold finds only the receipt.
     */
    holds: retention('7d').prefault('30d'),
  }),
);
