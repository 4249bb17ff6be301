/**
 * Response bodies with the limits of an API key and its account, in the format that reseller tools
 * and the status lines of terminal tools expect.
 */
import * as z from 'zod';
import { perColumn } from '../../money/usage.ts';
import { amount, count, currency, millis, time } from '../edge/answer-schema.ts';
import { KEY_SCOPES, LIMITS, MEMBER_BUDGET, SPEND, WALLET } from './account-body.ts';
import { COST_DETAILS, REQUEST } from './reports/request-views.ts';

const text = z.string();
const { endpoint, measure, outcome } = REQUEST.schema.shape;
/** An amount in USD as a number, for people and charts. Another field has the exact amount. */
const dollars = z.number().meta({ description: 'An amount in USD.' });

export const SPENT = z
  .strictObject({ currency, total: amount, today: amount, this_week: amount, this_month: amount })
  .meta({ id: 'Spent' });

export const OWN_KEY = z.strictObject({
  data: z
    .strictObject({
      label: text,
      limit: dollars.nullable(),
      limit_remaining: dollars.nullable(),
      limit_reset: z.enum(['daily', 'weekly', 'monthly']).nullable(),
      usage: dollars.meta({
        description:
          'What the key has spent, in USD. Charges in CNY count at the rate of their request.',
      }),
      usage_daily: dollars,
      usage_weekly: dollars,
      usage_monthly: dollars,
      is_free_tier: z.literal(false),
      is_management_key: z
        .boolean()
        .meta({ description: 'Whether the key has the scope `manage`.' }),
      scopes: KEY_SCOPES,
      id: text,
      name: text,
      account_id: text,
      created_at: time,
      expires_at: time.nullable(),
      last_used_at: time.nullable(),
      limits: LIMITS,
      spend: SPEND,
      member: MEMBER_BUDGET.nullable().meta({
        description:
          'The spending limits of the member who created the key, on all keys of that member together; null: no limits.',
      }),
      spent: z.array(SPENT),
    })
    .meta({ id: 'OwnKey' }),
});

export const CREDITS = z.strictObject({
  data: z
    .strictObject({
      total_credits: dollars,
      total_usage: dollars,
      wallets: z.array(WALLET),
      spent: z.array(SPENT),
    })
    .meta({
      id: 'Credits',
      description:
        'The credits and usage in USD, and the wallets. `total_credits` - `total_usage` is the USD balance.',
    }),
});

export const GENERATION = z.strictObject({
  data: z
    .strictObject({
      id: text,
      model: text,
      provider_name: text,
      created_at: time,
      endpoint,
      total_cost: dollars,
      usage: dollars,
      tokens_prompt: count,
      tokens_completion: count,
      native_tokens_prompt: count,
      native_tokens_completion: count,
      native_tokens_cached: count,
      num_media_completion: count,
      latency: millis,
      generation_time: millis,
      streamed: z.boolean(),
      cancelled: z.boolean(),
      finish_reason: text.nullable(),
      key_id: text,
      outcome,
      error_code: text.nullable(),
      channel_requested: text.nullable(),
      channel: text,
      price_card: text,
      fx_rate: text.nullable(),
      cost_exact: amount,
      cost_currency: currency,
      cost_unrounded: amount,
      cost_estimated: z.boolean(),
      measure,
      usage_buckets: z.strictObject(perColumn(() => count)),
      images: z.strictObject({ count, price_key: text }).nullable(),
      first_byte_ms: millis.nullable(),
      duration_ms: millis,
      cost_details: COST_DETAILS,
    })
    .meta({ id: 'Generation' }),
});
