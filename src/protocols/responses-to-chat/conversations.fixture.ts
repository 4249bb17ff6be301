/**
 * Generates Responses requests, each with the events of its conversation, which are independent of
 * any protocol.
 */
import fc from 'fast-check';
import type { JsonObject } from '../../json/object.ts';
import { call, inputText, output, reasoning, said, signed, user } from './request.fixture.ts';

/** One event of a conversation, as the model reads it. */
export type Event =
  | { readonly by: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly by: 'user'; readonly image: string }
  | { readonly by: 'assistant'; readonly thought: string }
  | {
      readonly by: 'tool';
      /** The tool as the caller names it. */
      readonly tool: string;
      readonly input: unknown;
      readonly text: string;
      readonly images: readonly string[];
    };

export type Generated = { readonly request: JsonObject; readonly events: readonly Event[] };

/**
 * Generates text that is not blank and has no line breaks, so that joined texts can be compared.
 */
const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() !== '' && !text.includes('\n'));
const image = fc
  .uint8Array({ minLength: 1, maxLength: 20 })
  .map((bytes) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`);
const name = fc.stringMatching(/^[a-zA-Z0-9_.-]{1,40}$/);
const args = fc.dictionary(name, fc.oneof(fc.integer(), words, fc.constant(null)), {
  maxKeys: 3,
  noNullPrototype: true,
});

export const toolKey = (kind: string, namespace: string | null, tool: string): string =>
  JSON.stringify([kind, namespace, tool]);

type Tool = {
  readonly kind: 'function' | 'custom';
  readonly namespace: string | null;
  readonly name: string;
};
const tool: fc.Arbitrary<Tool> = fc.record({
  kind: fc.constantFrom('function', 'custom'),
  namespace: fc.option(fc.constantFrom('a', 'mcp__demo', `${'long'.repeat(20)}`)),
  name,
});

type Step = { readonly items: readonly JsonObject[]; readonly events: readonly Event[] };

const piece = fc.oneof(
  words.map((text) => ({ part: inputText(text), event: { by: 'user', text } as const })),
  image.map((url) => ({
    part: { type: 'input_image', image_url: url },
    event: { by: 'user', image: url } as const,
  })),
);
const asked: fc.Arbitrary<Step> = fc.oneof(
  words.map((text) => ({ items: [user(text)], events: [{ by: 'user', text } as const] })),
  fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => ({
    items: [user(pieces.map(({ part }) => part))],
    events: pieces.map(({ event }) => event),
  })),
);
const instructed: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom('system', 'developer'), words)
  .map(([role, text]) => ({
    items: [{ role, content: text }],
    events: [{ by: 'system', text } as const],
  }));

/** An assistant message, perhaps with thinking before it. */
const spoken: fc.Arbitrary<Step> = fc
  .record({ text: words, thought: fc.option(words) })
  .map(({ text, thought }) => ({
    items: [...thinking(thought), said(text)],
    events: [...thoughts(thought), { by: 'assistant', text } as const],
  }));

const thinking = (thought: string | null): JsonObject[] =>
  thought === null ? [] : [reasoning({ details: [signed(thought)] })];
const thoughts = (thought: string | null): Event[] =>
  thought === null ? [] : [{ by: 'assistant', thought }];

const made = fc.record({
  tool,
  args,
  free: fc.string({ maxLength: 20 }),
  texts: fc.array(words, { maxLength: 2 }),
  images: fc.array(image, { maxLength: 1 }),
  isText: fc.boolean(),
});
type Made = typeof made extends fc.Arbitrary<infer Value> ? Value : never;

function callItem(
  { tool: { kind, namespace, name: of }, args: given, free }: Made,
  id: string,
): JsonObject {
  const inside = namespace === null ? {} : { namespace };
  if (kind === 'function') return call(id, of, JSON.stringify(given), inside);
  return { type: 'custom_tool_call', call_id: id, name: of, input: free, ...inside };
}

function outputItem({ tool: { kind }, texts, images, isText }: Made, id: string): JsonObject {
  const parts = [
    ...texts.map(inputText),
    ...images.map((url) => ({ type: 'input_image', image_url: url })),
  ];
  const isPlain = isText && images.length === 0;
  return {
    ...output(id, isPlain ? texts.join('\n\n') : parts),
    ...(kind === 'custom' ? { type: 'custom_tool_call_output' } : {}),
  };
}

const callEvent = ({ tool: of, args: given, free, texts, images }: Made): Event => ({
  by: 'tool',
  tool: toolKey(of.kind, of.namespace, of.name),
  input: of.kind === 'custom' ? { input: free } : given,
  text: texts.join('\n\n'),
  images,
});

/** The calls of one turn. Their outputs come in any order, with other items in between. */
const called: fc.Arbitrary<Step> = fc
  .record({
    thought: fc.option(words),
    calls: fc.array(made, { minLength: 1, maxLength: 3 }),
    order: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    late: fc.option(words),
    between: fc.option(asked),
    id: fc.uuid(),
  })
  .map(({ thought, calls, order, late, between, id }) => {
    const ids = calls.map((_, at) => `${id}_${at}`.slice(-36));
    const outputs = calls
      .map((each, at) => ({ item: outputItem(each, ids[at] ?? ''), rank: order[at] ?? 0 }))
      .sort((one, other) => one.rank - other.rank);
    return {
      items: [
        ...thinking(thought),
        ...calls.map((each, at) => callItem(each, ids[at] ?? '')),
        ...(late === null ? [] : [said(late)]),
        ...(between?.items ?? []),
        ...outputs.map(({ item }) => item),
      ],
      events: [
        // Text between calls and outputs is placed before the calls.
        ...thoughts(thought),
        ...(late === null ? [] : [{ by: 'assistant', text: late } as const]),
        ...calls.map(callEvent),
        ...(between?.events ?? []),
      ],
    };
  });

/** A conversation whose last item is the caller's, as in a request. */
const conversation: fc.Arbitrary<Step> = fc
  .record({
    leading: fc.array(instructed, { maxLength: 2 }),
    turns: fc.array(
      fc
        .tuple(
          asked,
          fc.option(instructed),
          fc.array(spoken, { minLength: 1, maxLength: 2 }),
          fc.option(called),
        )
        .map((steps) => steps.flatMap((step) => step ?? [])),
      { maxLength: 3 },
    ),
    last: asked,
  })
  .map(({ leading, turns, last }) => {
    const steps = [...leading, ...turns.flat(), last];
    return {
      items: steps.flatMap(({ items }) => items),
      events: steps.flatMap(({ events }) => events),
    };
  });

/** Returns the tools of the calls in these events, some in namespaces and some outside. */
function offered(events: readonly Event[]): readonly JsonObject[] {
  const keys = new Set(events.flatMap((event) => ('tool' in event ? [event.tool] : [])));
  return [...keys].map((key) => {
    const [type, namespace, of] = JSON.parse(key) as [string, string | null, string];
    const definition = { type, name: of };
    return namespace === null
      ? definition
      : { type: 'namespace', name: namespace, description: '', tools: [definition] };
  });
}

export const requests: fc.Arbitrary<Generated> = fc
  .tuple(conversation, fc.option(words))
  .map(([{ items, events }, instructions]) => ({
    request: { input: items, instructions, tools: offered(events) },
    events: instructions === null ? events : [{ by: 'system', text: instructions }, ...events],
  }));
