/**
 * For tests: LangChain's chat models as libraries under test, through `stream`, `streamEvents` and
 * `invoke`.
 */
import {
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { Runnable } from '@langchain/core/runnables';
import { at, listAt } from '../wire.ts';
import type { Judge, JudgedAnswer, Question, Target } from './judge.ts';

export type Model = Runnable<BaseMessage[], AIMessageChunk>;

/**
 * Returns a message whose content parts are in the endpoint's own format, which LangChain forwards.
 */
const partsOf = (body: unknown): HumanMessage => {
  const parts = listAt(body, 'messages.0.content');
  return new HumanMessage({ content: parts.map((part) => ({ ...Object(part) })) });
};

const ENDS: Readonly<Record<string, JudgedAnswer['end']>> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  tool_calls: 'calls',
  tool_use: 'calls',
};

function judgedAnswerOf(message: AIMessage | AIMessageChunk): JudgedAnswer {
  const { text, tool_calls: calls = [] } = message;
  return {
    text,
    thinking: thinkingOf(message),
    calls: calls.map(({ name, args }) => [name, args]),
    end: endOf(message),
    inputTokens: Number(at(message, 'usage_metadata.input_tokens')),
    outputTokens: Number(at(message, 'usage_metadata.output_tokens')),
  };
}

/**
 * Returns the thinking in a message. In Messages answers, the thinking is part of the content; in
 * Responses answers, it is in `additional_kwargs`.
 */
function thinkingOf(message: AIMessage | AIMessageChunk): string {
  const blocks = Array.isArray(message.content) ? message.content : [];
  const summary = at(message, 'additional_kwargs.reasoning.summary');
  return [
    ...blocks.map((block) => at(block, 'thinking')),
    ...(Array.isArray(summary) ? summary : []).map((part) => at(part, 'text')),
  ]
    .filter((thought) => typeof thought === 'string')
    .join('');
}

/**
 * Returns how the answer ended. The protocol and whether the answer was streamed determine which
 * field states this.
 */
function endOf({ response_metadata: said, additional_kwargs, tool_calls }: AIMessage) {
  const reason = at(said, 'incomplete_details.reason');
  if (reason === 'max_output_tokens') return 'length';
  if (said['status'] === 'completed') return (tool_calls ?? []).length > 0 ? 'calls' : 'stop';
  const end = said['finish_reason'] ?? said['stop_reason'] ?? additional_kwargs['stop_reason'];
  return ENDS[String(end)] ?? 'other';
}

async function gathered(model: Model, messages: BaseMessage[]): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | null = null;
  for await (const chunk of await model.stream(messages))
    whole = whole === null ? chunk : whole.concat(chunk);
  if (whole === null) throw new Error('an empty stream');
  return whole;
}

/**
 * Returns the message in the last event, which the library assembles from all chunks of the stream.
 */
async function gatheredByEvents(model: Model, messages: BaseMessage[]): Promise<AIMessageChunk> {
  let last: AIMessageChunk | null = null;
  for await (const { event, data } of model.streamEvents(messages, { version: 'v2' }))
    if (event === 'on_chat_model_end') last = data.output;
  if (last === null) throw new Error('no end of the model among the events');
  return last;
}

type ChatModelClass = {
  readonly client: Judge['client'];
  readonly modelOf: (target: Target, question: Question) => Model;
  readonly bodyOf: (model: string, question: Question) => unknown;
};

export const langchainJudge = ({ client, modelOf, bodyOf }: ChatModelClass): Judge => ({
  client,
  plain: async (target, question) =>
    judgedAnswerOf(
      await modelOf(target, question).invoke([partsOf(bodyOf(target.model, question))]),
    ),
  streamed: async (target, question) => {
    const messages = [partsOf(bodyOf(target.model, question))];
    const model = modelOf(target, question);
    const judged = judgedAnswerOf(await gathered(model, messages));
    const byEvents = judgedAnswerOf(await gatheredByEvents(model, messages));
    if (!Bun.deepEquals(judged, byEvents)) throw new Error(JSON.stringify({ judged, byEvents }));
    return judged;
  },
  toolLoop: async (target, prompt) => {
    const model = modelOf(target, { prompt, tools: true, thinking: true });
    const question = new HumanMessage(prompt);
    const first = await gathered(model, [question]);
    const results = (first.tool_calls ?? []).map(
      ({ id = '', name: called }) =>
        new ToolMessage({ content: `${called} says fine`, tool_call_id: id }),
    );
    return (await gathered(model, [question, first, ...results])).text;
  },
});
