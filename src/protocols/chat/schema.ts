/**
 * The schema of a chat request, for validation and for `/openapi.json`. It accepts unknown fields
 * and part types, because `request-fields.ts` decides about them. It refuses only invalid values of
 * known fields.
 */
import * as z from 'zod';
import { built } from '../../config/document/on-demand.ts';
import { isJsonObject } from '../../json/object.ts';
import {
  flagOrNull,
  integer,
  MAX_MESSAGES,
  maxEntries,
  must,
  numberOrNull,
  object,
  oneOf,
  providerOption,
  text,
  textOrNull,
} from '../validation.ts';

export const REASONING_EFFORTS = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const;

/** The next five limits are those of OpenAI's protocol. */
const MAX_CHOICES = 128;
const MAX_STOP_SEQUENCES = 4;
const MAX_TOP_LOGPROBS = 20;
const MAX_METADATA_PAIRS = 16;
const MAX_FUNCTIONS = 128;
/**
 * The next four limits are the gateway's own. They are higher than those that any server documents.
 */
const MAX_BIASES = 1024;
const MAX_MODALITIES = 8;
const MAX_TOOLS = 2048;
const MAX_CALLS = 1024;

/** The maximum number of entries in each list and map that the schema validates. */
export const REQUEST_ENTRIES = maxEntries(
  {
    functions: MAX_FUNCTIONS,
    logit_bias: MAX_BIASES,
    messages: MAX_MESSAGES,
    metadata: MAX_METADATA_PAIRS,
    modalities: MAX_MODALITIES,
    stop: MAX_STOP_SEQUENCES,
    tools: MAX_TOOLS,
  },
  [
    ...['audio', 'function_call', 'moderation', 'prediction', 'prompt_cache_options'],
    ...['provider', 'response_format', 'stream_options', 'tool_choice', 'web_search_options'],
  ],
);
export const MESSAGE_ENTRIES = maxEntries({ tool_calls: MAX_CALLS });
export const ALLOWED_ENTRIES = maxEntries({ tools: MAX_CALLS });
export const TOOL_ENTRIES = maxEntries({}, ['function', 'custom', 'parameters']);
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const tokens = built(() =>
  integer(1, Number.MAX_SAFE_INTEGER, 'a whole number of tokens, at least 1, or null').nullish(),
);

/** The members that a content part of any type has. */
export const anyPart = built(() =>
  object({ type: text("a part type such as 'text' or 'image_url'") }),
);

/** The part types that the gateway reads. For all other types, the field rules decide. */
const PARTS = built(
  () =>
    ({
      text: object({ type: z.literal('text'), text: text() }),
      image_url: object({
        type: z.literal('image_url'),
        image_url: object({ url: text('an https URL or a data URL') }, 'an object with a url'),
      }),
      file: object({
        type: z.literal('file'),
        file: object(
          {
            file_data: text('a data URL').nullish(),
            filename: text().nullish(),
            file_id: text().nullish(),
          },
          'an object with file_data',
        ),
      }),
      input_audio: object({
        type: z.literal('input_audio'),
        input_audio: object({ data: text('base64 text'), format: text("'wav' or 'mp3'") }),
      }),
      video_url: object({
        type: z.literal('video_url'),
        video_url: object({ url: text('an https URL or a data URL') }, 'an object with a url'),
      }),
      refusal: object({ type: z.literal('refusal'), refusal: text() }),
    }) as const,
);
export const partSchemas: () => ReadonlyMap<string, z.ZodType> = built(
  () => new Map(Object.entries(PARTS())),
);

const toolCall = built(() =>
  object({
    id: text(),
    type: text().nullish(),
    function: object({ name: text(), arguments: text('a string that holds JSON') }).nullish(),
  }),
);

/** The members of a message of any role. `request.ts` validates the content. */
export const message = built(() =>
  object(
    {
      role: oneOf(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
      name: textOrNull(),
      tool_call_id: text().nullish(),
      tool_calls: z.array(toolCall(), must('an array of tool calls, or null')).nullish(),
    },
    'a message: an object with role and content',
  ),
);

type Message = z.output<ReturnType<typeof message>>;
const roles = built((): ReadonlySet<unknown> => new Set(message().shape.role.options));

/**
 * Whether a value is a plain message. If so, validation is skipped, because the schema would accept
 * the value unchanged, but more slowly.
 */
export const isPlainMessage = (value: unknown): value is Message =>
  isJsonObject(value) &&
  roles().has(value['role']) &&
  (value['name'] ?? null) === null &&
  isTextOrNone(value['tool_call_id']) &&
  (value['tool_calls'] === undefined ||
    (Array.isArray(value['tool_calls']) && value['tool_calls'].every(isPlainCall)));

const isTextOrNone = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'string';

function isPlainCall(call: unknown): boolean {
  if (!isJsonObject(call) || typeof call['id'] !== 'string') return false;
  const { type, function: called } = call;
  return (
    isTextOrNone(type) &&
    isJsonObject(called) &&
    typeof called['name'] === 'string' &&
    typeof called['arguments'] === 'string'
  );
}

/**
 * Whether a value is a text part, the most frequent part. If so, validation is skipped, because the
 * schema would accept the value unchanged.
 */
export const isTextPart = (value: unknown): value is z.output<ReturnType<typeof PARTS>['text']> =>
  isJsonObject(value) && value['type'] === 'text' && typeof value['text'] === 'string';

const functionDefinition = built(() =>
  object({
    name: text('the name of the function').regex(TOOL_NAME, {
      error: 'must be 1 to 64 letters, digits, "_" or "-"',
    }),
    description: text().nullish(),
    parameters: object({}, 'a JSON schema object').nullish(),
    strict: flagOrNull(),
  }),
);

export const anyTool = built(() =>
  object({ type: text("'function' or 'custom'") }, 'a tool object'),
);
export const functionTool = built(() =>
  object({ type: z.literal('function'), function: functionDefinition() }),
);
export const customTool = built(() =>
  object({
    type: z.literal('custom'),
    custom: object({ name: text() }, 'an object with the name of the tool'),
  }),
);

const jsonSchemaFormat = built(() =>
  object(
    {
      name: text('a name for the schema').regex(TOOL_NAME, {
        error: 'must be 1 to 64 letters, digits, "_" or "-"',
      }),
      schema: object({}, 'a JSON schema object').nullish(),
      strict: flagOrNull(),
    },
    'an object with name and schema',
  ),
);

const responseFormat = built(() =>
  object(
    {
      type: oneOf(['text', 'json_object', 'json_schema']),
      json_schema: jsonSchemaFormat().optional(),
    },
    'an object with a type',
  ).nullish(),
);

const named = built(() =>
  object({ name: text('the name of a tool') }, 'an object with the name of a tool'),
);
/**
 * The required members of each type of `tool_choice` object. Objects of other types are not
 * validated.
 */
const TOOL_CHOICES = built(
  () =>
    ({
      function: object({ type: z.literal('function'), function: named() }),
      custom: object({ type: z.literal('custom'), custom: named() }),
      allowed_tools: object({
        type: z.literal('allowed_tools'),
        allowed_tools: object({
          mode: oneOf(['auto', 'required']),
          tools: z.array(object({}), must('an array of tools')),
        }),
      }),
    }) as const,
);
export const toolChoiceSchemas: () => ReadonlyMap<string, z.ZodType> = built(
  () => new Map(Object.entries(TOOL_CHOICES())),
);

const TOOL_CHOICE = '"none", "auto", "required" or an object that names a tool';
export const toolChoice = built(() =>
  z
    .union(
      [z.enum(['none', 'auto', 'required']), object({ type: text("'function' or 'custom'") })],
      { error: `must be ${TOOL_CHOICE}` },
    )
    .nullish(),
);

const stop = built(() =>
  z
    .union([z.string(), z.array(text()).max(MAX_STOP_SEQUENCES)], {
      error: `must be a string or an array of at most ${MAX_STOP_SEQUENCES} strings`,
    })
    .nullish(),
);

export const chatSchema = built(() =>
  object({
    model: text('the id of a chat model, such as "gen-v4-pro"')
      .min(1, { error: 'must not be empty' })
      .describe('Id of a chat model from the catalogue.'),
    messages: z
      .array(z.unknown(), must('an array of messages'))
      .min(1, { error: 'must hold at least one message' }),
    stream: flagOrNull().describe(
      'true: the answer is an event stream. false or null: it is JSON. If omitted, it is a ' +
        'stream for callers that accept text/event-stream and for command-line tools, else JSON.',
    ),
    stream_options: object(
      { include_usage: flagOrNull(), include_obfuscation: flagOrNull() },
      'an object or null',
    ).nullish(),
    max_completion_tokens: tokens().describe(
      'Maximum number of tokens of each choice, reasoning included.',
    ),
    max_tokens: tokens().describe(
      'Older name of `max_completion_tokens`. Ignored if both are sent.',
    ),
    n: integer(1, MAX_CHOICES, `a whole number from 1 to ${MAX_CHOICES}, or null`).nullish(),
    temperature: numberOrNull(0, 2),
    top_p: numberOrNull(0, 1),
    presence_penalty: numberOrNull(-2, 2),
    frequency_penalty: numberOrNull(-2, 2),
    logit_bias: z
      .record(z.string(), z.number(must('a number')), must('a map from token ids to numbers'))
      .nullish(),
    logprobs: flagOrNull(),
    top_logprobs: integer(
      0,
      MAX_TOP_LOGPROBS,
      `a whole number from 0 to ${MAX_TOP_LOGPROBS}`,
    ).nullish(),
    // A seed can have 64 bits, too many for a JavaScript number. The upstream gets the seed's
    // original text.
    seed: z
      .number(must('a whole number or null'))
      .refine(Number.isInteger, must('a whole number or null'))
      .nullish(),
    stop: stop(),
    tools: z.array(z.unknown(), must('an array of tools')).nullish(),
    tool_choice: toolChoice(),
    parallel_tool_calls: flagOrNull(),
    functions: z.array(functionDefinition(), must('an array of functions')).nullish(),
    function_call: z
      .union([z.string(), object({ name: text('the name of a function') })], {
        error: 'must be "none", "auto" or an object that names a function',
      })
      .nullish(),
    response_format: responseFormat(),
    reasoning_effort: oneOf(REASONING_EFFORTS).nullish(),
    verbosity: oneOf(['low', 'medium', 'high']).nullish(),
    service_tier: textOrNull(),
    metadata: z
      .record(z.string(), text(), must('a map of strings, or null'))
      .refine((map) => Object.keys(map).length <= MAX_METADATA_PAIRS, {
        error: `must hold at most ${MAX_METADATA_PAIRS} pairs`,
      })
      .nullish(),
    store: flagOrNull(),
    user: textOrNull(),
    safety_identifier: textOrNull(),
    prompt_cache_key: textOrNull(),
    prompt_cache_options: object({}).nullish(),
    prompt_cache_retention: textOrNull(),
    audio: object({}).nullish(),
    prediction: object({}).nullish(),
    moderation: object({}).nullish(),
    web_search_options: object({}).nullish(),
    modalities: z.array(text(), must('an array of modalities')).nullish(),
    provider: providerOption(),
  }),
);

/** `chatSchema` with the schemas of messages and tools included, for `/openapi.json`. */
export const chatDocument = built(() =>
  chatSchema().extend({
    messages: z
      .array(
        message().extend({
          content: z
            .union([z.string(), z.array(z.union([...Object.values(PARTS()), anyPart()]))])
            .nullish(),
        }),
      )
      .min(1),
    tools: z.array(z.union([functionTool(), customTool()])).nullish(),
    tool_choice: z
      .union([z.enum(['none', 'auto', 'required']), ...Object.values(TOOL_CHOICES())])
      .nullish(),
  }),
);
