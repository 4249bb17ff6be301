/** Schemas of the catalogue's answers. */
import * as z from 'zod';
import { CHANNELS } from '../../catalogue/catalogue.ts';
import { built } from '../../config/document/on-demand.ts';
import { FEE_UNITS } from '../../money/served.ts';
import { PRICE_ROWS, perPrice } from '../../money/usage.ts';
import { PARAMETERS } from '../../routing/supported-parameters.ts';
import { amount, count, currency, time } from '../edge/answer-schema.ts';
import { HEALTH } from './channel-health-body.ts';

const text = built(() => z.string());
const price = built(() => amount.nullable());
const tokens = built(() => count.nullable());
const imageOptions = built(() =>
  z
    .array(text())
    .optional()
    .meta({ description: 'For image models: the accepted values, the default first.' }),
);

const unlisted = ({ of, times }: { readonly of: string; readonly times: bigint }): string =>
  times === 1n
    ? `The price of these tokens; null: they are charged at the price of ${of}, unless \`not_sold\` names them.`
    : `The price of these tokens; null: ${times} times the price of ${of}, unless \`not_sold\` names them.`;

export const PRICE = built(() =>
  z
    .strictObject({
      currency,
      unit: z.enum(['1M tokens', 'image']),
      ...perPrice(({ unlistedPrice }) =>
        unlistedPrice === null ? price() : price().meta({ description: unlisted(unlistedPrice) }),
      ),
      not_sold: z.array(z.enum(PRICE_ROWS.map(({ price: key }) => key))).meta({
        description: 'The prices that the card does not have because it does not sell the tokens.',
      }),
      per_image: z.record(text(), amount).nullable().meta({
        description:
          'Prices per image, by size, such as 1024x1024, or size and quality, such as 1024x1024/hd.',
      }),
    })
    .meta({
      id: 'Price',
      description: 'Prices, as decimal strings. Null: the price card has no such price.',
    }),
);

const when = built(() =>
  text().meta({
    description: 'The conditions as text. All of them must be met; empty: no condition.',
    examples: ['tier: priority, prompt_over: 272000'],
  }),
);
const anyOf = built(() =>
  z
    .array(text())
    .nullable()
    .meta({ description: 'Requires one of these values; null: no condition.' }),
);
const conditions = built(() =>
  z
    .strictObject({
      tier: anyOf(),
      speed: anyOf(),
      geo: anyOf(),
      size: anyOf(),
      quality: anyOf(),
      prompt_over: tokens(),
      prompt_from: tokens(),
      time: text()
        .nullable()
        .meta({ description: 'The times at which the price applies, as text; null: at any time.' }),
    })
    .meta({ id: 'PriceConditions', description: 'The conditions in `when`, as separate fields.' }),
);
/** The conditions, other than token counts, that a price depends on. */
export const PRICE_TERMS = built(() =>
  z
    .strictObject({
      rows: z
        .array(
          z.strictObject({
            when: when(),
            conditions: conditions(),
            sold: z
              .boolean()
              .meta({ description: 'Whether requests that meet these conditions are served.' }),
            ...perPrice(() => price()),
          }),
        )
        .meta({
          description:
            'Prices under conditions. The last row whose conditions are met is charged; if no row applies, `price` is charged.',
        }),
      times: z
        .array(
          z.strictObject({
            when: when(),
            conditions: conditions(),
            of: z.enum(['tokens', 'fees']),
            multiple: amount,
          }),
        )
        .meta({
          description:
            'Multipliers: each `multiple` whose conditions are met multiplies the prices named in `of`.',
        }),
      fees: z
        .array(z.strictObject({ unit: z.enum(FEE_UNITS), fee: amount }))
        .meta({ description: 'The fee for each unit, such as one web search or one request.' }),
      accepts: z
        .strictObject({
          tier: z.array(text()),
          speed: z.array(text()),
          geo: z.array(text()),
          tools: z.array(z.enum(FEE_UNITS)),
        })
        .meta({ description: 'The tiers, speeds, regions and tools that a request may ask for.' }),
      offers: z
        .strictObject({
          tier: z.array(text()),
          speed: z.array(text()),
          geo: z.array(text()),
          size: z.array(text()),
          quality: z.array(text()),
        })
        .meta({
          description:
            'The values that price conditions can name. The first value of each list is the default.',
        }),
      time_zone: text().meta({
        description: 'The time zone in which the time conditions of prices are evaluated.',
      }),
    })
    .meta({ id: 'PriceTerms' }),
);

/** Announced prices, in the order in which they take effect. */
export const UPCOMING = built(() =>
  z
    .array(
      z
        .strictObject({
          effective_from: time.meta({
            description: 'Requests that are admitted from this time on are charged at this price.',
          }),
          price_card: text(),
          price: PRICE(),
          price_terms: PRICE_TERMS().nullable().meta({
            description:
              'Conditions and fees; null: the price has neither, only one rate for each usage bucket.',
          }),
        })
        .meta({ id: 'UpcomingPrice' }),
    )
    .meta({ description: 'Announced prices, in the order in which they take effect.' }),
);

const CHANNEL = built(() =>
  z
    .strictObject({
      channel: z.enum(CHANNELS),
      default: z.boolean(),
      example: z
        .boolean()
        .meta({ description: 'Whether the configuration marks the price as an example.' }),
      price_card: text(),
      price: PRICE(),
      price_terms: PRICE_TERMS().nullable().meta({
        description:
          'Conditions and fees; null: the price has neither, only one rate for each usage bucket.',
      }),
      upcoming: UPCOMING(),
      supported_parameters: z.array(z.enum(PARAMETERS)).meta({
        description:
          'The parameters that the channel honors: those of chat completions, and `speed` and `inference_geo` of Messages. Other parameters are ignored, or refused with an error that names them. A parameter that changes the price is listed only if the price card has a price for it.',
      }),
      health: HEALTH(),
    })
    .meta({ id: 'ModelChannel' }),
);

const SETTLEMENT_RATE = built(() =>
  z
    .strictObject({
      id: text(),
      rate: amount.meta({
        description: 'The amount of the settlement currency that one USD buys.',
      }),
    })
    .nullable()
    .meta({
      description:
        'The exchange rate to the settlement currency; null: the prices are in the settlement currency.',
    }),
);

const same = (value: string) => ({
  description: `A field of the Messages protocol that is always ${value} here.`,
});
/** The model fields that the Messages protocol requires and for which the catalogue has no data. */
const MESSAGES_FIELDS = built(
  () =>
    ({
      lifecycle: z.literal('active').meta(same('`active`')),
      line: text().nullable().meta(same('null')),
      deprecated_at: text().nullable().meta(same('null')),
      retires_at: text().nullable().meta(same('null')),
      capabilities: z.looseObject({}).nullable().meta(same('null')),
      allowed_fallback_models: z.array(text()).meta(same('empty')),
    }) as const,
);

/** A model, with OpenAI's, Anthropic's and the gateway's own fields. */
export const MODEL = built(() =>
  z
    .strictObject({
      id: text(),
      object: z.literal('model'),
      type: z.literal('model'),
      created: z.int().meta({
        description:
          'The release time in seconds since 1970. If the release date is unknown, the day on which the gateway loaded the catalogue.',
      }),
      created_at: time,
      owned_by: text(),
      display_name: text(),
      shutdown_date: text()
        .nullable()
        .meta({ description: 'A field of the OpenAI protocol that is always null here.' }),
      ...MESSAGES_FIELDS(),
      name: text(),
      maker: text(),
      kind: z.enum(['chat', 'image', 'embedding']),
      description: text()
        .nullable()
        .meta({ description: 'What the model is good at; null: no description.' }),
      description_zh: text()
        .nullable()
        .meta({ description: 'What the model is good at, in Chinese; null: no description.' }),
      tags: z.array(text()).meta({ description: 'Words to filter models by, such as `code`.' }),
      context_length: tokens(),
      max_output_tokens: tokens(),
      max_input_tokens: tokens(),
      max_tokens: tokens(),
      sizes: z.array(text()).optional().meta({ description: 'For image models: the sizes.' }),
      max_images: count
        .optional()
        .meta({ description: 'For image models: the maximum number of images per request.' }),
      qualities: imageOptions(),
      image_tokens: z.record(text(), count).optional().meta({
        description:
          'For image models with prices per token: the maximum output tokens of an image, by size, or size and quality.',
      }),
      styles: imageOptions(),
      backgrounds: imageOptions(),
      moderations: imageOptions(),
      output_formats: imageOptions(),
      max_partial_images: count.nullable().optional().meta({
        description:
          'For image models: the maximum number of partial images in a stream; null: the model does not stream.',
      }),
      max_input_images: count.optional().meta({
        description:
          'For image models: the maximum number of images in an edit request; 0: the model does not edit images.',
      }),
      max_inputs: count
        .optional()
        .meta({ description: 'For embedding models: the maximum number of inputs per request.' }),
      max_total_tokens: count.optional().meta({
        description:
          'For embedding models: the maximum total number of tokens in all inputs of a request.',
      }),
      dimensions: count
        .optional()
        .meta({ description: 'For embedding models: the number of dimensions of an embedding.' }),
      min_dimensions: tokens().optional().meta({
        description:
          'For embedding models: the smallest value of `dimensions` that a request may set; null: requests cannot change the number.',
      }),
      input_modalities: z.array(text()),
      output_modalities: z.array(text()),
      release_date: text()
        .nullable()
        .meta({ description: 'The release date as YYYY/MM/DD; null: unknown.' }),
      settlement: currency,
      settlement_rate: SETTLEMENT_RATE(),
      channels: z.array(CHANNEL()),
    })
    .meta({ id: 'Model' }),
);

export const MODEL_LIST = built(() =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(MODEL()),
    has_more: z.boolean(),
    first_id: text().nullable(),
    last_id: text().nullable(),
    models: z
      .array(
        z.union([
          z.looseObject({ slug: text(), base_instructions: text() }),
          z.looseObject({
            name: text().meta({ description: '`models/` and the id of the model.' }),
            displayName: text().meta({ description: 'The name of the model.' }),
          }),
        ]),
      )
      .optional()
      .meta({
        description:
          'The chat models in the form that Codex reads, if the query has `client_version`; in the form of the Gemini API, if the key is sent as `x-goog-api-key`.',
      }),
  }),
);
