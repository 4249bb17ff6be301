/** The guaranteed fields of inference answers. The upstream's other fields are passed on too. */
import * as z from 'zod';
import { built } from '../../config/document/on-demand.ts';
import { count, currency } from '../edge/answer-schema.ts';

const text = built(() => z.string());
/** The cost of a request, next to its token counts. */
const COST = built(
  () =>
    ({
      cost: z.number().meta({
        description:
          'The charge in USD as a number, for display. `cost_exact` is the exact charge.',
      }),
      cost_exact: text().meta({
        description: 'The exact charge in `cost_currency`, as a decimal string.',
        examples: ['0.000123400'],
      }),
      cost_currency: currency,
      cost_estimated: z.literal(true).optional().meta({
        description:
          'Sent only if the provider reported no usage, so that the charged token counts are estimates.',
      }),
    }) as const,
);

export const CHAT_COMPLETION = built(() =>
  z
    .looseObject({
      id: text(),
      object: z.literal('chat.completion'),
      created: count.meta({ description: 'Seconds since 1970.' }),
      model: text(),
      choices: z.array(
        z.looseObject({
          index: count,
          message: z.looseObject({
            role: z.literal('assistant'),
            content: text().nullish(),
            tool_calls: z.array(z.looseObject({ id: text(), type: text() })).optional(),
          }),
          finish_reason: text().nullable(),
        }),
      ),
      usage: z.looseObject({
        prompt_tokens: count,
        completion_tokens: count,
        total_tokens: count,
        ...COST(),
      }),
    })
    .meta({ id: 'ChatCompletion' }),
);

export const MESSAGE = built(() =>
  z
    .looseObject({
      id: text(),
      type: z.literal('message'),
      role: z.literal('assistant'),
      model: text(),
      content: z.array(z.looseObject({ type: text() })),
      stop_reason: text().nullable(),
      usage: z.looseObject({ input_tokens: count, output_tokens: count, ...COST() }),
    })
    .meta({ id: 'Message' }),
);

export const RESPONSE = built(() =>
  z
    .looseObject({
      id: text(),
      object: z.literal('response'),
      created_at: count.meta({ description: 'Seconds since 1970.' }),
      status: z.enum(['completed', 'incomplete', 'failed']),
      model: text(),
      output: z.array(z.looseObject({ type: text() })),
      store: z.literal(false).meta({ description: 'Answers are never stored.' }),
      usage: z.looseObject({
        input_tokens: count,
        output_tokens: count,
        total_tokens: count,
        ...COST(),
      }),
    })
    .meta({ id: 'ResponseObject' }),
);

export const TOKEN_COUNT = built(() =>
  z
    .strictObject({
      input_tokens: count,
      context_management: z.strictObject({ original_input_tokens: count }).optional(),
    })
    .meta({ id: 'TokenCount' }),
);

export const INPUT_TOKENS = built(() =>
  z
    .strictObject({ object: z.literal('response.input_tokens'), input_tokens: count })
    .meta({ id: 'InputTokens' }),
);

export const EMBEDDINGS = built(() =>
  z
    .looseObject({
      object: z.literal('list'),
      data: z.array(
        z.looseObject({
          object: z.literal('embedding'),
          index: count,
          embedding: z
            .union([z.array(z.number()), text()])
            .meta({ description: 'Numbers, or base64 of little-endian 32-bit floats.' }),
        }),
      ),
      model: text(),
      usage: z.looseObject({ prompt_tokens: count, total_tokens: count, ...COST() }),
    })
    .meta({ id: 'Embeddings' }),
);

const tokenPriced = built(() =>
  text().optional().meta({
    description:
      'The value of this setting with which the images were made; sent only for models that are priced per token, and not if it is `auto`.',
  }),
);

export const IMAGES = built(() =>
  z
    .strictObject({
      created: count.meta({ description: 'Seconds since 1970.' }),
      data: z.array(
        z.strictObject({
          url: text().optional().meta({ description: 'The temporary URL of the file.' }),
          b64_json: text().optional().meta({ description: 'The file in base64.' }),
          revised_prompt: text().optional(),
        }),
      ),
      size: tokenPriced(),
      output_format: tokenPriced(),
      quality: tokenPriced(),
      background: tokenPriced(),
      usage: z
        .looseObject({ input_tokens: count, output_tokens: count, total_tokens: count, ...COST() })
        .optional()
        .meta({ description: 'The charged tokens, for models that are priced per token.' }),
    })
    .meta({ id: 'Images' }),
);
