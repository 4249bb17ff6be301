/** What `/openapi.json` says of a model in the catalogue. */

const text = { type: 'string' } as const;
const nullableText = { type: ['string', 'null'] } as const;
const wholeNumber = { type: ['integer', 'null'] } as const;

const PRICE = {
  type: 'object',
  description: 'Decimal strings; null where none is listed.',
  properties: {
    currency: text,
    unit: { enum: ['1M tokens', 'image'] },
    input: nullableText,
    output: nullableText,
    cache_read: nullableText,
    cache_write: nullableText,
    cache_write_1h: nullableText,
    per_image: {
      type: ['object', 'null'],
      description: 'By size, such as 1024x1024, or size and quality, such as 1024x1024/hd.',
      additionalProperties: text,
    },
  },
} as const;

const HEALTH = {
  type: ['object', 'null'],
  description: 'How the channel fared in the last five minutes; null: nothing to tell.',
  properties: {
    status: {
      enum: ['healthy', 'degraded', 'down'],
      description: 'degraded: a part of what serves it is left alone. down: all of it.',
    },
    success_rate: {
      type: ['number', 'null'],
      description: '0 to 1; null where too little happened to tell.',
    },
    first_byte_ms: {
      type: ['object', 'null'],
      properties: { p50: { type: 'integer' }, p95: { type: 'integer' } },
    },
  },
} as const;

export const MODEL_SCHEMA = {
  type: 'object',
  properties: {
    id: text,
    name: text,
    maker: text,
    kind: { enum: ['chat', 'image'] },
    context_length: wholeNumber,
    max_output_tokens: wholeNumber,
    input_modalities: { type: 'array', items: text },
    output_modalities: { type: 'array', items: text },
    release_date: { ...nullableText, description: 'YYYY/MM/DD' },
    settlement: { enum: ['USD', 'CNY'] },
    channels: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          channel: { enum: ['direct', 'stable', 'economical'] },
          default: { type: 'boolean' },
          example: {
            type: 'boolean',
            description: 'A price made up by the shipped configuration.',
          },
          price_card: text,
          price: PRICE,
          health: HEALTH,
        },
      },
    },
  },
} as const;

export const MODEL_LIST_SCHEMA = {
  type: 'object',
  properties: {
    object: { const: 'list' },
    data: { type: 'array', items: MODEL_SCHEMA },
    has_more: { type: 'boolean' },
    first_id: nullableText,
    last_id: nullableText,
  },
} as const;
