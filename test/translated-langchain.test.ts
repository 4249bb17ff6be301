/** Tests how LangChain's models for chat completions and Messages read translated answers. */
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { describeJudges } from './support/judge/describe-judges.ts';
import type { Question, Target } from './support/judge/judge.ts';
import { CHAT_TOOLS, chatBody } from './support/judge/judge-chat-body.ts';
import { langchainJudge, type Model } from './support/judge/judge-langchain.ts';
import { MESSAGES_TOOLS, messagesBody } from './support/judge/judge-messages-body.ts';

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

describeJudges([
  langchainJudge({ client: 'LangChain ChatOpenAI', modelOf: chatModel, bodyOf: chatBody }),
  langchainJudge({
    client: 'LangChain ChatAnthropic',
    modelOf: messagesModel,
    bodyOf: messagesBody,
  }),
]);
