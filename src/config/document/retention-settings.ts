/** How long records are kept that no balance depends on. */
import { z } from 'zod';
import { duration, writtenForms } from '../values.ts';

/** The shortest and the longest time for which records may be kept. */
const SHORTEST_RETENTION_MS = 60 * 60 * 1000;
const LONGEST_RETENTION_MS = 400 * 24 * 60 * 60 * 1000;
/** How long records are kept before they are deleted. */
const retention = duration
  .refine(
    (ms) => ms >= SHORTEST_RETENTION_MS && ms <= LONGEST_RETENTION_MS,
    'must be from 1h to 400d',
  )
  .register(writtenForms, { type: 'duration', minimum: '1h', maximum: '400d' });

export const retentionSettings = z.strictObject({
  /** Requests that were refused before anything was charged. */
  refusals: retention.prefault('30d'),
  /** Prompts and answers of those who have them logged. */
  prompts: retention.prefault('30d'),
});
