/** Builds a request body from a thread and the settings, without side effects. */
import type { Answer } from '#chat/answer.ts';
import { tokenWeight } from '#chat/token-weight.ts';
import type { Json } from '#snippets/literal.ts';
import type { ChatMessage, ChatRequest } from '#snippets/request.ts';
import { type Attachment, partOf } from './attachments/attachment.ts';
import {
  isSupported,
  membersFor,
  type ParameterValues,
  type Target,
} from './settings/parameters.ts';
import { parseTools } from './settings/tools.ts';
import type { Message, Thread } from './thread.ts';

export const TOOL_CHOICES = ['auto', 'none', 'required'] as const;
export type ToolChoice = (typeof TOOL_CHOICES)[number];

export type Settings = {
  readonly system: string;
  readonly values: ParameterValues;
  /** The tool definitions as typed: a JSON array. */
  readonly tools: string;
  readonly toolChoice: ToolChoice;
};

export const NO_SETTINGS: Settings = { system: '', values: {}, tools: '', toolChoice: 'auto' };

/** Builds the model request of a thread. The code snippets show the same request. */
export function requestOf(thread: Thread, settings: Settings, target: Target | null): ChatRequest {
  return {
    kind: 'chat',
    model: thread.model,
    channel: thread.channel,
    isStreamed: true,
    messages: messagesOf(thread, settings.system),
    // An unknown model gets no parameters, since it may not support them.
    parameters:
      target === null
        ? {}
        : { ...membersFor(settings.values, target), ...toolMembers(settings, target) },
  };
}

/**
 * Builds the request body. It asks the gateway to report usage and cost at the end of the stream.
 */
export const bodyOf = ({ model, channel, messages, parameters }: ChatRequest) => ({
  model,
  stream: true,
  stream_options: { include_usage: true },
  ...parameters,
  ...(channel === null ? {} : { provider: { channel } }),
  messages,
});

function toolMembers(settings: Settings, target: Target): { readonly [name: string]: Json } {
  const { tools } = parseTools(settings.tools);
  if (tools === null || tools.length === 0 || !isSupported('tools', target)) return {};
  return {
    // Copied only to get the type `Json`. Nothing is lost, because the tools were parsed from JSON.
    tools: JSON.parse(JSON.stringify(tools)),
    ...(settings.toolChoice === 'auto' ? {} : { tool_choice: settings.toolChoice }),
  };
}

function messagesOf({ messages }: Thread, system: string): readonly ChatMessage[] {
  const first = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  return [...first, ...messages.flatMap(messageOf)];
}

function messageOf(message: Message): readonly ChatMessage[] {
  switch (message.kind) {
    case 'user':
      return [{ role: 'user', content: contentOf(message.text, message.attachments) }];
    case 'result':
      return [{ role: 'tool', tool_call_id: message.callId, content: message.text }];
    case 'answer':
      return answerMessages(message.answer);
  }
}

function contentOf(text: string, attachments: readonly Attachment[]): Json {
  if (attachments.length === 0) return text;
  return [...attachments.map(partOf), ...(text === '' ? [] : [{ type: 'text', text }])];
}

/**
 * Returns the messages of an answer. For an interrupted answer, they contain the received text. An
 * answer with neither text nor complete tool calls yields no messages.
 */
function answerMessages(answer: Answer): readonly ChatMessage[] {
  const { text, refusal, reasoning, reasoningDetails } = answer;
  // The tool calls of an unfinished answer are left out, because they may be incomplete and cannot
  // have results.
  const toolCalls = answer.phase === 'done' ? answer.toolCalls : [];
  const content = text || refusal;
  if (content === '' && toolCalls.length === 0) return [];
  const details: Json = JSON.parse(JSON.stringify(reasoningDetails));
  return [
    {
      role: 'assistant',
      content: content === '' ? null : content,
      ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
      ...(reasoningDetails.length === 0 ? {} : { reasoning_details: details }),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(callOf) }),
    },
  ];
}

const callOf = ({ id, type, name, input }: Answer['toolCalls'][number]): Json =>
  type === 'custom'
    ? { id, type, custom: { name, input } }
    : { id, type, function: { name, arguments: input } };

/** The estimated tokens of an average image. */
const TOKENS_A_MEDIUM = 1_200;
/** The estimated tokens that the protocol adds to each message. */
const TOKENS_A_MESSAGE = 4;

/** Estimates the number of prompt tokens. */
export function promptWeight({ messages, parameters }: ChatRequest): number {
  const tools = parameters['tools'] ?? null;
  const schemas = tools === null ? 0 : tokenWeight(JSON.stringify(tools));
  return messages.reduce((sum, message) => sum + messageWeight(message), Math.ceil(schemas));
}

function messageWeight({ content, tool_calls: calls = null }: ChatMessage): number {
  const called = calls === null ? 0 : tokenWeight(JSON.stringify(calls));
  if (!Array.isArray(content)) {
    return TOKENS_A_MESSAGE + called + tokenWeight(typeof content === 'string' ? content : '');
  }
  const parts = content.map((part) => {
    const text = typeof part === 'object' && part !== null && 'text' in part ? part['text'] : null;
    return typeof text === 'string' ? tokenWeight(text) : TOKENS_A_MEDIUM;
  });
  return TOKENS_A_MESSAGE + called + parts.reduce((sum, weight) => sum + weight, 0);
}
