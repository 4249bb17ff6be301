/**
 * Generates Messages requests, and reduces requests to their meaning, without the boundaries of
 * blocks and turns.
 */
import fc from 'fast-check';
import { asJsonObject, isJsonObject, type JsonObject } from '../json/object.ts';

/** Generates texts that begin and end with a visible character, so that no text is blank. */
const words = fc.stringMatching(/^[a-zé🙂][ -~é🙂\n]{0,12}[a-z"]$/u);
const name = fc.constantFrom('get_time', 'f', 'mcp__server__read-file');
const input = fc.dictionary(
  fc.string({ maxLength: 4 }).filter((key) => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 1 }),
  { maxKeys: 3 },
);
const textBlock = words.map((text) => ({ type: 'text', text }));
const image = fc.constantFrom(
  { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } },
);
const pdf = fc.constant({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
  title: 'Plan.pdf',
});
const shown = fc.array(fc.oneof(textBlock, image, pdf), { minLength: 1, maxLength: 3 });
const content = fc.oneof(words, shown);

type Call = { readonly name: string; readonly input: JsonObject; readonly result: unknown };
const call: fc.Arbitrary<Call> = fc.record({
  name,
  input,
  result: fc.oneof(words, fc.array(textBlock, { minLength: 1, maxLength: 2 })),
});
/** Generates a round of a conversation: a question, an optional system message, and an answer. */
const round = fc.record({
  asked: content,
  operator: fc.option(words),
  said: fc.option(words),
  calls: fc.array(call, { maxLength: 3 }),
  after: fc.option(words),
});

/** Generates a conversation. Its last turn is a user turn. */
const messages = fc
  .tuple(fc.array(round, { maxLength: 3 }), content)
  .map(([rounds, last]): readonly JsonObject[] => [
    ...rounds.flatMap((each, index) => turnsOf(each, index)),
    { role: 'user', content: last },
  ]);

type Round = {
  readonly asked: unknown;
  readonly operator: string | null;
  readonly said: string | null;
  readonly calls: readonly Call[];
  readonly after: string | null;
};

function turnsOf({ asked, operator, said, calls, after }: Round, at: number): JsonObject[] {
  const ids = calls.map((_, index) => `toolu_${at}_${index}`);
  const words = said ?? (calls.length === 0 ? 'ok' : null);
  return [
    { role: 'user', content: asked },
    ...(operator === null ? [] : [{ role: 'system', content: operator }]),
    {
      role: 'assistant',
      content: [
        ...(words === null ? [] : [{ type: 'text', text: words }]),
        ...calls.map((each, index) => ({
          type: 'tool_use',
          id: ids[index],
          name: each.name,
          input: each.input,
        })),
      ],
    },
    ...(calls.length === 0
      ? []
      : [
          {
            role: 'user',
            content: [
              ...calls.map(({ result }, index) => ({
                type: 'tool_result',
                tool_use_id: ids[index],
                content: result,
              })),
              ...(after === null ? [] : [{ type: 'text', text: after }]),
            ],
          },
        ]),
  ];
}

const tools = [
  { name: 'get_time', description: 'Clock', input_schema: { type: 'object', properties: {} } },
  { name: 'f', input_schema: { type: 'object', properties: { a: { type: 'string' } } } },
  { name: 'mcp__server__read-file', input_schema: { type: 'object', properties: {} } },
];
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

export const requests: fc.Arbitrary<JsonObject> = fc
  .record({
    max_tokens: fc.integer({ min: 1, max: 128_000 }),
    system: some(fc.oneof(words, fc.array(textBlock, { minLength: 1, maxLength: 2 }))),
    messages,
    tools: fc.constant(tools),
    tool_choice: some(
      fc.constantFrom(
        { type: 'any' },
        { type: 'none' },
        { type: 'tool', name: 'f' },
        { type: 'auto', disable_parallel_tool_use: true },
        { type: 'any', disable_parallel_tool_use: true },
      ),
    ),
    stop_sequences: some(fc.array(words, { minLength: 1, maxLength: 4 })),
    output_config: some(fc.constantFrom('low', 'high', 'max').map((effort) => ({ effort }))),
    metadata: some(fc.stringMatching(/^[a-z]{1,64}$/).map((user_id) => ({ user_id }))),
  })
  // Removes members whose value is undefined, because clients never send them.
  .map((request) => JSON.parse(JSON.stringify({ model: 'm', ...request })));

/** Returns the meaning of a request. It is equal for all requests that ask for the same answer. */
export function meaningOf(request: JsonObject): JsonObject {
  const { system, messages: turns, output_config: config, thinking: _, ...rest } = request;
  return {
    ...rest,
    system: textOf(system, '\n\n'),
    turns: mergedTurns(Array.isArray(turns) ? turns : []),
    effort: asJsonObject(config)?.['effort'],
  };
}

type Meant = { readonly role: unknown; readonly said: readonly JsonObject[] };

function mergedTurns(turns: readonly JsonObject[]): readonly Meant[] {
  const merged: Meant[] = [];
  for (const { role, content: given } of turns) {
    const blocks = (Array.isArray(given) ? given : [{ type: 'text', text: given }]).filter(
      isJsonObject,
    );
    const last = merged.at(-1);
    if (last?.role === role)
      merged.push({ role, said: [...(merged.pop()?.said ?? []), ...blocks] });
    else merged.push({ role, said: blocks });
  }
  return merged.map(({ role, said }) => ({ role, said: joinedTexts(said.map(blockMeaning)) }));
}

function blockMeaning(block: JsonObject): JsonObject {
  if (block['type'] !== 'tool_result') return block;
  const { tool_use_id, content: given } = block;
  return { type: 'tool_result', tool_use_id, content: textOf(given, '\n\n') };
}

/**
 * Joins all text blocks into one block of paragraphs. If one of the blocks is an image or a
 * document, returns all blocks unchanged.
 */
function joinedTexts(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const isShown = blocks.some(({ type }) => type === 'image' || type === 'document');
  if (isShown) return blocks;
  const texts = blocks.filter(({ type }) => type === 'text');
  const others = blocks.filter(({ type }) => type !== 'text');
  if (texts.length === 0) return others;
  return [{ type: 'text', text: textOf(texts, '\n\n') }, ...others];
}

function textOf(given: unknown, between: string): string {
  if (!Array.isArray(given)) return typeof given === 'string' ? given : '';
  return given.map((block) => String(asJsonObject(block)?.['text'])).join(between);
}
