/**
 * Translated answers as LangChain's chat models read them: `stream` and `streamEvents` beside
 * `invoke`.
 */
import { ChatAnthropic } from '@langchain/anthropic';
import {
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { Runnable } from '@langchain/core/runnables';
import { ChatOpenAI } from '@langchain/openai';
import {
  describeJudges,
  type Judge,
  type JudgedAnswer,
  type Question,
  type Target,
} from './support/judge/judge.ts';
import { CHAT_TOOLS, chatBody } from './support/judge/judge-chat-body.ts';
import { MESSAGES_TOOLS, messagesBody } from './support/judge/judge-messages-body.ts';
import { at, listAt } from './support/wire.ts';

type Model = Runnable<BaseMessage[], AIMessageChunk>;

/** Content parts in the endpoint's own format: LangChain passes those on. */
const partsOf = (body: unknown): HumanMessage => {
  const parts = listAt(body, 'messages.0.content');
  return new HumanMessage({ content: parts.map((part) => ({ ...Object(part) })) });
};

function chatModel({ url, key, model }: Target, question: Question): Model {
  const { max_completion_tokens: maxTokens, ...body } = chatBody(model, question);
  const made = new ChatOpenAI({
    model,
    apiKey: key,
    maxRetries: 0,
    maxTokens,
    streamUsage: true,
    configuration: { baseURL: `${url}/v2` },
    ...(question.stop === undefined ? {} : { stop: [question.stop] }),
    modelKwargs: {
      ...(question.thinking ? { reasoning_effort: body.reasoning_effort } : {}),
      ...(question.schema ? { response_format: body.response_format } : {}),
    },
  });
  return question.tools ? made.bindTools(CHAT_TOOLS) : made;
}

function messagesModel({ url, key, model }: Target, question: Question): Model {
  const body = messagesBody(model, question);
  const made = new ChatAnthropic({
    model,
    apiKey: key,
    maxRetries: 0,
    maxTokens: body.max_tokens,
    anthropicApiUrl: url,
    ...(question.stop === undefined ? {} : { stopSequences: [question.stop] }),
    ...(question.thinking ? { thinking: body.thinking } : {}),
    ...(question.schema ? { invocationKwargs: { output_config: body.output_config } } : {}),
  });
  return question.tools ? made.bindTools(MESSAGES_TOOLS) : made;
}

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
  const { text, content, tool_calls: calls = [], response_metadata: said } = message;
  const thoughts = Array.isArray(content) ? content.map((block) => at(block, 'thinking')) : [];
  // The field of the finish reason differs by protocol, and between streamed and other messages.
  const end =
    said['finish_reason'] ?? said['stop_reason'] ?? at(message, 'additional_kwargs.stop_reason');
  return {
    text,
    thinking: thoughts.filter((thought) => typeof thought === 'string').join(''),
    calls: calls.map(({ name, args }) => [name, args]),
    end: ENDS[String(end)] ?? 'other',
    inputTokens: Number(at(message, 'usage_metadata.input_tokens')),
    outputTokens: Number(at(message, 'usage_metadata.output_tokens')),
  };
}

async function gathered(model: Model, messages: BaseMessage[]): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | null = null;
  for await (const chunk of await model.stream(messages))
    whole = whole === null ? chunk : whole.concat(chunk);
  if (whole === null) throw new Error('an empty stream');
  return whole;
}

/** The final message of the events, assembled by the library from the pieces before. */
async function gatheredByEvents(model: Model, messages: BaseMessage[]): Promise<AIMessageChunk> {
  let last: AIMessageChunk | null = null;
  for await (const { event, data } of model.streamEvents(messages, { version: 'v2' }))
    if (event === 'on_chat_model_end') last = data.output;
  if (last === null) throw new Error('no end of the model among the events');
  return last;
}

const judgeOf = (
  name: string,
  endpoint: Judge['endpoint'],
  showsThinking: boolean,
  made: (target: Target, question: Question) => Model,
  bodyOf: (model: string, question: Question) => unknown,
): Judge => ({
  name,
  endpoint,
  showsThinking,
  keepsFirstCount: endpoint === 'messages',
  plain: async (target, question) =>
    judgedAnswerOf(await made(target, question).invoke([partsOf(bodyOf(target.model, question))])),
  streamed: async (target, question) => {
    const messages = [partsOf(bodyOf(target.model, question))];
    const model = made(target, question);
    const judged = judgedAnswerOf(await gathered(model, messages));
    const byEvents = judgedAnswerOf(await gatheredByEvents(model, messages));
    if (!Bun.deepEquals(judged, byEvents)) throw new Error(JSON.stringify({ judged, byEvents }));
    return judged;
  },
  toolLoop: async (target, prompt) => {
    const model = made(target, { prompt, tools: true, thinking: true });
    const question = new HumanMessage(prompt);
    const first = await gathered(model, [question]);
    const results = (first.tool_calls ?? []).map(
      ({ id = '', name: called }) =>
        new ToolMessage({ content: `${called} says fine`, tool_call_id: id }),
    );
    return (await gathered(model, [question, first, ...results])).text;
  },
});

describeJudges([
  // The library drops the field that carries reasoning.
  judgeOf('ChatOpenAI', 'chat', false, chatModel, chatBody),
  judgeOf('ChatAnthropic', 'messages', true, messagesModel, messagesBody),
]);
