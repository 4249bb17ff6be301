/**
 * The schema of a Responses request, for validation and `/openapi.json`. It accepts unknown fields,
 * items and parts; only an invalid value of a known field is an error.
 */
import * as z from 'zod';
import { built } from '../../config/document/on-demand.ts';
import { REASONING_EFFORTS, toolChoice } from '../chat/schema.ts';
import {
  flagOrNull,
  integer,
  MAX_MESSAGES,
  maxEntries,
  must,
  numberOrNull,
  object,
  objectOrNull,
  oneOf,
  providerOption,
  text,
  textOrNull,
} from '../validation.ts';

/** These two limits are those of the public protocol. */
const MAX_TOP_LOGPROBS = 20;
const MAX_METADATA_PAIRS = 16;
/** These four limits are set by the gateway. They are higher than any client needs. */
const MAX_TOOLS = 2048;
const MAX_INCLUDED = 64;
const MAX_CONTEXT_EDITS = 64;
const MAX_PARTS = 10_000;

/** The maximum number of entries of each list or map that the schema validates. */
export const REQUEST_ENTRIES = maxEntries(
  {
    context_management: MAX_CONTEXT_EDITS,
    include: MAX_INCLUDED,
    input: MAX_MESSAGES,
    metadata: MAX_METADATA_PAIRS,
    tools: MAX_TOOLS,
  },
  [
    ...['client_metadata', 'image', 'prompt_cache_options', 'provider', 'reasoning'],
    ...['stream_options', 'text', 'tool_choice'],
  ],
);
export const ITEM_ENTRIES = maxEntries({
  content: MAX_PARTS,
  output: MAX_PARTS,
  summary: MAX_PARTS,
  tools: MAX_TOOLS,
});
export const TOOL_ENTRIES = maxEntries({ tools: MAX_TOOLS }, ['format', 'parameters']);
export const ALLOWED_ENTRIES = maxEntries({ tools: MAX_TOOLS });

const count = built(() =>
  integer(1, Number.MAX_SAFE_INTEGER, 'a whole number, at least 1, or null').nullish(),
);

/** The members of every content part. */
export const anyPart = built(() =>
  object(
    { type: text("a part type such as 'input_text'") },
    'a content part: an object with a type',
  ),
);
const textPart = <const Type extends string>(type: Type) =>
  object({ type: z.literal(type), text: text() });
/** Part types that the gateway reads. Other part types count as media of unknown size. */
const PARTS = built(
  () =>
    ({
      input_text: textPart('input_text'),
      output_text: textPart('output_text'),
      refusal: object({ type: z.literal('refusal'), refusal: text() }),
      input_image: object({
        type: z.literal('input_image'),
        image_url: text('an https URL or a data URL').nullish(),
        file_id: textOrNull(),
        detail: textOrNull(),
      }),
      input_file: object({
        type: z.literal('input_file'),
        file_data: text('a data URL').nullish(),
        file_url: text('an https URL').nullish(),
        file_id: textOrNull(),
        filename: textOrNull(),
      }),
      input_audio: object({
        type: z.literal('input_audio'),
        input_audio: object({ data: text('base64 text'), format: text("'wav' or 'mp3'") }),
      }),
    }) as const,
);
export const partSchemas: () => ReadonlyMap<string, z.ZodType> = built(
  () => new Map(Object.entries(PARTS())),
);

const item = <const Type extends string, Shape extends z.core.$ZodLooseShape>(
  type: Type,
  shape: Shape,
) => object({ type: z.literal(type), id: textOrNull(), ...shape });
const callId = built(() => text('the id of the call'));
const list = (be: string) => z.array(z.unknown(), must(be));
const tools = built(() => list('an array of tools'));
const message = built(() =>
  object(
    {
      type: z.literal('message').nullish(),
      id: textOrNull(),
      role: oneOf(['user', 'assistant', 'system', 'developer']),
    },
    'an item such as a message: an object with role and content',
  ),
);
/** Input items that the gateway reads, by `type`. A message may lack its type. */
const ITEMS = built(
  () =>
    ({
      message: message(),
      function_call: item('function_call', {
        call_id: callId(),
        name: text('the name of the function'),
        namespace: textOrNull(),
        arguments: text('a string that holds JSON'),
      }),
      function_call_output: item('function_call_output', { call_id: callId() }),
      custom_tool_call: item('custom_tool_call', {
        call_id: callId(),
        name: text('the name of the tool'),
        namespace: textOrNull(),
        input: text(),
      }),
      custom_tool_call_output: item('custom_tool_call_output', { call_id: callId() }),
      reasoning: item('reasoning', {
        summary: list('an array of summary parts').nullish(),
        content: list('an array of text parts, or null').nullish(),
        encrypted_content: textOrNull(),
      }),
      compaction: item('compaction', { encrypted_content: text('the content as it was returned') }),
      additional_tools: item('additional_tools', { tools: tools() }),
      tool_search_output: item('tool_search_output', { tools: tools() }),
    }) as const,
);
export const itemSchemas: () => ReadonlyMap<string, z.ZodType> = built(
  () => new Map(Object.entries(ITEMS())),
);
/** The members of an item whose type is not in `itemSchemas`. */
export const anyItem = built(() =>
  object({ type: text("an item type such as 'message'") }, 'an input item'),
);

export const anyTool = built(() =>
  object({ type: text("a tool type such as 'function'") }, 'a tool object'),
);
const functionTool = built(() =>
  object({
    type: z.literal('function'),
    name: text('the name of the function').min(1, { error: 'must not be empty' }),
    description: textOrNull(),
    parameters: object({}, 'a JSON schema object').nullish(),
    strict: flagOrNull(),
  }),
);
const customTool = built(() =>
  object({
    type: z.literal('custom'),
    name: text('the name of the tool').min(1, { error: 'must not be empty' }),
    description: textOrNull(),
    format: object({ type: text("'text' or 'grammar'") }).nullish(),
  }),
);
const namespace = built(() =>
  object({
    type: z.literal('namespace'),
    name: text('the name of the namespace').min(1, { error: 'must not be empty' }),
    description: textOrNull(),
    tools: tools(),
  }),
);
/**
 * Schemas of the tools that the caller runs. Of the provider's own tools, only the type is read.
 */
export const toolSchemas: () => ReadonlyMap<string, z.ZodType> = built(
  () =>
    new Map<string, z.ZodType>([
      ['function', functionTool()],
      ['custom', customTool()],
      ['namespace', namespace()],
    ]),
);

const named = built(() => text('the name of a tool'));
/** The required members of each kind of `tool_choice` object. */
export const toolChoiceSchemas: () => ReadonlyMap<string, z.ZodType> = built(
  () =>
    new Map<string, z.ZodType>([
      ['function', object({ type: z.literal('function'), name: named() })],
      ['custom', object({ type: z.literal('custom'), name: named() })],
      [
        'allowed_tools',
        object({
          type: z.literal('allowed_tools'),
          mode: oneOf(['auto', 'required']),
          tools: z.array(object({}), must('an array of tools')),
        }),
      ],
    ]),
);

const textFormat = built(() =>
  object(
    {
      type: oneOf(['text', 'json_object', 'json_schema']),
      name: textOrNull(),
      schema: object({}, 'a JSON schema object').nullish(),
      strict: flagOrNull(),
    },
    'an object with a type',
  ).nullish(),
);

export const responsesSchema = built(() =>
  object({
    model: text('the id of a chat model, such as "gen-v4-pro"')
      .min(1, { error: 'must not be empty' })
      .describe('Id of a chat model from the catalogue.'),
    input: z
      .union(
        [z.string(), z.array(z.unknown()).min(1, { error: 'must hold at least one item' })],
        must('a string or an array of items'),
      )
      .describe('The whole conversation, because the gateway stores nothing.'),
    instructions: textOrNull(),
    stream: flagOrNull().describe('If true, the answer is an event stream, otherwise JSON.'),
    stream_options: object({ include_obfuscation: flagOrNull() }, 'an object or null').nullish(),
    max_output_tokens: count().describe(
      'Maximum number of tokens of the answer, reasoning included.',
    ),
    max_tool_calls: count().describe("Maximum number of calls of the provider's own tools."),
    temperature: numberOrNull(0, 2),
    top_p: numberOrNull(0, 1),
    top_logprobs: integer(
      0,
      MAX_TOP_LOGPROBS,
      `a whole number from 0 to ${MAX_TOP_LOGPROBS}`,
    ).nullish(),
    tools: tools().nullish(),
    tool_choice: toolChoice(),
    parallel_tool_calls: flagOrNull(),
    reasoning: object(
      {
        effort: oneOf(REASONING_EFFORTS).nullish(),
        summary: textOrNull(),
        generate_summary: textOrNull(),
        mode: textOrNull(),
      },
      'an object or null',
    ).nullish(),
    text: object(
      { format: textFormat(), verbosity: oneOf(['low', 'medium', 'high']).nullish() },
      'an object or null',
    ).nullish(),
    include: z.array(text(), must('an array of strings, or null')).nullish(),
    truncation: textOrNull(),
    store: flagOrNull().describe(
      'Answers are never stored, whatever the value; each answer has "store": false.',
    ),
    background: flagOrNull(),
    previous_response_id: textOrNull(),
    context_management: z.array(object({}), must('an array of objects, or null')).nullish(),
    metadata: z.record(z.string(), text(), must('a map of strings, or null')).nullish(),
    client_metadata: objectOrNull(),
    prompt_cache_key: textOrNull(),
    prompt_cache_options: objectOrNull(),
    prompt_cache_retention: textOrNull(),
    safety_identifier: textOrNull(),
    service_tier: textOrNull(),
    user: textOrNull(),
    provider: providerOption(),
  }),
);

const content = built(() =>
  z.union([z.string(), z.array(z.union([...Object.values(PARTS()), anyPart()]))]),
);
const others = built(() => {
  const { message: _, ...rest } = ITEMS();
  return rest;
});

/** `responsesSchema` with the schemas of items and tools filled in, for `/openapi.json`. */
export const responsesDocument = built(() =>
  responsesSchema().extend({
    input: z.union([
      z.string(),
      z.array(
        z.union([message().extend({ content: content() }), ...Object.values(others()), anyItem()]),
      ),
    ]),
    tools: z.array(z.union([functionTool(), customTool(), namespace(), anyTool()])).nullish(),
  }),
);
