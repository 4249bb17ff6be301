/** For tests: reads a request that a scripted upstream received, independent of its dialect. */
import { at } from '../wire.ts';
import { dialectOf, type UpstreamDialect } from './scripted-turns.ts';
import type { UpstreamCall } from './scripted-upstream.ts';

export type ReceivedRequest = {
  readonly dialect: UpstreamDialect;
  /** The names of the tools, as `NAMESPACE__NAME` for tools in a namespace. */
  readonly tools: readonly string[];
  /** The results of tool calls, in the order of the request. */
  readonly outputs: readonly { readonly id: string; readonly text: string }[];
  /**
   * The earlier thinking that the upstream gets back. On chat it is the texts, otherwise the seals
   * (signatures or encrypted content).
   */
  readonly thinking: readonly string[];
  readonly images: number;
  /**
   * The name of the answer's JSON schema; `schema` on Messages, where schemas have no names; null
   * if the request has no schema.
   */
  readonly schema: string | null;
};

const list = (value: unknown, path: string): readonly unknown[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};
const textAt = (value: unknown, path: string): string => String(at(value, path) ?? '');
const ofType = (values: readonly unknown[], type: RegExp): readonly unknown[] =>
  values.filter((value) => type.test(textAt(value, 'type')));

/** Returns the text of a message's content, which is a string or a list of parts in any dialect. */
const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list({ content }, 'content')
        .map((part) => textAt(part, 'text'))
        .join('');

const imagesIn = (body: unknown): number =>
  JSON.stringify(body).match(/"type":"(?:image_url|image|input_image)"/g)?.length ?? 0;

export function receivedRequest(call: UpstreamCall): ReceivedRequest {
  const dialect = dialectOf(call);
  return { dialect, images: imagesIn(call.body), ...READERS[dialect](call.body) };
}

type Read = Omit<ReceivedRequest, 'dialect' | 'images'>;

function readChat(body: unknown): Read {
  const turns = list(body, 'messages');
  return {
    tools: list(body, 'tools').map((tool) => textAt(tool, 'function.name')),
    outputs: turns
      .filter((turn) => at(turn, 'role') === 'tool')
      .map((turn) => ({
        id: textAt(turn, 'tool_call_id'),
        text: contentText(at(turn, 'content')),
      })),
    thinking: turns.map((turn) => textAt(turn, 'reasoning_content')).filter((text) => text !== ''),
    schema: textAt(body, 'response_format.json_schema.name') || null,
  };
}

function readMessages(body: unknown): Read {
  const blocks = list(body, 'messages').flatMap((turn) => list(turn, 'content'));
  const format = at(body, 'output_config.format');
  return {
    tools: list(body, 'tools').map((tool) => textAt(tool, 'name')),
    outputs: ofType(blocks, /^tool_result$/).map((block) => ({
      id: textAt(block, 'tool_use_id'),
      text: contentText(at(block, 'content')),
    })),
    thinking: ofType(blocks, /^thinking$/).map((block) => textAt(block, 'signature')),
    schema: format === undefined ? null : 'schema',
  };
}

function readResponses(body: unknown): Read {
  const items = list(body, 'input');
  return {
    tools: [body, ...ofType(items, /^additional_tools$/)].flatMap((holder) =>
      list(holder, 'tools').flatMap(toolNames),
    ),
    outputs: ofType(items, /_call_output$/).map((item) => ({
      id: textAt(item, 'call_id'),
      text: contentText(at(item, 'output')),
    })),
    thinking: ofType(items, /^reasoning$/).map((item) => textAt(item, 'encrypted_content')),
    schema: textAt(body, 'text.format.name') || null,
  };
}

const toolNames = (tool: unknown): readonly string[] =>
  at(tool, 'type') === 'namespace'
    ? list(tool, 'tools').map((member) => `${textAt(tool, 'name')}__${textAt(member, 'name')}`)
    : [textAt(tool, 'name')];

const READERS: Readonly<Record<UpstreamDialect, (body: unknown) => Read>> = {
  chat: readChat,
  messages: readMessages,
  responses: readResponses,
};
