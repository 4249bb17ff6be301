/** A model in the catalogue, described: what `catalogue-routes.ts` makes of it. */
import { z } from 'zod';
import { CHANNELS } from '../../catalogue/catalogue.ts';
import { perPrice } from '../../money/usage.ts';
import { CHAT_PARAMETERS } from '../../routing/supported-parameters.ts';
import { amount, count, currency, time } from '../edge/answer-schema.ts';

const text = z.string();
const price = amount.nullable();
const tokens = count.nullable();

const unlisted = ({ of, times }: { readonly of: string; readonly times: bigint }): string =>
  times === 1n
    ? `Null: such tokens are charged as ${of}.`
    : `Null: ${times} times the price of ${of}.`;

export const PRICE = z
  .strictObject({
    currency,
    unit: z.enum(['1M tokens', 'image']),
    ...perPrice(({ unlistedPrice }) =>
      unlistedPrice === null ? price : price.meta({ description: unlisted(unlistedPrice) }),
    ),
    per_image: z.record(text, amount).nullable().meta({
      description: 'By size, such as 1024x1024, or size and quality, such as 1024x1024/hd.',
    }),
  })
  .meta({ id: 'Price', description: 'Decimal strings; null where none is listed.' });

const HEALTH = z
  .strictObject({
    status: z.enum(['healthy', 'degraded', 'down']).meta({
      description: 'degraded: a part of what serves it is left alone. down: all of it.',
    }),
    success_rate: z.number().nullable().meta({
      description: '0 to 1; null where too little happened to tell.',
    }),
    first_byte_ms: z.strictObject({ p50: count, p95: count }).nullable(),
  })
  .meta({
    id: 'ChannelHealth',
    description: 'How the channel fared in the last five minutes.',
  });

const CHANNEL = z
  .strictObject({
    channel: z.enum(CHANNELS),
    default: z.boolean(),
    example: z.boolean().meta({ description: 'A price made up by the shipped configuration.' }),
    price_card: text,
    price: PRICE,
    supported_parameters: z.array(z.enum(CHAT_PARAMETERS)).meta({
      description:
        'Parameters of chat completions that make a difference here; others are accepted and not heeded, or refused with their name.',
    }),
    health: HEALTH.nullable().meta({ description: 'Null: nothing to tell.' }),
  })
  .meta({ id: 'ModelChannel' });

const SETTLEMENT_RATE = z
  .strictObject({
    id: text,
    rate: amount.meta({ description: 'How much of the settlement currency one USD is.' }),
  })
  .nullable()
  .meta({ description: 'Null: prices are in the settlement currency already.' });

/** One model with the fields of both protocols and our own beside them. */
export const MODEL = z
  .strictObject({
    id: text,
    object: z.literal('model'),
    type: z.literal('model'),
    created: z.int().meta({ description: 'Seconds since 1970; 0 where the day is not known.' }),
    created_at: time,
    owned_by: text,
    display_name: text,
    shutdown_date: text
      .nullable()
      .meta({ description: 'Of the OpenAI protocol; no model has one.' }),
    name: text,
    maker: text,
    kind: z.enum(['chat', 'image']),
    context_length: tokens,
    max_output_tokens: tokens,
    max_input_tokens: tokens,
    max_tokens: tokens,
    sizes: z.array(text).optional().meta({ description: 'Of image models.' }),
    max_images: count.optional().meta({ description: 'Of image models: in one request.' }),
    qualities: z
      .array(text)
      .optional()
      .meta({ description: 'Of image models; the first is the default.' }),
    styles: z
      .array(text)
      .optional()
      .meta({ description: 'Of image models; the first is the default.' }),
    input_modalities: z.array(text),
    output_modalities: z.array(text),
    release_date: text.nullable().meta({ description: 'YYYY/MM/DD' }),
    settlement: currency,
    settlement_rate: SETTLEMENT_RATE,
    channels: z.array(CHANNEL),
  })
  .meta({ id: 'Model' });

export const MODEL_LIST = z.strictObject({
  object: z.literal('list'),
  data: z.array(MODEL),
  has_more: z.boolean(),
  first_id: text.nullable(),
  last_id: text.nullable(),
});
