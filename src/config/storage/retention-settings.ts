/**
 * How long records that no balance depends on are kept. Receipts and the audit log are always kept.
 */
import * as z from 'zod';
import { built } from '../document/on-demand.ts';
import { duration, writtenForms } from '../values.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The maximum retention time. */
const LONGEST_RETENTION_MS = 400 * DAY_MS;

const SHORTEST_MS = { '1h': HOUR_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;

/** Makes the schema of a retention time. @param minimum the minimum time. */
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
     * Records of requests refused before a charge, and of providers' answers to failed attempts.
     */
    refusals: retention('1h').prefault('30d'),
    /** The logged prompts and answers. */
    prompts: retention('1h').prefault('30d'),
    /**
     * Alerts, and deliveries to the webhooks of accounts. While a monthly alert is stored, it is
     * not sent again.
     */
    alerts: retention('30d').prefault('30d'),
    /**
     * The delivery log of email. While the log has an email about a monthly event, no further email
     * about it is sent.
     */
    mail: retention('30d').prefault('30d'),
    /** Nightly comparisons of providers' bills with the receipts. */
    reconciliations: retention('7d').prefault('400d'),
    /**
     * Rows of resolved holds in PostgreSQL. After the row of a hold is deleted, a late settlement
     * finds only its receipt.
     */
    holds: retention('7d').prefault('30d'),
  }),
);
