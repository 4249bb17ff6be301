/** The rows of reports, described: what `report-body.ts` makes of them. */
import { z } from 'zod';
import { CHANNELS } from '../../../catalogue/catalogue.ts';
import { AUDIT_ACTIONS } from '../../../ledger/audit.ts';
import { MOVEMENT_KINDS } from '../../../reports/statements.ts';
import { amount, count, currency, date, millis, next, time } from '../../edge/answer-schema.ts';
import { OUTCOMES } from './report-query.ts';

const text = z.string();
/** The time that a list covers: from `from` on, before `to`. */
const span = { from: time, to: time } as const;

export const MOVEMENT = z
  .strictObject({
    id: text,
    at: time,
    kind: z.enum(MOVEMENT_KINDS),
    currency,
    amount: amount.meta({ description: 'Less than zero when it went out.' }),
    balance_after: amount,
    source: text.meta({ description: 'The account of the books on the other side.' }),
    reason: text.nullable(),
    request_id: text.nullable(),
    fx_rate: text.nullable(),
    fx_price: amount.nullable(),
  })
  .meta({ id: 'Movement' });
export const MOVEMENT_PAGE = z.strictObject({ data: z.array(MOVEMENT), next, ...span });

export const MONTH = z
  .strictObject({
    month: text.meta({ description: 'UTC.', examples: ['2026-11'] }),
    currency,
    opening: amount,
    came_in: amount,
    went_out: amount.meta({ description: 'Zero, or below.' }),
    top_ups: amount,
    requests: amount.meta({ description: 'What they were charged, below zero; corrections too.' }),
    refunds: amount,
    exchanged: amount,
    adjusted: amount,
    closing: amount,
  })
  .meta({
    id: 'MonthlyStatement',
    description:
      '`opening` + `came_in` + `went_out` is `closing`, and so is `opening` with the five amounts between them.',
  });
export const MONTHS = z.strictObject({
  data: z.array(MONTH),
  next,
  is_whole: z
    .boolean()
    .meta({ description: 'False: not all movements are summed yet. Ask again; it goes on.' }),
});

export const REQUEST = z
  .strictObject({
    id: text,
    at: time.meta({ description: 'When it was settled.' }),
    started_at: time,
    endpoint: z.enum(['chat', 'messages', 'images']),
    model: text,
    channel_requested: text.nullable(),
    channel: text.meta({ examples: [...CHANNELS] }),
    key_id: text,
    outcome: z.enum(OUTCOMES),
    error_code: text.nullable(),
    finish_reason: text.nullable(),
    streamed: z.boolean(),
    estimated: z.boolean().meta({ description: 'The counts are ours: the upstream gave none.' }),
    input_tokens: count,
    cache_read_tokens: count,
    cache_write_5m_tokens: count,
    cache_write_1h_tokens: count,
    output_tokens: count,
    images: count,
    image_price: text.nullable(),
    currency,
    cost: amount.meta({ description: 'What was charged.' }),
    refunded: amount,
    loss: amount.meta({ description: 'What the wallet could not pay.' }),
    price_card: text,
    fx_rate: text.nullable(),
    first_byte_ms: millis.nullable(),
    duration_ms: millis,
  })
  .meta({ id: 'RequestRecord' });
export const REQUEST_PAGE = z.strictObject({ data: z.array(REQUEST), next, ...span });

export const HISTOGRAM = z
  .strictObject({
    data: z.array(z.strictObject({ at: time, requests: count, failed: count })),
    bucket: z.enum(['hour', 'day']).meta({ description: 'By the hour up to three days.' }),
    ...span,
  })
  .meta({ id: 'RequestHistogram' });

const ATTEMPT = z
  .strictObject({
    channel: text,
    upstream: text,
    model: text,
    result: text.meta({ description: 'Its status, or the code of the failure.' }),
    start_ms: millis.meta({ description: 'Since the request was admitted.' }),
    duration_ms: millis.meta({ description: 'Until its status line or its failure.' }),
  })
  .meta({ id: 'Attempt' });
export const ADMIN_REQUEST = REQUEST.extend({
  account_id: text,
  upstream: text,
  upstream_model: text,
  attempts: z.array(ATTEMPT),
}).meta({ id: 'AdminRequestRecord' });
export const ADMIN_REQUEST_PAGE = z.strictObject({
  data: z.array(ADMIN_REQUEST),
  next,
  ...span,
});

const COST_LINE = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('tokens'),
      bucket: z.enum(['input', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output']),
      count,
      rate_per_1m: amount,
      cost: amount,
    }),
    z.strictObject({
      kind: z.literal('images'),
      price_key: text,
      count,
      price_per_image: amount,
      cost: amount,
    }),
  ])
  .meta({
    id: 'CostLine',
    description: 'In the currency of the card: count times price, exactly.',
  });
const CONVERSION = z.strictObject({ id: text, from: currency, to: currency, rate: amount });

export const COST_DETAILS = z
  .strictObject({
    card: text,
    card_currency: currency,
    lines: z.array(COST_LINE),
    discounts: z.tuple([]).meta({ description: 'There are none.' }),
    cost_unrounded: amount.meta({ description: 'The sum of the lines.' }),
    conversion: CONVERSION.nullable(),
    rounding: text,
    currency,
    price: amount.meta({ description: 'The sum, converted and rounded once.' }),
    charge: amount,
    loss: amount,
    waived: amount.meta({ description: '`charge` + `loss` + `waived` is `price`.' }),
    refunded: amount,
  })
  .meta({ id: 'CostDetails' });

/** No upstream is named to a caller (service rule). */
const OWN_ATTEMPT = ATTEMPT.omit({ upstream: true, model: true }).meta({ id: 'OwnAttempt' });

export const ONE_REQUEST = z.strictObject({
  data: REQUEST.extend({
    cost_details: COST_DETAILS,
    held: amount.nullable().meta({
      description: 'What was set aside for it; what was not charged of it was released.',
    }),
    attempts: z.array(OWN_ATTEMPT).meta({ description: 'In order; the last one served, if any.' }),
  }).meta({ id: 'RequestDetails' }),
});
export const ONE_ADMIN_REQUEST = z.strictObject({
  data: ADMIN_REQUEST.extend({
    cost_details: COST_DETAILS,
    operator_cost: amount.nullable(),
    margin: amount.nullable(),
  }).meta({ id: 'AdminRequestDetails' }),
});

export const USAGE = z
  .strictObject({
    day: date.nullable(),
    model: text.nullable(),
    key_id: text.nullable(),
    channel: text.nullable(),
    currency,
    requests: count,
    incomplete: count,
    input_tokens: count,
    cache_read_tokens: count,
    cache_write_5m_tokens: count,
    cache_write_1h_tokens: count,
    output_tokens: count,
    images: count,
    charge: amount,
    loss: amount,
    cost_usd: amount.meta({ description: "The charge, converted at each request's own rate." }),
  })
  .meta({ id: 'UsageRow', description: 'Null in the dimensions that were not asked for.' });
export const ADMIN_USAGE = USAGE.extend({ account_id: text.nullable() }).meta({
  id: 'AdminUsageRow',
});

const usagePage = <Row extends z.ZodType, Dimension extends z.ZodType>(
  row: Row,
  dimension: Dimension,
) =>
  z.strictObject({
    data: z.array(row),
    next,
    total: z.array(row).meta({ description: 'One a currency, over all pages.' }),
    group_by: z.array(dimension),
    from: date,
    to: date,
  });
export const USAGE_PAGE = usagePage(USAGE, z.enum(['day', 'model', 'key', 'channel']));
export const ADMIN_USAGE_PAGE = usagePage(
  ADMIN_USAGE,
  z.enum(['day', 'account', 'model', 'key', 'channel']),
);

/** Later versions may add actions, so a client should not fail on one that it does not know. */
const AUDIT_ACTION = z
  .enum(AUDIT_ACTIONS)
  .meta({ id: 'AuditAction', description: 'More may be added.' });

export const AUDIT_ENTRY = z
  .strictObject({
    id: count,
    at: time,
    actor: text.meta({ description: '`admin`, `system`, or the id of a key or a person.' }),
    action: z.union([AUDIT_ACTION, text]),
    subject: text,
    detail: z.union([z.record(z.string(), z.unknown()), text]).meta({
      description:
        'What it was about; `before` and `after` are objects where there are such. An entry that somebody has spoilt is a text.',
    }),
    hash: text.meta({ description: 'What this entry adds to the chain, hexadecimal.' }),
  })
  .meta({ id: 'AuditEntry' });
export const AUDIT_PAGE = z.strictObject({
  data: z.array(AUDIT_ENTRY),
  next,
  ...span,
  chain: z
    .strictObject({ verified_up_to: count, ok: z.boolean(), first_broken_id: count.nullable() })
    .optional()
    .meta({ description: 'Only when `verify` is true.' }),
});
