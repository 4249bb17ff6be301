/**
 * Generates chat requests, and reduces requests to their meaning, so that requests with the same
 * meaning but different structure are equal.
 */
import fc from 'fast-check';
import { asJsonObject, asString, type JsonObject } from '../json/object.ts';

const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((text) => text.trim() !== '');
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 40 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));

const part = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  fc.tuple(fc.constantFrom('png', 'jpeg', 'gif', 'webp'), base64).map(([type, data]) => ({
    type: 'image_url',
    image_url: { url: `data:image/${type};base64,${data}` },
  })),
  fc.constant({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }),
  fc.tuple(name, base64).map(([file, data]) => ({
    type: 'file',
    file: { filename: `${file}.pdf`, file_data: `data:application/pdf;base64,${data}` },
  })),
);

const system = (role: string) => words.map((content) => ({ role, content }));
const user = fc
  .oneof(words, fc.array(part, { minLength: 1, maxLength: 4 }))
  .map((content) => ({ role: 'user', content }));
const args = fc.dictionary(
  name,
  fc.oneof(fc.integer(), words, fc.constant(null), fc.array(fc.boolean(), { maxLength: 3 })),
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
);
/**
 * Generates call ids as servers create them: with any characters, and the same ids in several
 * turns.
 */
const callIds = fc.uniqueArray(fc.oneof(name, words, fc.constantFrom('call_0', 'call_1')), {
  minLength: 1,
  maxLength: 3,
});

const calling = fc
  .record({
    content: fc.option(words),
    ids: callIds,
    name,
    args: fc.array(args, { minLength: 3, maxLength: 3 }),
    results: fc.array(words, { minLength: 3, maxLength: 3 }),
  })
  .map(({ content, ids, name: called, args: given, results }) => [
    {
      role: 'assistant',
      content,
      tool_calls: ids.map((id, at) => ({
        id,
        type: 'function',
        function: { name: called, arguments: JSON.stringify(given[at] ?? {}) },
      })),
    },
    ...ids.map((id, at) => ({ role: 'tool', tool_call_id: id, content: results[at] ?? '' })),
  ]);
const saying = words.map((content) => [{ role: 'assistant', content }]);

/** Generates conversations. Each ends with a user message or tool results, as in a request. */
export const messages = fc
  .record({
    leading: fc.array(fc.oneof(system('system'), system('developer')), { maxLength: 2 }),
    turns: fc.array(fc.tuple(user, fc.option(system('system')), fc.oneof(saying, calling)), {
      maxLength: 4,
    }),
    last: user,
  })
  .map(({ leading, turns, last }): JsonObject[] => [
    ...leading,
    ...turns.flatMap(([said, later, answer]) => [
      said,
      ...(later === null ? [] : [later]),
      ...answer,
    ]),
    last,
  ]);

const schema = fc
  .dictionary(name, fc.constantFrom({ type: 'string' }, { type: 'number' }), {
    maxKeys: 3,
    noNullPrototype: true,
  })
  .map((properties) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }));
const tools = fc
  .uniqueArray(name, { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc.tuple(
      ...names.map((each) =>
        fc.record({ name: fc.constant(each), description: words, parameters: schema }),
      ),
    ),
  )
  .map((all) => all.map((each) => ({ type: 'function', function: each })));

const toolOptions = tools.chain((all) =>
  fc.record(
    {
      tools: fc.constant(all),
      tool_choice: fc
        .constantFrom('none', 'required', all[0]?.function.name ?? '')
        .map((choice) =>
          choice === 'none' || choice === 'required'
            ? choice
            : { type: 'function', function: { name: choice } },
        ),
      parallel_tool_calls: fc.constant(false),
    },
    { requiredKeys: ['tools'], noNullPrototype: true },
  ),
);
const thinkingOrSampling = fc.oneof(
  fc.record({ reasoning_effort: fc.constantFrom('low', 'medium', 'high', 'xhigh', 'max') }),
  fc.record({ temperature: fc.constantFrom(0, 0.3, 0.9) }),
  fc.record({ top_p: fc.constantFrom(0.1, 0.9) }),
  fc.constant({}),
);

/** Generates requests that can be expressed in both chat and Messages. */
export const requests = fc
  .record({
    messages,
    tools: fc.option(toolOptions),
    sampling: thinkingOrSampling,
    rest: fc.record(
      {
        max_completion_tokens: fc.integer({ min: 1, max: 100_000 }),
        stop: fc.array(name, { minLength: 1, maxLength: 4 }),
        user: name,
        response_format: fc.tuple(name, schema).map(([called, given]) => ({
          type: 'json_schema',
          json_schema: { name: called, schema: given },
        })),
      },
      { requiredKeys: ['max_completion_tokens'], noNullPrototype: true },
    ),
  })
  .map(
    ({ messages: all, tools: given, sampling, rest }): JsonObject => ({
      model: 'gen-opus-4-8',
      messages: all,
      ...given,
      ...sampling,
      ...rest,
    }),
  );

/**
 * Returns the meaning of a chat request. It does not include ids or the boundaries between texts.
 */
export function meaningOf(request: JsonObject): JsonObject {
  const { messages, response_format: format, max_tokens, max_completion_tokens, ...rest } = request;
  const written: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const { model: _, tools, tool_choice: choice, parallel_tool_calls: parallel, ...options } = rest;
  // If no tool may be called, `tools` and `parallel_tool_calls` have no effect.
  const mayCall = choice === 'none' ? [] : (tools ?? []);
  return {
    ...options,
    conversation: turnsOf(written.map((each) => asJsonObject(each) ?? {})),
    limit: max_completion_tokens ?? max_tokens,
    schema: asJsonObject(asJsonObject(format)?.['json_schema'])?.['schema'],
    mayCall,
    mustCall: choice === 'none' ? undefined : choice,
    oneAtATime: parallel === false && choice !== 'none',
  };
}

type Said = { readonly by: string; readonly what: readonly unknown[] };

/** Returns the turns of a conversation. Consecutive messages with the same role are one turn. */
function turnsOf(written: readonly JsonObject[]): readonly Said[] {
  const turns: { by: string; what: unknown[] }[] = [];
  for (const message of written) {
    const by = message['role'] === 'developer' ? 'system' : String(message['role']);
    const last = turns.at(-1);
    if (last?.by === by) last.what.push(...saidIn(message));
    else turns.push({ by, what: saidIn(message) });
  }
  return turns.map(({ by, what }) => ({ by, what: oneText(what) }));
}

function saidIn({ content, tool_calls: calls }: JsonObject): unknown[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content ?? ''];
  const made: readonly unknown[] = Array.isArray(calls) ? calls : [];
  return [
    ...parts.map((each) =>
      typeof each === 'string' ? each : (asString(asJsonObject(each)?.['text']) ?? each),
    ),
    ...made.map((call) => {
      const { name: called, arguments: json } =
        asJsonObject(asJsonObject(call)?.['function']) ?? {};
      return { called, input: JSON.parse(String(json)) };
    }),
  ];
}

/** Joins consecutive texts and normalizes their whitespace. */
function oneText(what: readonly unknown[]): readonly unknown[] {
  const all: unknown[] = [];
  for (const each of what) {
    const before = all.at(-1);
    if (typeof each === 'string' && typeof before === 'string')
      all[all.length - 1] = `${before} ${each}`;
    else all.push(each);
  }
  const even = all.map((each) =>
    typeof each === 'string' ? each.replaceAll(/\s+/g, ' ').trim() : each,
  );
  return even.filter((each) => each !== '');
}
