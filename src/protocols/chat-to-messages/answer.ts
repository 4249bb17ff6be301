/** Translates a non-streaming Messages answer into a chat completion. */
import {
  asArray,
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';
import { answerObject, failedAnswer, invalidAnswer, unreadableAnswer } from '../broken-answer.ts';
import { PARAGRAPH } from '../chat/content-parts.ts';
import type { AnswerFacts, TextAnswer } from '../dialect.ts';
import { reportedError } from '../messages/errors.ts';
import { outputBytesOf } from '../messages/stream-event.ts';
import { billedUsage, messagesReport } from '../messages/usage.ts';
import type { AnswerContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import {
  type Annotation,
  annotationOf,
  annotationsJson,
  endedAt,
  MAX_ANNOTATIONS,
} from './annotations.ts';
import { chatUsage, completionId, explanationOf, finishReason } from './answer-fields.ts';
import { callSignature, reasoningDetails, type Thought, thoughtIn } from './reasoning.ts';

/**
 * Translates a Messages answer. Drops the results of server tools, because chat has no field for
 * them. If a body with status 200 reports an error or has no stop reason, `facts.error` is set.
 * @throws GatewayError `upstream_failed` when the body is neither a message nor an error object.
 */
export function readMessagesAsChat(
  bytes: Uint8Array<ArrayBuffer>,
  context: AnswerContext,
  isLegacy: boolean,
): TextAnswer {
  const json = answerObject(bytes);
  if (json['type'] === 'error' || isJsonObject(json['error']))
    return failedAnswer(reportedError(json));
  const { content, usage: counted } = json;
  if (!Array.isArray(content)) throw unreadableAnswer(new Error('the answer has no content'));
  const answer = readContent(content, context);
  const stopReason = asString(json['stop_reason']);
  if (stopReason === null)
    return invalidAnswer('The upstream ended its message without a stop reason.');
  if (answer.calls.some(({ name }) => name === '')) {
    return invalidAnswer('The upstream sent a tool call without a name.');
  }
  const report = messagesReport(json, counted, context.quirks);
  const reason = finishReason(stopReason, answer.calls.length > 0, isLegacy);
  const facts: AnswerFacts = {
    usage: billedUsage(report, stopReason, answer.outputBytes),
    served: report.served,
    outputBytes: answer.outputBytes,
    finishReason: reason,
    error: null,
  };
  return {
    facts,
    write: ({ model, cost }) => {
      const counts = asJsonObject(counted) ?? {};
      const head = JSON.stringify({
        id: completionId(context.requestId),
        object: 'chat.completion',
        created: context.createdSeconds,
        model,
        ...serviceTier(counts['service_tier']),
        choices: [
          {
            index: 0,
            message: messageOf(answer, refusalOf(json, answer), isLegacy),
            logprobs: null,
            finish_reason: reason,
          },
        ],
      });
      const priced = usageWithCost(chatUsage(cost.estimated ?? report.usage, counts), cost);
      return `${head.slice(0, -1)},"usage":${priced}}`;
    },
  };
}

type Call = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** The thinking blocks between the previous tool call and this one. */
  readonly thoughts: readonly Thought[];
};

type ReadAnswer = {
  text: string;
  /**
   * Whether the next text must begin a new paragraph, because a block without a counterpart in chat
   * came before it.
   */
  isParted: boolean;
  reasoning: string;
  /**
   * Bytes of all output. Blocks without a counterpart in chat are counted too, because the caller
   * pays for them.
   */
  outputBytes: number;
  thoughtsBeforeCall: number;
  readonly thoughts: Thought[];
  readonly calls: Call[];
  readonly annotations: Annotation[];
};

function readContent(content: readonly unknown[], context: AnswerContext): ReadAnswer {
  const answer: ReadAnswer = {
    text: '',
    isParted: false,
    reasoning: '',
    outputBytes: 0,
    thoughtsBeforeCall: 0,
    thoughts: [],
    calls: [],
    annotations: [],
  };
  for (const each of content) readBlock(asJsonObject(each) ?? {}, answer, context);
  return answer;
}

function readBlock(block: JsonObject, answer: ReadAnswer, { requestId }: AnswerContext): void {
  const place = { text: answer.text.length, calls: answer.calls.length };
  const input = asJsonObject(block['input']);
  const args = input === null ? '' : JSON.stringify(input);
  answer.outputBytes += outputBytesOf(block) + Buffer.byteLength(args);
  switch (block['type']) {
    case 'text':
      readText(block, answer);
      break;
    case 'thinking': {
      const thinking = asString(block['thinking']) ?? '';
      answer.reasoning += thinking;
      answer.thoughts.push(...thoughtIn({ ...block, thinking }, place));
      break;
    }
    case 'redacted_thinking':
      answer.thoughts.push(...thoughtIn(block, place));
      break;
    case 'tool_use':
      answer.calls.push({
        id: asString(block['id']) ?? `call_${completionId(requestId)}_${answer.calls.length}`,
        name: asString(block['name']) ?? '',
        arguments: args === '' ? '{}' : args,
        thoughts: answer.thoughts.slice(answer.thoughtsBeforeCall),
      });
      answer.thoughtsBeforeCall = answer.thoughts.length;
      break;
    case 'fallback':
      // After a `fallback` block, another model continues the same text, so no new paragraph
      // begins.
      break;
    default:
      // Server tools, compactions and future block types have no counterpart in chat.
      answer.isParted = true;
  }
}

function readText(block: JsonObject, answer: ReadAnswer): void {
  const text = asString(block['text']) ?? '';
  if (text === '') return;
  if (answer.isParted && answer.text !== '') answer.text += PARAGRAPH;
  answer.isParted = false;
  const start = answer.text.length;
  answer.text += text;
  const cited = asArray(block['citations']).flatMap((each) => annotationOf(each, start) ?? []);
  const left = MAX_ANNOTATIONS - answer.annotations.length;
  answer.annotations.push(...endedAt(cited.slice(0, left), answer.text.length));
}

const refusalOf = (json: JsonObject, answer: ReadAnswer): string | null =>
  answer.text === '' ? explanationOf(json['stop_details']) : null;

function messageOf(answer: ReadAnswer, refusal: string | null, isLegacy: boolean): JsonObject {
  const { text, reasoning, thoughts, calls, annotations } = answer;
  const [first] = calls;
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    refusal,
    ...(annotations.length === 0 ? {} : { annotations: annotationsJson(annotations) }),
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(thoughts.length === 0 ? {} : { reasoning_details: reasoningDetails(thoughts) }),
    ...(first === undefined
      ? {}
      : isLegacy
        ? legacyCall(first)
        : { tool_calls: calls.map(toolCall) }),
  };
}

const legacyCall = ({ name, arguments: args }: Call): JsonObject => ({
  function_call: { name, arguments: args },
});

const toolCall = ({ id, name, arguments: args, thoughts }: Call): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: args },
  ...callSignature(thoughts),
});

function serviceTier(tier: unknown): JsonObject {
  if (tier === 'standard') return { service_tier: 'default' };
  return tier === 'priority' ? { service_tier: 'priority' } : {};
}
