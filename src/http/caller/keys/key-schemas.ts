/** Schemas of the bodies that create and limit API keys. Accounts take the same limits. */
import * as z from 'zod';
import { MAX_OVERLAP_MS } from '../../../accounts/keys.ts';
import { parseRange } from '../../../accounts/limits/ip-range.ts';
import type { LimitsChange } from '../../../accounts/limits/limits.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../../accounts/scopes.ts';
import { CHANNELS } from '../../../catalogue/catalogue.ts';
import { parseDuration } from '../../../config/units.ts';
import {
  decimalAmount,
  expiresAt,
  id,
  isStorable,
  limitedText,
  name,
  PAGE_QUERY,
} from '../../edge/request-schema.ts';

/** Maximum spending cap: a billion USD, so that sums of caps and spending fit in 64 bits. */
const MAX_CAP = 1_000_000_000n * 1_000_000_000n;
/** Maximum rate limit. No provider allows more, and the limiter can count so many exactly. */
const MAX_A_MINUTE = 1_000_000_000;
/** Maximum entries of a list. The number is small, because every request checks all entries. */
const MAX_LISTED = 100;
const MAX_LISTED_CHARS = 200;

const CAP =
  'must be an amount in USD, as a decimal string with at most nine decimals, such as "5.00", or null for no limit';
/** A spending cap; null for no cap. */
export const cap = decimalAmount(CAP, (value) => value >= 0n && value <= MAX_CAP).nullish();

const COUNT = `must be a whole number from 1 to ${MAX_A_MINUTE}, or null for no limit`;
const count = z
  .int({ error: COUNT })
  .min(1, { error: COUNT })
  .max(MAX_A_MINUTE, { error: COUNT })
  .nullish();

const LIST = `must be a list of at most ${MAX_LISTED} strings, or null for all`;
const word = limitedText(LIST, 1, MAX_LISTED_CHARS).refine(isStorable, { error: LIST });
const list = z.array(word, { error: LIST }).max(MAX_LISTED, { error: LIST }).nullish();

/** Only known channels are valid. Models are not checked, because they can be added later. */
const CHANNEL = `must be a list of channels (${CHANNELS.join(', ')}), or null for all`;
const channels = z
  .array(z.enum(CHANNELS, { error: CHANNEL }), { error: CHANNEL })
  .max(CHANNELS.length, { error: CHANNEL })
  .nullish();

const RANGE =
  'must be a range such as "10.0.0.0/8" or "2001:db8::/32", with no bits set after the prefix, or a single address';
const ranges = z
  .array(
    word
      .transform(parseRange)
      .refine((range): range is NonNullable<typeof range> => range !== null, { error: RANGE }),
    { error: LIST },
  )
  .max(MAX_LISTED, { error: LIST })
  .nullish();

export const limits = z
  .strictObject({
    spend: z.strictObject({ day: cap, week: cap, month: cap, total: cap }).optional(),
    requests_per_minute: count,
    tokens_per_minute: count,
    concurrency: count,
    models: list,
    channels,
    ip_ranges: ranges,
  })
  .optional()
  .meta({ description: 'The new limits. Null removes a limit; a limit that is left out stays.' });

const OVERLAP = 'must be a duration from 0s to 30d, such as "24h"';
export const ROTATION = z.strictObject({
  overlap: z
    .string({ error: OVERLAP })
    .transform(parseDuration)
    .refine((ms): ms is number => ms !== null && ms <= MAX_OVERLAP_MS, { error: OVERLAP })
    .optional()
    .meta({
      description: 'How long the old secret keeps working, such as `1h`; by default `24h`.',
    }),
});

const SCOPE_LIST = `must be a list of one or more of ${SCOPES.join(', ')}`;
const scopes = z
  .array(z.enum(SCOPES, { error: SCOPE_LIST }), { error: SCOPE_LIST })
  .min(1, { error: SCOPE_LIST })
  .max(SCOPES.length, { error: SCOPE_LIST })
  .meta({
    description: `What the key may do. By default a new key has the scopes ${DEFAULT_SCOPES.join(', ')}.`,
  })
  .optional();

export const OWN_KEYS_QUERY = PAGE_QUERY.extend({
  created_by: id.optional().meta({ description: 'Only keys that this person created.' }),
});
/** The body that creates a key for the caller's own account. */
export const NEW_OWN_KEY = z.strictObject({ name, expires_at: expiresAt, limits, scopes });
export const KEY_CHANGE = z.strictObject({ ...NEW_OWN_KEY.shape, name: name.optional() });

export function limitsChange(body: z.infer<typeof limits>): LimitsChange | undefined {
  if (body === undefined) return undefined;
  return {
    spend: body.spend,
    requestsPerMinute: body.requests_per_minute,
    tokensPerMinute: body.tokens_per_minute,
    concurrency: body.concurrency,
    models: body.models,
    channels: body.channels,
    ipRanges: body.ip_ranges,
  };
}
