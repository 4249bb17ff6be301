/** Translates chat and Messages answers to Responses, for the tests of this folder. */
import { asArray, type JsonObject } from '../../json/object.ts';
import { JsonScan, type ScannedObject } from '../../json/scan.ts';
import { eventText } from '../messages/recorded-messages.fixture.ts';
import {
  ANSWER_CONTEXT,
  FIXTURE_COST,
  type Passed,
  passChunks,
  STREAM_CONTEXT,
} from '../recorded-streams.fixture.ts';
import { repeatedSettings } from '../responses/response-object.ts';
import { ResponseStream } from '../responses/response-stream.ts';
import { Seals } from '../responses/seal.ts';
import { type ResponsesEvent, responsesEvents } from '../responses-rules.fixture.ts';
import type { PreparedRequest, StreamContext, Translator } from '../translator.ts';
import { responsesToChat, responsesToMessages } from './translator.ts';

export const SEALS = new Seals('the secret of this installation');
export const OVER_CHAT = responsesToChat(SEALS);
export const OVER_MESSAGES = responsesToMessages(SEALS);

/** The tools of a request, one of each kind. */
export const TOOLS: JsonObject = {
  tools: [
    { type: 'function', name: 'get_time', parameters: { type: 'object', properties: {} } },
    { type: 'custom', name: 'apply_patch', format: { type: 'text' } },
    { type: 'tool_search', execution: 'client', parameters: { type: 'object' } },
    {
      type: 'namespace',
      name: 'mcp__demo',
      description: 'Demo',
      tools: [
        { type: 'function', name: 'add', parameters: { type: 'object' } },
        { type: 'custom', name: 'run' },
      ],
    },
  ],
};

export const scannedRequest = (json: JsonObject = {}): ScannedObject => {
  const bytes = new TextEncoder().encode(JSON.stringify({ model: 'm', input: 'Hi', ...json }));
  return new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength);
};

export const prepared = (translator: Translator, json: JsonObject = {}): PreparedRequest =>
  translator.prepare(scannedRequest(json), { maxOutput: 1_000 }, true);

export const responseStream = (json: JsonObject = {}, retriesIncomplete = false): ResponseStream =>
  new ResponseStream(repeatedSettings(scannedRequest(json)), retriesIncomplete);

export type Translated = Passed & { readonly events: readonly ResponsesEvent[] };

/**
 * Translates an upstream's stream into the Responses stream that the caller gets, through the
 * stream pass.
 */
export function translated(
  translator: Translator,
  chunks: readonly (Uint8Array | string)[],
  { request = TOOLS, ...context }: Partial<StreamContext> & { readonly request?: JsonObject } = {},
): Translated {
  const pass = prepared(translator, request).openStream({ ...STREAM_CONTEXT, ...context });
  const passed = passChunks(pass, chunks);
  return { ...passed, events: responsesEvents(passed.text) };
}

/**
 * Translates an upstream's non-streaming answer. Returns the facts read from it, and a function
 * that writes the response that the caller gets.
 */
export function translatedWhole(translator: Translator, answer: unknown, request = TOOLS) {
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  const { facts, write } = prepared(translator, request).readAnswer(bytes, ANSWER_CONTEXT);
  const response = (): JsonObject =>
    JSON.parse(write({ model: STREAM_CONTEXT.model, cost: FIXTURE_COST }));
  return { facts, response };
}

/**
 * Returns chat chunks with these deltas, then the finish reason, the usage unless it is null, and
 * the end mark. If the finish reason is null, the stream breaks off after the deltas.
 */
export function chatEvents(
  deltas: readonly JsonObject[],
  finish: string | null = 'stop',
  usage: JsonObject | null = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
): string {
  const chunk = (choice: JsonObject): string =>
    `data: ${JSON.stringify({ id: 'c', model: 'up', choices: [{ index: 0, ...choice }] })}\n\n`;
  const ending = usage === null ? '' : `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
  return [
    chunk({ delta: { role: 'assistant', content: '' } }),
    ...deltas.map((delta) => chunk({ delta })),
    ...(finish === null ? [] : [chunk({ delta: {}, finish_reason: finish }), ending]),
    ...(finish === null ? [] : ['data: [DONE]\n\n']),
  ].join('');
}

/** Returns a delta with one fragment of a call. */
export const fragment = (
  index: number,
  args: string,
  begin: { readonly id?: string; readonly name?: string; readonly extra?: JsonObject } = {},
): JsonObject => {
  const { id, name, extra } = begin;
  return {
    tool_calls: [
      {
        index,
        ...(id === undefined ? {} : { id, type: 'function' }),
        function: { ...(name === undefined ? {} : { name }), arguments: args },
        ...(extra === undefined ? {} : { extra_content: extra }),
      },
    ],
  };
};

export type Block = { readonly type: string; readonly [member: string]: unknown };

/** Returns the events of a Messages stream with these blocks, as an upstream sends them. */
export function messagesEvents(content: readonly Block[], stop = 'end_turn'): string {
  const events: JsonObject[] = [
    {
      type: 'message_start',
      message: { content: [], usage: { input_tokens: 9, output_tokens: 1 } },
    },
  ];
  for (const [index, block] of content.entries()) {
    const delta = (fields: JsonObject): void => {
      events.push({ type: 'content_block_delta', index, delta: fields });
    };
    const { thinking, text, input, citations } = block;
    const empty = {
      ...(thinking === undefined ? {} : { thinking: '', signature: '' }),
      ...(text === undefined ? {} : { text: '', citations: null }),
      ...(input === undefined ? {} : { input: {} }),
    };
    events.push({ type: 'content_block_start', index, content_block: { ...block, ...empty } });
    if (thinking !== undefined) {
      delta({ type: 'thinking_delta', thinking });
      delta({ type: 'signature_delta', signature: block['signature'] });
    }
    if (text !== undefined) delta({ type: 'text_delta', text });
    for (const citation of asArray(citations)) delta({ type: 'citations_delta', citation });
    if (input !== undefined)
      delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) });
    events.push({ type: 'content_block_stop', index });
  }
  events.push(
    { type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  );
  return events.map((event) => eventText({ ...event, type: String(event['type']) })).join('');
}

const CHAT_USAGE = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

/** Returns a chat completion with one message. */
export const completion = (message: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'c',
  model: 'up',
  choices: [{ index: 0, message, finish_reason: 'stop', ...more }],
  usage: CHAT_USAGE,
});

/** Returns a Messages answer with these blocks. */
export const message = (content: readonly Block[], stop = 'end_turn'): JsonObject => ({
  type: 'message',
  content,
  stop_reason: stop,
  usage: { input_tokens: 9, output_tokens: 4 },
});
