/**
 * Tests that a translated request means the same to a chat or Messages server as the caller's
 * Responses request.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { asArray, asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import { argumentsObject } from '../tool-arguments.ts';
import { type Event, requests, toolKey } from './conversations.fixture.ts';
import { asChat, asMessages, target } from './request.fixture.ts';
import type { ReadRequest } from './request.ts';
import type { ToolNames } from './tool-names.ts';

const RUNS = { numRuns: 300, seed: 14 };

const bodyOf = ({ bodyFor }: ReadRequest, quirks = {}): JsonObject =>
  JSON.parse(new TextDecoder().decode(bodyFor(target(quirks))));

const objects = (value: unknown): readonly JsonObject[] =>
  asArray(value).map((each) => asJsonObject(each) ?? {});

/** Joins neighboring texts of one author, because protocols split texts differently. */
function joined(events: readonly Event[]): readonly Event[] {
  const whole: Event[] = [];
  for (const event of events) {
    const last = whole.at(-1);
    const isNext = last?.by === event.by && last.by !== 'tool' && event.by !== 'tool';
    if (isNext && 'text' in last && 'text' in event)
      whole[whole.length - 1] = { by: event.by, text: `${last.text}\n\n${event.text}` };
    else whole.push(event);
  }
  return whole;
}

const withoutThoughts = (events: readonly Event[]): readonly Event[] =>
  events.filter((event) => !('thought' in event));
const thoughtsIn = (events: readonly Event[]): string =>
  events.flatMap((event) => ('thought' in event ? [event.thought] : [])).join('\n\n');

type Result = { readonly text: string; readonly images: readonly string[] };
type Called = { readonly id: unknown; readonly name: unknown; readonly input: unknown };

const NO_RESULT: Result = { text: 'no result', images: [] };

function toolEvent({ id, name, input }: Called, names: ToolNames, results: Results): Event {
  const { kind, namespace, name: of } = names.callerTool(String(name));
  const result = results.get(id) ?? NO_RESULT;
  return { by: 'tool', tool: toolKey(kind, namespace, of), input, ...result };
}

type Results = ReadonlyMap<unknown, Result>;

const NOTICE = /(?:^|\n\n)Its images and files are in the next user message\.$/;
const SHOWN = /^Shown by tool call (.*):$/;

/**
 * If a user message shows the images of tool results, returns these images by call id. Returns null
 * if the caller wrote the message.
 */
function shownImages(content: unknown): ReadonlyMap<string, readonly string[]> | null {
  const parts = objects(content);
  if (!SHOWN.test(asString(parts[0]?.['text']) ?? '')) return null;
  const shown = new Map<string, string[]>();
  let images: string[] = [];
  for (const { text, image_url: image } of parts) {
    const id = SHOWN.exec(asString(text) ?? '')?.[1];
    if (id === undefined) images.push(String(asJsonObject(image)?.['url']));
    else {
      images = [];
      shown.set(id, images);
    }
  }
  return shown;
}

function chatResults(messages: readonly JsonObject[]): Results {
  const images = new Map(messages.flatMap(({ content }) => [...(shownImages(content) ?? [])]));
  return new Map(
    messages.flatMap(({ role, content, tool_call_id: id }) => {
      const text = String(content).replace(NOTICE, '');
      return role === 'tool' ? [[id, { text, images: images.get(String(id)) ?? [] }]] : [];
    }),
  );
}

/** Returns the events of the conversation that a chat server reads from this body. */
function chatEvents(body: JsonObject, names: ToolNames): readonly Event[] {
  const messages = objects(body['messages']);
  const results = chatResults(messages);
  return messages.flatMap(({ role, content, tool_calls: calls }): Event[] => {
    if (role === 'tool' || shownImages(content) !== null) return [];
    if (role === 'assistant') {
      return [
        ...(typeof content === 'string' ? [{ by: 'assistant', text: content } as const] : []),
        ...objects(calls).map(({ id, function: made }) => {
          const { name, arguments: json } = asJsonObject(made) ?? {};
          return toolEvent({ id, name, input: argumentsObject(String(json)) }, names, results);
        }),
      ];
    }
    const by = role === 'user' ? 'user' : 'system';
    if (typeof content === 'string') return [{ by, text: content }];
    return objects(content).map(({ text, image_url: image }) =>
      typeof text === 'string'
        ? { by, text }
        : { by: 'user', image: String(asJsonObject(image)?.['url']) },
    );
  });
}

const imageIn = ({ source }: JsonObject): string => {
  const { media_type: type, data } = asJsonObject(source) ?? {};
  return `data:${String(type)};base64,${String(data)}`;
};

function messagesResults(turns: readonly JsonObject[]): Results {
  const blocks = turns.flatMap(({ content }) => objects(content));
  return new Map(
    blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id: id, content }) => {
        const parts = objects(content);
        const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
        const images = parts.filter(({ type }) => type === 'image').map(imageIn);
        return [id, { text: texts.join('\n\n'), images }];
      }),
  );
}

/** Returns the events of the conversation that a Messages server reads from this body. */
function messagesEvents(body: JsonObject, names: ToolNames): readonly Event[] {
  const turns = objects(body['messages']);
  const results = messagesResults(turns);
  const all = [{ role: 'system', content: body['system'] }, ...turns];
  return all.flatMap(({ role, content }) =>
    objects(content).flatMap((block): Event[] => {
      const by = role === 'user' || role === 'assistant' ? role : 'system';
      switch (block['type']) {
        case 'text':
          return [{ by, text: String(block['text']) }];
        case 'image':
          return [{ by: 'user', image: imageIn(block) }];
        case 'thinking':
          expect(block['signature']).toBe(`sig of ${String(block['thinking'])}`);
          return [{ by: 'assistant', thought: String(block['thinking']) }];
        case 'tool_use':
          return [
            toolEvent(
              { id: block['id'], name: block['name'], input: block['input'] },
              names,
              results,
            ),
          ];
        default:
          return [];
      }
    }),
  );
}

describe('a request keeps its meaning', () => {
  test('over chat', () => {
    fc.assert(
      fc.property(requests, ({ request, events }) => {
        const read = asChat(request);
        const sent = chatEvents(bodyOf(read), read.names);
        expect(joined(sent)).toEqual(joined(withoutThoughts(events)));
      }),
      RUNS,
    );
  });

  test('over Messages, with signed thinking in its place', () => {
    fc.assert(
      fc.property(requests, ({ request, events }) => {
        const read = asMessages(request);
        const sent = messagesEvents(bodyOf(read), read.names);
        expect(joined(sent)).toEqual(joined(events));
      }),
      RUNS,
    );
  });

  test('over chat servers that want reasoning back', () => {
    fc.assert(
      fc.property(requests, ({ request, events }) => {
        const body = bodyOf(asChat(request), { reasoningBack: 'reasoning_content' });
        const thoughts = objects(body['messages']).flatMap(({ reasoning_content: text }) =>
          typeof text === 'string' ? [text] : [],
        );
        expect(thoughts.join('\n\n')).toBe(thoughtsIn(events));
      }),
      RUNS,
    );
  });

  test('and the beginning of a longer conversation has the same bytes, for the prompt cache', () => {
    fc.assert(
      fc.property(requests, ({ request }) => {
        const longer = { ...request, input: [...asArray(request['input']), ...NEXT] };
        for (const translate of [asChat, asMessages]) {
          const [short, long] = [request, longer].map((each) => bodyOf(translate(each)));
          expect(long?.['tools']).toEqual(short?.['tools']);
          const count = asArray(short?.['messages']).length;
          const start = asArray(long?.['messages']).slice(0, count);
          expect(JSON.stringify(start)).toBe(JSON.stringify(short?.['messages']));
        }
      }),
      RUNS,
    );
  });
});

/** Items that a client adds to the conversation after an answer. */
const NEXT = [
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] },
  { role: 'user', content: 'More.' },
];
